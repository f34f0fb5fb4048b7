// Draws a histogram of test scores between 0 and 100.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

int main(int argc, char **argv)
{
    std::vector<int> scores;
    for (int i = 1; i < argc; i++)
        scores.push_back(std::atoi(argv[i]));

    if (scores.empty()) {
        std::cerr << "no scores given\n";
        return 2;
    }

    std::vector<int> bins(10, 0);
    int sum = 0;
    for (int score : scores) {
        sum += score;
        int bin = score / 10;
        bins.at(bin)++;
    }

    double mean = static_cast<double>(sum) / scores.size();
    std::sort(scores.begin(), scores.end());
    std::cout << "mean " << mean << ", median " << scores[scores.size() / 2] << '\n';

    int tallest = *std::max_element(bins.begin(), bins.end());
    for (int level = tallest; level > 0; level--) {
        std::string row;
        for (int bin : bins)
            row += bin >= level ? " #" : "  ";
        std::cout << row << '\n';
    }
    std::cout << " 0 1 2 3 4 5 6 7 8 9\n";
    return 0;
}
