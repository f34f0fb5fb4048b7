int main()
{
    int passed = 0, passed_total;
    int passing_average = passed_total / passed;
}
