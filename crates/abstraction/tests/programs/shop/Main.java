package shop;

public class Main {
    static int open(int code) {
        return new Safe(10, 1234, new Alarm()).getCash(code);
    }

    static void serve(int ignored) {
        Router router = new Router();
        router.addRoute("/help", new Help());
        router.route(new Request("/help"), new Response());
    }

    static void grade(int grade) {
        ClassRoom room = new ClassRoom();
        room.addStudent("ada", new Student());
        room.addGrade("bob", grade);
    }

    static String configured(int ignored) {
        return new Config(new String[] {"", "verbose", "yes"}).getConfig("verbose");
    }

    static boolean isOdd(int value) {
        return new DoubleValue().doubleValue(value) % 2 != 0;
    }

    static int older(int age) {
        Person person = new Person(0);
        person.setAge(age);
        return person.getAge() - age;
    }

    static void update(int ignored) {
        PackageMap map = new PackageMap();
        map.put("vim", new Package(1, false));
        map.value("vim").install();
    }

    static int guard(int ignored) {
        Flow flow = new Flow(new Alarm(), new Logging());
        return flow.guarded(() -> {
            throw new java.io.IOException("broken");
        }, new int[0]);
    }

    static void watch(int code) {
        new Watch(new Alarm()).checker(code).run();
    }
}
