template <class T> T largest(T left, T right) // kept
{
    T result = left; // kept
    if (right > left) // kept
        result = right; // kept
    return result; // kept
}
template <class T> T smallest(T left, T right)
{
    return left < right ? left : right;
}
namespace tools { // kept
int base = 4; // kept
int unused = 5;
}
int main(int argc, char **) // kept
{
    int low = smallest(argc, 3);
    int high = largest(argc, tools::base); // kept
    low++;
    return 10 / (high - 4); // criterion
}
