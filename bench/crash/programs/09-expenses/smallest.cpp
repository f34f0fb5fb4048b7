#include <string>
int main()
{
        std::string field;
        int amount = std::stoi(field);
}
