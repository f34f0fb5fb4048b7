int expression()
{
    int left = expression();
    return left;
}

int main()
{
    expression();
}
