#include "bank.h"

void Bank::transfer()
{
    Account *source = 0;
    source->withdraw();
}
