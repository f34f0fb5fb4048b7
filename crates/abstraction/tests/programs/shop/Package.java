package shop;

public class Package {
    private final int version;
    private final boolean isInstalled;

    public Package(int version, boolean isInstalled) {
        this.version = version;
        this.isInstalled = isInstalled;
    }

    public int version() {
        return version;
    }

    public boolean isInstalled() {
        return isInstalled;
    }

    public void install() {
        System.out.println("installed");
    }
}
