package even;

/** Says what a number is when it is doubled. */
public class Teller {
    private final Doubler doubler;
    private final Page page;

    public Teller(Doubler doubler, Page page) {
        this.doubler = doubler;
        this.page = page;
    }

    public void tell(int number) {
        if (doubler.twice(number) % 2 == 0) {
            page.print("even, as it must be");
        } else {
            page.print("odd, which is odd (" + number + ")");
        }
    }
}
