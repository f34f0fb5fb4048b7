int expression()
{
    int left = expression();
}

int main()
{
    expression();
}
