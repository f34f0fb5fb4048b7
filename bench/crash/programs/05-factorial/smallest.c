int main()
{
    int factorial = 1;
    for (int i = 2; ; i++)
        factorial = factorial * i;
}
