package packages;

/** A package as a repository or the local disk has it. */
public class Package {
    private final String name;
    private final int versionNumber;
    private final boolean developer;
    private boolean installed;
    private int installations;

    public Package(String name, int versionNumber, boolean installed, boolean developer) {
        this.name = name;
        this.versionNumber = versionNumber;
        this.installed = installed;
        this.developer = developer;
    }

    public void install() {
        installed = true;
        installations++;
    }

    public String name() {
        return name;
    }

    public int versionNumber() {
        return versionNumber;
    }

    public boolean isInstalled() {
        return installed;
    }

    public boolean isDeveloper() {
        return developer;
    }

    public int installations() {
        return installations;
    }
}
