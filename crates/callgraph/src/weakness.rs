//! Defects that can be switched on, to obtain analyses that are known to be wrong for known
//! reasons.
//!
//! Each is one row. Many are bugs that were found in real analyses: the numbers are those of table
//! 2.3 in Kalhauge, *Reporting Bugs in Metaprograms* (2020). A weakness that loses track of an
//! object shows in analyses that follow objects; the coarser ones may reach the same method in
//! another way.

use std::collections::BTreeSet;
use std::str::FromStr;
use thiserror::Error;

macro_rules! weaknesses {
    ($($variant:ident = $name:literal: $lost:literal;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Weakness { $(#[doc = $lost] $variant),* }

        impl Weakness {
            pub const ALL: &'static [Weakness] = &[$(Weakness::$variant),*];

            /// The name on a command line.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Weakness::$variant => $name),* }
            }

            /// A description of what is lost.
            #[must_use]
            pub fn lost(self) -> &'static str {
                match self { $(Weakness::$variant => $lost),* }
            }
        }
    };
}

weaknesses! {
    NoClassInitialisers = "no-class-initialisers": "class initialisers";
    NoInheritedInitialisers = "no-inherited-initialisers": "the initialiser of a superclass, where the subclass has none (12)";
    NoLambdas = "no-lambdas": "the bodies of lambdas";
    NoMethodReferences = "no-method-references": "methods that method references name";
    NoStringConcatenation = "no-string-concatenation": "`toString` of objects concatenated with `+`";
    NoRecordMethods = "no-record-methods": "what `toString`, `equals` and `hashCode` of records call on components";
    NoDefaultMethods = "no-default-methods": "methods with code in interfaces (11)";
    NoIndirectInterfaces = "no-indirect-interfaces": "interfaces that a class inherits through other interfaces (10)";
    NoInheritedInterfaces = "no-inherited-interfaces": "interfaces that a class inherits from its superclass";
    NoFinalizers = "no-finalizers": "finalizers";
    NoCleaners = "no-cleaners": "what the garbage collector enqueues: actions of cleaners";
    NoThreads = "no-threads": "what a started thread runs";
    NoShutdownHooks = "no-shutdown-hooks": "threads given to `Runtime.addShutdownHook` (2)";
    NoEventQueue = "no-event-queue": "what `EventQueue.invokeLater` and `invokeAndWait` run (3)";
    NoUncaughtHandlers = "no-uncaught-handlers": "handlers of uncaught exceptions (4)";
    NoPrintedObjects = "no-printed-objects": "`toString` of printed objects (5)";
    NoExecutors = "no-executors": "what the workers of a thread pool run (6)";
    NoMultiArrays = "no-multi-arrays": "what was put into an array of arrays (7)";
    NoIteratedObjects = "no-iterated-objects": "what `Iterator.next` returns (8)";
    NoPeekedObjects = "no-peeked-objects": "what `Queue.peek` returns (9)";
    NoExcludedSuperclasses = "no-excluded-superclasses": "classes that extend a class of a graphics package (1)";
    NoPrivilegedActions = "no-privileged-actions": "what `AccessController.doPrivileged` runs";
    NoLibraryCallbacks = "no-library-callbacks": "methods of the application that the library calls";
    NoCaughtExceptions = "no-caught-exceptions": "what a handler catches";
    NoArrayCopies = "no-array-copies": "what `System.arraycopy` copies";
    NoClones = "no-clones": "the result of `Object.clone`";
    NoUnsafeAccess = "no-unsafe-access": "what atomic variables and other handles of fields hold";
    NoEnumValues = "no-enum-values": "`values` of an enum, which maps and sets of enums call";
    NoStaticFields = "no-static-fields": "what is in static fields";
    NoStartup = "no-startup": "actions of the JVM before and after `main`: the streams of `System` are missing";
}

/// The weaknesses that are switched on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weaknesses(BTreeSet<Weakness>);

impl Weaknesses {
    #[must_use]
    pub fn none() -> Self {
        Weaknesses::default()
    }

    #[must_use]
    pub fn has(&self, weakness: Weakness) -> bool {
        self.0.contains(&weakness)
    }

    pub fn iter(&self) -> impl Iterator<Item = Weakness> + '_ {
        self.0.iter().copied()
    }
}

