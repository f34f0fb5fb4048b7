#include <fmt/format.h>

#include <string>
#include <vector>

namespace survey {

struct Metre {
    double value;
};

struct Leg {
    std::string name;
    Metre length;
};

}  // namespace survey

template <>
struct fmt::formatter<survey::Metre> : fmt::formatter<double> {
    template <typename Context>
    auto format(const survey::Metre& metre, Context& context) const {
        return fmt::formatter<double>::format(metre.value, context);
    }
};

namespace survey {

std::string describe(const std::vector<Leg>& legs) {
    std::string text = fmt::format("{} legs\n", legs.size());
    for (const Leg& leg : legs) {
        text += fmt::format("{:>10}: {:8.3f} m\n", leg.name, leg.length);
    }
    text += fmt::format("first: {:d}\n", legs.front().length);
    return text;
}

}  // namespace survey

int main() {
    fmt::print("{}", survey::describe({{"north", {12.5}}, {"east", {3.25}}}));
}
