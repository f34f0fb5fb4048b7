package packages;

/** Installs what is missing. */
public class PackageManager {
    private final PackageMap repository;
    private final PackageMap local;

    public PackageManager(PackageMap repository, PackageMap local) {
        this.repository = repository;
        this.local = local;
    }

    public void updatePackage(String name) {
        Package offered = repository.get(name);
        Package present = local.get(name);
        if (offered == null || present == null) {
            return;
        }
        if (!present.isInstalled()) {
            present.install();
        }
    }
}
