#include "bank.h"

void Bank::transfer()
{
    Account *source;
    source->withdraw();
}
