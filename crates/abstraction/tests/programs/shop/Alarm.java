package shop;

public class Alarm {
    public void ring() {
        System.out.println("Somebody tries to open the safe.");
    }
}
