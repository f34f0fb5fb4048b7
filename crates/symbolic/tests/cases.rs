//! Small programs, one for each feature of the language and each area of the library: they print
//! the same and end alike on a real JVM and on ours. Every method of `programs/cases` whose name
//! begins with `test` is one.

use crate::support;

use lapidary_symbolic::Outcome;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::OnceLock;
use support::cases::{Cases, program, run};

/// The cases that the machine does not support, and its messages.
const UNSUPPORTED: &[(&str, &str)] = &[
    ("testAnnotations", "the native method java.lang.Class.getRawAnnotations()[B"),
    ("testCharacterName", "the field java.lang.Class.module, which a JVM sets up"),
    ("testCrc32", "the native method jdk.internal.loader.BootLoader.setBootLoaderUnnamedModule0(Ljava/lang/Module;)V"),
    (
        "testDateTimeFormatter",
        "the native method java.lang.Class.getDeclaredConstructors0(Z)[Ljava/lang/reflect/Constructor;",
    ),
    (
        "testDeflater",
        "the native method jdk.internal.loader.BootLoader.setBootLoaderUnnamedModule0(Ljava/lang/Module;)V",
    ),
    ("testExecutor", "the field java.lang.Thread.group, which a JVM sets up"),
    ("testFile", "the native method java.io.UnixFileSystem.getBooleanAttributes0(Ljava/io/File;)I"),
    ("testFileStream", "the native method java.io.FileDescriptor.getHandle(I)J"),
    ("testHandleCombinators", "java.lang.invoke.MethodHandles.constant"),
    ("testModuleName", "the field java.lang.Class.module, which a JVM sets up"),
    (
        "testNioFiles",
        "the native method jdk.internal.loader.BootLoader.setBootLoaderUnnamedModule0(Ljava/lang/Module;)V",
    ),
    ("testNullPointerMessage", "the message of a NullPointerException"),
    ("testProcess", "java.lang.invoke.MethodHandles$Lookup.ensureInitialized"),
    ("testProxy", "the field jdk.internal.loader.ClassLoaders$AppClassLoader.classLoaderValueMap, which a JVM sets up"),
    ("testReflectiveCall", "the native method java.lang.Class.getDeclaredMethods0(Z)[Ljava/lang/reflect/Method;"),
    (
        "testReflectiveConstructor",
        "the native method java.lang.Class.getDeclaredConstructors0(Z)[Ljava/lang/reflect/Constructor;",
    ),
    ("testReflectiveFields", "the native method java.lang.Class.getDeclaredFields0(Z)[Ljava/lang/reflect/Field;"),
    ("testResourceOfClass", "the field java.lang.Class.module, which a JVM sets up"),
    ("testResourceOfLoader", "the field jdk.internal.loader.ClassLoaders$AppClassLoader.parent, which a JVM sets up"),
    ("testSecureRandom", "the native method java.io.UnixFileSystem.getBooleanAttributes0(Ljava/io/File;)I"),
    ("testSerialisation", "the native method java.io.ObjectStreamClass.initNative()V"),
    ("testServiceLoader", "the field java.lang.Class.module, which a JVM sets up"),
    ("testSocket", "the native method java.io.UnixFileSystem.canonicalize0(Ljava/lang/String;)Ljava/lang/String;"),
    ("testStackWalker", "the native method java.lang.StackStreamFactory.checkStackWalkModes()Z"),
    ("testStandardInput", "System.in"),
    (
        "testTextFormats",
        "the native method java.lang.Class.getDeclaredConstructors0(Z)[Ljava/lang/reflect/Constructor;",
    ),
    ("testThread", "threads"),
    ("testThreadGroup", "the field java.lang.Thread.group, which a JVM sets up"),
    ("testThreadText", "the field java.lang.Thread.group, which a JVM sets up"),
    ("testTimeZone", "the native method java.io.FileDescriptor.getHandle(I)J"),
];

fn cases() -> &'static Cases {
    static CASES: OnceLock<Cases> = OnceLock::new();
    CASES.get_or_init(|| {
        let folder = std::fs::read_dir(program("cases")).expect("the cases are there");
        let mut sources: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
        sources.sort();
        Cases::run("cases", &sources)
    })
}

/// Runs all cases of a class; those that differ name themselves.
fn same_in_both(class: &str) {
    let different = cases().differences(class);
    assert!(different.is_empty(), "{different}");
}

/// One test for each class of cases, and one that no class was forgotten.
macro_rules! areas {
    ($($test:ident: $class:literal,)*) => {
        $(#[test]
        fn $test() {
            same_in_both($class);
        })*

        #[test]
        fn all_cases_are_run() {
            let run = [$($class),*];
            let forgotten: Vec<_> =
                cases().truth.keys().filter(|class| !run.contains(&class.as_str()) && *class != "Unsupported").collect();
            assert_eq!(forgotten, Vec::<&String>::new());
            let count: usize = cases().truth.values().map(BTreeMap::len).sum();
            assert!(count >= 300, "{count} cases");
        }
    };
}

areas! {
    arithmetic: "Arithmetic",
    arrays: "ArrayCases",
    classes_of_all_kinds: "Classes",
    collections: "Containers",
    concatenation: "Concatenation",
    control_flow: "ControlFlow",
    corners: "Corners",
    interfaces_and_records: "Interfaces",
    lambdas: "Lambdas",
    method_handles: "Handles",
    miscellany: "Miscellany",
    numbers_as_objects: "Wrappers",
    streams: "Streams",
    strings: "Strings",
}

#[test]
fn what_is_unsupported_says_so() {
    let methods = cases().truth["Unsupported"].keys();
    let mut machine = support::machine(&cases().directory);
    let said = methods.map(|method| match run(&mut machine, "Unsupported", method).outcome {
        Outcome::Unsupported { what, .. } => (method.clone(), what),
        outcome => (method.clone(), format!("{outcome:?}")),
    });
    let said: Vec<(String, String)> = said.collect();
    let expected: Vec<(String, String)> =
        UNSUPPORTED.iter().map(|(method, what)| (method.to_string(), what.to_string())).collect();
    assert_eq!(said, expected, "{said:#?}");
}
