#include "account.h"

class Bank {
public:
    void transfer();
};
