//! Recognises files that hold keys, passwords or private data, and never go along.

use std::path::Path;

/// Such files, and directories that hold them, wherever they are.
const NAMES: [&str; 37] = [
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".oci",
    ".docker",
    ".kube",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".yarnrc.yml",
    ".pypirc",
    ".gem/credentials",
    ".git-credentials",
    ".gitconfig",
    ".hgrc",
    ".subversion/auth",
    ".pgpass",
    ".my.cnf",
    ".mylogin.cnf",
    ".s3cfg",
    ".boto",
    ".terraform.d",
    ".vault-token",
    ".password-store",
    ".env",
    ".cargo/credentials.toml",
    ".m2/settings.xml",
    ".config/gcloud",
    ".config/gh",
    ".config/hub",
    ".config/rclone",
    ".local/share/keyrings",
    ".mozilla",
    ".thunderbird",
    ".bash_history",
    ".zsh_history",
];

/// Beginnings of the names of keys.
const KEYS: [&str; 4] = ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"];

/// Whether a file is private, by its path or by that of the file that it links to.
pub(crate) fn is_private(path: &Path) -> bool {
    names_private(path) || path.canonicalize().is_ok_and(|real| names_private(&real))
}

fn names_private(path: &Path) -> bool {
    let text = format!("{}/", Path::new("/").join(path).display());
    let has = |name: &str| text.contains(&format!("/{name}/"));
    NAMES.iter().any(|name| has(name)) || KEYS.iter().any(|key| text.contains(&format!("/{key}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn keys_and_passwords_are_private_under_any_name() {
        for path in [
            "/home/me/.ssh/config",
            "/x/.kube/config",
            ".netrc",
            "keys/id_ed25519.pub",
            "/home/me/.aws",
            "/home/me/.config/gh/hosts.yml",
        ] {
            assert!(is_private(Path::new(path)), "{path}");
        }
        for path in ["/home/me/ssh/config", "tests/netrc", "identity.c", "linux/.config", "a/../b"] {
            assert!(!is_private(Path::new(path)), "{path}");
        }
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join(".ssh")).unwrap();
        fs::write(place.path().join(".ssh/key"), "secret").unwrap();
        std::os::unix::fs::symlink(place.path().join(".ssh/key"), place.path().join("link")).unwrap();
        assert!(is_private(&place.path().join("link")));
    }
}
