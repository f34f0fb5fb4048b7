int main()
{
    char *path = 0;
    *path = '\0';
}
