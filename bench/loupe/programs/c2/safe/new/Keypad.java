package vault;

/** Makes a pin of four digits from a phrase. */
public class Keypad {
    private static final int PINS = 10_000;

    public int pin(String phrase) {
        int pin = 1;
        for (int index = 0; index < phrase.length(); index++) {
            char letter = phrase.charAt(index);
            if (isVowel(letter)) {
                pin = pin * 7 + letter;
            } else {
                pin = pin * 3 + (letter >>> 1);
            }
            pin %= PINS;
        }
        return pin;
    }

    private boolean isVowel(char letter) {
        switch (letter) {
            case 'a':
            case 'e':
            case 'i':
            case 'o':
            case 'u':
                return true;
            default:
                return false;
        }
    }
}
