package drinks;

/** A person buys a drink and has it. */
public class Main {
    public static void run(int age) {
        if (age < 0 || age > 150) {
            return;
        }
        Person person = new Person(age);
        Till till = new Till();
        Vendor vendor = new Vendor(till);
        Drink drink = vendor.sell(person);
        drink.drink();
        System.out.println("card stamped " + person.stamps() + " times, " + till.sum() + " in the till");
    }
}
