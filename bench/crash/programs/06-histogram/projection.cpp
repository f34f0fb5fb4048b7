#include <cstdlib>
#include <vector>

int main(int argc, char **argv)
{
    std::vector<int> scores;
    for (int i = 1; i < argc; i++)
        scores.push_back(std::atoi(argv[i]));

    std::vector<int> bins(10, 0);
    for (int score : scores) {
        int bin = score / 10;
        bins.at(bin)++;
    }
}
