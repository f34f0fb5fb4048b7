#include <vector>
int main()
{
    std::vector<int> bins(10);
        int bin = 10;
        bins.at(bin)++;
}
