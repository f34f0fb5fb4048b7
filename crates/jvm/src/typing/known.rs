//! Names of classes that the JVM itself knows, created once.

use lapidary_classfile::Text;
use std::sync::LazyLock;

pub(super) const OBJECT: &[u8] = b"java/lang/Object";
pub(super) const THROWABLE: &[u8] = b"java/lang/Throwable";

macro_rules! known {
    ($($function:ident = $name:literal;)*) => {$(
        pub(super) fn $function() -> Text {
            static NAME: LazyLock<Text> = LazyLock::new(|| Text::from($name));
            NAME.clone()
        }
    )*};
}

known! {
    object = "java/lang/Object";
    string = "java/lang/String";
    class = "java/lang/Class";
    throwable = "java/lang/Throwable";
    method_type = "java/lang/invoke/MethodType";
    method_handle = "java/lang/invoke/MethodHandle";
}
