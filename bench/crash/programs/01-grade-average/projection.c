int main()
{
    int passed = 0, passed_total = 0;
    int passing_average = passed_total / passed;
}
