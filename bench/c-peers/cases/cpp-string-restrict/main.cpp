#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace ledger {

struct Entry {
    std::string account;
    long cents;
};

std::string digits(long cents) {
    std::string text = std::to_string(cents / 100);
    text += cents % 100 < 10 ? ".0" : ".";
    text += std::to_string(cents % 100);
    return text;
}

std::string amount(std::string text, bool negative) {
    if (negative) text.insert(0, "-");
    return "EUR " + text;
}

std::map<std::string, long> balances(const std::vector<Entry>& entries) {
    std::map<std::string, long> sums;
    for (const Entry& entry : entries) {
        if (entry.account.empty()) throw std::invalid_argument("an entry needs an account");
        sums[entry.account] += entry.cents;
    }
    return sums;
}

}  // namespace ledger

int main() {
    std::vector<ledger::Entry> entries{{"rent", -65000}, {"wage", 210000}, {"food", -1205}};
    std::string report;
    for (const auto& [account, cents] : ledger::balances(entries)) {
        report += account;
        report += ledger::amount(ledger::digits(cents < 0 ? -cents : cents), cents < 0);
    }
    return report.size() > 20 ? 0 : 1;
}
