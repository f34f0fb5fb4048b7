package packages;

/** Updates one package and then lists what developers have pinned. */
public class Main {
    private final PackageMap repository = new PackageMap();
    private final PackageMap local = new PackageMap();

    public static void run(String name, int localVersion, int offeredVersion, boolean installed, boolean developer) {
        if (name == null || name.isEmpty()) {
            return;
        }
        Main main = new Main();
        main.repository.put(name, new Package(name, offeredVersion, false, false));
        main.local.put(name, new Package(name, localVersion, installed, developer));
        main.update(name);
    }

    private Main() {
        String[] always = {"bash", "curl", "git", "vim"};
        for (int number = 0; number < always.length; number++) {
            repository.put(always[number], new Package(always[number], 10 + number, false, false));
            local.put(always[number], new Package(always[number], 10 + number, false, true));
        }
    }

    private void update(String name) {
        new PackageManager(repository, local).updatePackage(name);
        for (String each : local.names()) {
            Package found = local.get(each);
            if (found.isDeveloper()) {
                System.out.println("pinned: " + each + " installed " + found.installations() + " times");
            }
        }
    }
}
