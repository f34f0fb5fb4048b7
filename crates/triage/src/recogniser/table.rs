//! The table of causes. Bug numbers are those of table 2.3.

use super::Clue::*;
use super::Recogniser;

macro_rules! recognisers {
    ($($name:literal $kind:ident $says:literal: $($clue:expr),+;)*) => {
        /// The table, most specific causes first: dynamic features, then library features, then
        /// language features.
        pub const RECOGNISERS: &[Recogniser] =
            &[$(Recogniser { name: $name, says: $says, is_dynamic: kind::$kind, clues: &[$($clue),+] }),*];
    };
}

mod kind {
    pub const DYNAMIC: bool = true;
    pub const STATIC: bool = false;
}

recognisers! {
    "entry point" STATIC "the analysis does not even know the entry point; does it print names as pkg/Cls.name:(I)V?":
        LostNamed(&["main"]), IsBottom;
    "loaded at run time" DYNAMIC "the class is not on the class path: it was generated at run time or loaded from elsewhere":
        NotOnClassPath;
    "deserialisation" DYNAMIC "an object is read from a stream, and the library calls its methods":
        OnStack("java/io/ObjectInputStream", "");
    "serialisation" DYNAMIC "an object is written to a stream, and the library calls its methods":
        OnStack("java/io/ObjectOutputStream", "");
    "service loader" DYNAMIC "the class is named only in META-INF/services":
        OnStack("java/util/ServiceLoader", "");
    "proxy" DYNAMIC "a class that was generated at run time passes the call on":
        ProxyOnStack;
    "Method.invoke" DYNAMIC "the method is called by reflection":
        OnStack("java/lang/reflect/Method", "invoke");
    "Constructor.newInstance" DYNAMIC "the object is made by reflection":
        OnStack("java/lang/reflect/Constructor", "newInstance");
    "Class.newInstance" DYNAMIC "the object is made by reflection":
        OnStack("java/lang/Class", "newInstance");
    "Class.forName" DYNAMIC "the class is loaded by its name":
        OnStack("java/lang/Class", "forName");
    "native library" DYNAMIC "a native library is loaded, and calls the method":
        OnStack("java/lang/ClassLoader", "loadLibrary");
    "method handle" DYNAMIC "the method is called through a method handle":
        CalledByMethodHandle;
    "indirect reflection" DYNAMIC "the object was made by reflection before":
        MadeByReflection;
    "native" DYNAMIC "native code calls the method":
        CalledByNative;
    // Bug 3.
    "event queue" STATIC "the method runs on the event queue of the window system":
        BottomIs("java/awt/EventDispatchThread", "run");
    // Bug 4.
    "uncaught exception" STATIC "the method is the handler of an uncaught exception":
        LostNamed(&["uncaughtException"]);
    // Bug 2.
    "shutdown hook" STATIC "the method runs when the program ends":
        BottomNamed("run"), InShutdownHook;
    "finalizer" STATIC "the garbage collector calls the method":
        OnStack("java/lang/ref/Finalizer", "");
    "cleaner" STATIC "a cleaner runs the method":
        OnStack("jdk/internal/ref/CleanerImpl", "");
    // Bug 6.
    "executor" STATIC "the method runs on a thread of a pool":
        OnStack("java/util/concurrent/ThreadPoolExecutor", "runWorker");
    "fork and join" STATIC "the method is a task of a fork-join pool":
        OnStack("java/util/concurrent/ForkJoinTask", "doExec");
    // Bug 5.
    "printed object" STATIC "an object is printed, which calls its `toString`":
        LostNamed(&["toString"]), PrintedOnStack;
    // Bug 8.
    "iterator" STATIC "the object comes from an iterator":
        ReturnedBy(&["java/util/Iterator"], "next");
    // Bug 9.
    "queue" STATIC "the object comes from the head of a queue":
        ReturnedBy(&["java/util/Queue", "java/util/Deque"], "peek");
    // Bug 7.
    "array of arrays" STATIC "the object can be in an array of arrays":
        InMultiArray;
    "excluded class" STATIC "the class is one that the analysis leaves out":
        IsExcluded;
    // Bug 1.
    "excluded superclass" STATIC "the class extends one that the analysis leaves out":
        ExtendsExcluded;
    // Bug 12.
    "inherited class initialiser" STATIC "a subclass without initialiser has its superclass initialised":
        LostNamed(&["<clinit>"]), ChildWithoutInitialiser;
    "class initialiser" STATIC "the JVM calls the initialiser of a class":
        LostNamed(&["<clinit>"]);
    "lambda" STATIC "the method is the body of a lambda":
        IsLambdaBody;
    "method reference" STATIC "the method is called through a method reference":
        CalledByLambdaClass, IsNoLambdaBody;
    "record" STATIC "a method that the JVM generates for a record calls its components":
        CalledByRecord;
    "string concatenation" STATIC "an object is concatenated to a string":
        LostNamed(&["toString"]), OnStack("java/lang/String", "valueOf");
    "thread" STATIC "the method runs on a thread that the program started":
        LostNamed(&["run"]), BottomNamed("run");
    "privileged action" STATIC "the method runs as a privileged action":
        OnStack("java/security/AccessController", "doPrivileged");
    // Bug 11.
    "default method" STATIC "the method has its code in an interface":
        IsDefaultMethod;
    // Bug 10.
    "indirect interface" STATIC "the class implements the interface through another interface":
        ImplementsIndirectly;
    "inherited interface" STATIC "the class implements the interface through its superclass":
        ImplementsThroughSuperclass;
    "call-back" STATIC "the library calls the method":
        CalledByLibrary;
    "bridge" STATIC "the compiler generated the method for calls with erased types":
        IsBridge;
    "direct call" STATIC "code of the program itself calls the method":
        CalledByApplication;
}
