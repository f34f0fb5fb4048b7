//! The installed JDK: its module image since Java 9, its `rt.jar` before.

use super::{ClassPathError, jar_file::JarFile};
use lapidary_common::jdk;
use ristretto_jimage::Image;
use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The classes of a JDK or JRE.
pub struct Platform {
    home: PathBuf,
    release: Option<u32>,
    classes: Classes,
}

enum Classes {
    Image(ModuleImage),
    Jar(JarFile),
}

/// A class of the module image: its module and its internal name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlatformClass {
    pub module: String,
    pub name: String,
}

impl Platform {
    /// Finds the JDK that the user means: `JAVA_HOME`, else the one whose `java` is on the PATH,
    /// else the first by name in `/usr/lib/jvm`.
    pub fn installed() -> Result<Platform, ClassPathError> {
        match jdk::home_of_environment() {
            Some(home) => Platform::at(&home),
            None => jdk::homes().iter().find_map(|home| Platform::at(home).ok()).ok_or(ClassPathError::NoJdk),
        }
    }

    /// Opens the JDK in this directory.
    pub fn at(home: &Path) -> Result<Platform, ClassPathError> {
        let properties = std::fs::read_to_string(home.join("release")).unwrap_or_default();
        let image = home.join("lib/modules");
        let classes = if image.is_file() {
            Classes::Image(ModuleImage::open(image)?)
        } else {
            let jar = ["jre/lib/rt.jar", "lib/rt.jar"].iter().map(|jar| home.join(jar)).find(|jar| jar.is_file());
            let jar = jar.ok_or_else(|| ClassPathError::NotAJdk { path: home.into() })?;
            Classes::Jar(JarFile::open(jar, 8)?)
        };
        Ok(Platform { home: home.into(), release: release(&properties), classes })
    }

    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The Java release, such as 17, if the JDK states it.
    pub fn release(&self) -> Option<u32> {
        self.release
    }

    /// Returns the bytes of a class, given its internal name.
    pub fn find(&self, class: &str) -> Option<Arc<[u8]>> {
        match &self.classes {
            Classes::Image(image) => image.find(class),
            Classes::Jar(jar) => jar.find(class)?.ok(),
        }
    }

    /// All classes of the image in order, without `module-info`; none for a JDK older than 9. This
    /// reads the whole index of the image.
    pub fn classes(&self) -> Result<BTreeSet<PlatformClass>, ClassPathError> {
        match &self.classes {
            Classes::Image(image) => image.classes(),
            Classes::Jar(_) => Ok(BTreeSet::new()),
        }
    }
}

/// The image `lib/modules`, in which a class is found by its module and its name. Most classes are
/// in `java.base`, so that module is tried first. For the others there is an index from each
/// package to its one module, built when it is first needed.
struct ModuleImage {
    path: PathBuf,
    image: Image,
    modules: OnceLock<HashMap<String, String>>,
}

impl ModuleImage {
    /// Opens an image, and rejects one from which not even `java/lang/Object` can be read.
    fn open(path: PathBuf) -> Result<Self, ClassPathError> {
        let opened = guarded(|| {
            let image = Image::from_file(&path)?;
            image.get_resource("/java.base/java/lang/Object.class")?;
            Ok::<_, ristretto_jimage::Error>(image)
        });
        match opened {
            Ok(image) => Ok(ModuleImage { path, image, modules: OnceLock::new() }),
            Err(reason) => Err(ClassPathError::BadImage { path, reason }),
        }
    }

    fn find(&self, class: &str) -> Option<Arc<[u8]>> {
        self.find_in("java.base", class).or_else(|| {
            let (package, _) = class.rsplit_once('/')?;
            let modules = self.modules.get_or_init(|| guarded(|| self.index_packages()).unwrap_or_default());
            self.find_in(modules.get(package)?, class)
        })
    }

    fn find_in(&self, module: &str, class: &str) -> Option<Arc<[u8]>> {
        let resource = format!("/{module}/{class}.class");
        let found = catch_unwind(AssertUnwindSafe(|| Some(Arc::from(self.image.get_resource(&resource).ok()?.data()))));
        found.ok().flatten()
    }

    fn index_packages(&self) -> Result<HashMap<String, String>, ristretto_jimage::Error> {
        let mut modules = HashMap::new();
        for resource in self.image.iter() {
            let resource = resource?;
            if resource.extension() == "class" && !modules.contains_key(resource.parent()) {
                modules.insert(resource.parent().into(), resource.module().into());
            }
        }
        Ok(modules)
    }

    fn classes(&self) -> Result<BTreeSet<PlatformClass>, ClassPathError> {
        let listed = guarded(|| {
            let mut classes = BTreeSet::new();
            for resource in self.image.iter() {
                let resource = resource?;
                if resource.extension() == "class" && resource.base() != "module-info" {
                    let name = format!("{}/{}", resource.parent(), resource.base());
                    classes.insert(PlatformClass { module: resource.module().into(), name });
                }
            }
            Ok::<_, ristretto_jimage::Error>(classes)
        });
        listed.map_err(|reason| ClassPathError::BadImage { path: self.path.clone(), reason })
    }
}

/// Turns a panic of the image reader into an error; it panics on images that jlink compressed. The
/// reader changes no state while it reads, so it is safe to go on.
fn guarded<T, E: std::fmt::Display>(read: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(result) => result.map_err(|error| error.to_string()),
        Err(_) => Err("it is compressed or damaged".into()),
    }
}

/// The value of `KEY="value"` in the file `release` of a JDK.
fn property<'a>(properties: &'a str, key: &str) -> Option<&'a str> {
    let mut pairs = properties.lines().filter_map(|line| line.split_once('='));
    pairs.find(|(name, _)| *name == key).map(|(_, value)| value.trim().trim_matches('"'))
}

/// The release in a version string: 17 for `17.0.15`, 8 for `1.8.0_392`.
fn release(properties: &str) -> Option<u32> {
    let version = property(properties, "JAVA_VERSION")?;
    let version = version.strip_prefix("1.").unwrap_or(version);
    version.split(|end: char| !end.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_release_file_is_understood() {
        assert_eq!(release("IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"17.0.15\"\nLIBC=\"gnu\"\n"), Some(17));
        assert_eq!(release("JAVA_VERSION=\"1.8.0_392\""), Some(8));
        assert_eq!(release("JAVA_VERSION=\"25-ea\""), Some(25));
        assert_eq!(release(""), None);
    }

    #[test]
    fn a_directory_that_is_no_jdk_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        assert!(matches!(Platform::at(directory.path()), Err(ClassPathError::NotAJdk { .. })));
        std::fs::create_dir(directory.path().join("lib")).unwrap();
        for image in [&b""[..], b"short", b"\xda\xda\xfe\xca not an image, whatever its first four bytes may say"] {
            std::fs::write(directory.path().join("lib/modules"), image).unwrap();
            assert!(Platform::at(directory.path()).is_err());
        }
    }
}
