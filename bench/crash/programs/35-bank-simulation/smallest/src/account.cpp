#include "account.h"

#include <stdexcept>

void Account::withdraw()
{
        throw std::runtime_error("insufficient funds");
}
