//! Names of types and packages as Java programs see them.

use lapidary_jvm::BaseType;

/// Whether a library class is in a package that only `java.base` contains.
pub(crate) fn is_in_base(name: &str) -> bool {
    const PACKAGES: [&str; 9] = [
        "java/lang",
        "java/util",
        "java/io",
        "java/math",
        "java/time",
        "java/text",
        "java/nio",
        "java/util/function",
        "java/util/stream",
    ];
    name.rsplit_once('/').is_some_and(|(package, _)| PACKAGES.contains(&package))
}

/// The keyword of a primitive type.
pub fn base_name(base: BaseType) -> &'static str {
    use BaseType::*;
    match base {
        Boolean => "boolean",
        Byte => "byte",
        Char => "char",
        Short => "short",
        Int => "int",
        Long => "long",
        Float => "float",
        Double => "double",
    }
}
