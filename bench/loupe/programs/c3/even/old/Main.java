package even;

/** Tells whether twice the first number is even. */
public class Main {
    public static void run(int[] numbers) {
        if (numbers == null || numbers.length == 0) {
            return;
        }
        new Teller(new Doubler(), new Page()).tell(numbers[0]);
    }
}