impl FromIterator<Weakness> for Weaknesses {
    fn from_iter<I: IntoIterator<Item = Weakness>>(weaknesses: I) -> Self {
        Weaknesses(weaknesses.into_iter().collect())
    }
}

/// A weakness with a name that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no weakness is called `{0}`. Known are {known}", known = known())]
pub struct UnknownWeakness(String);

impl FromStr for Weakness {
    type Err = UnknownWeakness;

    fn from_str(name: &str) -> Result<Self, UnknownWeakness> {
        let found = Weakness::ALL.iter().find(|weakness| weakness.name() == name);
        found.copied().ok_or_else(|| UnknownWeakness(name.to_owned()))
    }
}

fn known() -> String {
    Weakness::ALL.iter().map(|weakness| weakness.name()).collect::<Vec<_>>().join(", ")
}

/// Calls that have no effect for an analysis with the weakness: the class, and a prefix of the
/// method's name and descriptor.
pub(crate) const IGNORED_CALLS: &[(Weakness, &str, &str)] = &[
    (Weakness::NoStringConcatenation, "java/lang/String", "valueOf(Ljava/lang/Object;)"),
    (Weakness::NoStringConcatenation, "java/lang/StringBuilder", "append(Ljava/lang/Object;)"),
    (Weakness::NoThreads, "java/lang/Thread", "start"),
    (Weakness::NoThreads, "java/lang/Thread", "<init>"),
    (Weakness::NoCleaners, "java/lang/ref/Cleaner", "register"),
    (Weakness::NoShutdownHooks, "java/lang/Runtime", "addShutdownHook"),
    (Weakness::NoEventQueue, "java/awt/EventQueue", "invokeLater"),
    (Weakness::NoEventQueue, "java/awt/EventQueue", "invokeAndWait"),
    (Weakness::NoUncaughtHandlers, "java/lang/Thread", "dispatchUncaughtException"),
    (Weakness::NoPrintedObjects, "java/io/PrintStream", "print(Ljava/lang/Object;)"),
    (Weakness::NoPrintedObjects, "java/io/PrintStream", "println(Ljava/lang/Object;)"),
    (Weakness::NoPrintedObjects, "java/io/PrintWriter", "print(Ljava/lang/Object;)"),
    (Weakness::NoPrintedObjects, "java/io/PrintWriter", "println(Ljava/lang/Object;)"),
    (Weakness::NoExecutors, "java/util/concurrent/ThreadPoolExecutor", "runWorker"),
    (Weakness::NoPrivilegedActions, "java/security/AccessController", "doPrivileged"),
    (Weakness::NoArrayCopies, "java/lang/System", "arraycopy"),
];

/// Calls whose result is lost to an analysis with the weakness.
pub(crate) const LOST_RESULTS: &[(Weakness, &str, &str)] = &[
    (Weakness::NoIteratedObjects, "java/util/Iterator", "next"),
    (Weakness::NoPeekedObjects, "java/util/Queue", "peek"),
    (Weakness::NoClones, "java/lang/Object", "clone"),
];

/// The packages that analyses tend to exclude.
pub(crate) const EXCLUDED_PACKAGES: &[&str] = &["java/awt/", "javax/swing/", "sun/awt/", "com/sun/java/swing/"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weakness_is_found_by_its_name() {
        for weakness in Weakness::ALL {
            assert_eq!(weakness.name().parse(), Ok(*weakness));
        }
        assert!("no-such".parse::<Weakness>().unwrap_err().to_string().contains("no-lambdas"));
    }
}
