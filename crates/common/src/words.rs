//! Numbers for people.

/// Digits in groups: `1234567` becomes `1,234,567`.
#[must_use]
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with its noun: `1 item`, `1,234 items`.
#[must_use]
pub fn counted(number: u64, what: &str) -> String {
    let ending = match what.ends_with('s') {
        _ if number == 1 => "",
        true => "es",
        false => "s",
    };
    format!("{} {what}{ending}", thousands(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_and_one_is_not_many() {
        assert_eq!([7, 1234, 1234567].map(thousands), ["7", "1,234", "1,234,567"]);
        assert_eq!([1, 1234].map(|number| counted(number, "item")), ["1 item", "1,234 items"]);
        assert_eq!([1, 2].map(|number| counted(number, "class")), ["1 class", "2 classes"]);
    }
}
