//! The questions that a recogniser can ask about a loss.

use crate::classes::{self, Classes};
use lapidary_classfile::{Class, access};
use lapidary_jvm::MethodName;
use lapidary_tracer::{Entry, Frame, Trace};
use regex::RegexSet;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A loss with its context.
pub struct Scene<'a> {
    /// The first entry of the lost method.
    pub lost: &'a Entry,
    pub trace: &'a Trace,
    pub classes: &'a Classes,
    /// Classes that analyses exclude on purpose.
    pub excluded: &'a RegexSet,
}

/// A question about a loss. Classes and methods are written as internal names.
#[derive(Debug, PartialEq)]
pub enum Clue {
    /// The lost method has one of these names.
    LostNamed(&'static [&'static str]),
    /// A method of this class with this name prefix is on the stack, below the lost one.
    OnStack(&'static str, &'static str),
    /// A method of this class with this name prefix is at the bottom of the stack.
    BottomIs(&'static str, &'static str),
    BottomNamed(&'static str),
    /// The lost method itself is at the bottom of the stack.
    IsBottom,
    /// `print` or a similar method is on the stack.
    PrintedOnStack,
    ProxyOnStack,
    CalledByNative,
    CalledByMethodHandle,
    /// The caller is a class that the JVM generated for a lambda or a method reference.
    CalledByLambdaClass,
    /// The lost method is an ordinary one, not the body of a lambda.
    IsNoLambdaBody,
    /// `hashCode`, `equals` or `toString` of a record is on the stack, with code that the JVM
    /// generated for it above.
    CalledByRecord,
    CalledByLibrary,
    CalledByApplication,
    /// The stack belongs to a thread that the program passes to `addShutdownHook`.
    InShutdownHook,
    /// The object was returned by this method of one of these classes or of a subtype.
    ReturnedBy(&'static [&'static str], &'static str),
    /// The constructor of the object's class ran under reflection.
    MadeByReflection,
    InMultiArray,
    NotOnClassPath,
    IsExcluded,
    ExtendsExcluded,
    ChildWithoutInitialiser,
    IsLambdaBody,
    IsDefaultMethod,
    IsBridge,
    ImplementsIndirectly,
    ImplementsThroughSuperclass,
}

impl Clue {
    pub fn holds(&self, scene: &Scene<'_>) -> bool {
        let lost = &scene.lost.method;
        match self {
            Clue::LostNamed(names) => names.contains(&lost.name()),
            Clue::OnStack(class, method) => scene.callers().iter().any(|frame| is(&frame.method, class, method)),
            Clue::BottomIs(class, method) => scene.bottom().is_some_and(|bottom| is(bottom, class, method)),
            Clue::BottomNamed(name) => scene.bottom().is_some_and(|bottom| bottom.name() == *name),
            Clue::IsBottom => scene.callers().is_empty(),
            Clue::PrintedOnStack => scene.callers().iter().any(|frame| is_print(&frame.method)),
            Clue::ProxyOnStack => scene.callers().iter().any(|frame| is_proxy(frame.method.class())),
            Clue::CalledByNative => scene.caller().is_some_and(|caller| caller.at.is_none()),
            Clue::CalledByMethodHandle => scene.real_caller_is_behind_handle(),
            Clue::CalledByLambdaClass => scene.caller().is_some_and(|caller| is_lambda_class(caller.method.class())),
            Clue::CalledByRecord => scene.is_called_by_record(),
            Clue::CalledByLibrary => scene.caller_is_of_application() == Some(false),
            Clue::CalledByApplication => scene.caller_is_of_application() == Some(true),
            Clue::InShutdownHook => scene.is_in_shutdown_hook(),
            Clue::ReturnedBy(classes, name) => scene.was_returned_by(classes, name),
            Clue::MadeByReflection => scene.was_made_by_reflection(),
            Clue::InMultiArray => scene.is_in_multi_array(),
            Clue::NotOnClassPath => !scene.classes.is_of_application(lost.class()),
            Clue::IsExcluded => scene.is_excluded(lost.class()),
            Clue::ExtendsExcluded => {
                scene.classes.superclasses(lost.class()).iter().any(|class| scene.is_excluded(class))
            }
            Clue::ChildWithoutInitialiser => scene.has_child_without_initialiser(),
            Clue::IsLambdaBody => lost.name().starts_with("lambda$"),
            Clue::IsNoLambdaBody => !lost.name().starts_with("lambda$"),
            Clue::IsDefaultMethod => scene.is_default_method(),
            Clue::IsBridge => scene.has_access(access::BRIDGE),
            Clue::ImplementsIndirectly => scene.implements(Way::Indirectly),
            Clue::ImplementsThroughSuperclass => scene.implements(Way::ThroughSuperclass),
        }
    }
}

/// The way in which a class inherits an interface that it does not declare itself.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Indirectly,
    ThroughSuperclass,
}

impl Scene<'_> {
    /// The stack below the lost method, the caller first.
    fn callers(&self) -> &[Frame] {
        self.lost.stack.get(1..).unwrap_or_default()
    }

    fn caller(&self) -> Option<&Frame> {
        self.callers().first()
    }

    fn bottom(&self) -> Option<&MethodName> {
        self.lost.stack.last().map(|frame| &frame.method)
    }

    fn caller_is_of_application(&self) -> Option<bool> {
        let real = self.callers().iter().find(|frame| !is_made_up(frame.method.class()));
        real.map(|frame| self.classes.is_of_application(frame.method.class()))
    }

    /// Returns whether the frames between the lost method and its real caller are those of method
    /// handles, without a lambda among them.
    fn real_caller_is_behind_handle(&self) -> bool {
        let made_up: Vec<_> = self.callers().iter().take_while(|frame| is_made_up(frame.method.class())).collect();
        made_up.iter().any(|frame| is_of_method_handles(frame.method.class()))
            && !made_up.iter().any(|frame| is_lambda_class(frame.method.class()))
    }

    fn is_called_by_record(&self) -> bool {
        let made_for = |pair: &[Frame]| {
            let [above, below] = pair else { return false };
            let superclass = self.classes.class(below.method.class()).and_then(|class| class.superclass.clone());
            is_of_method_handles(above.method.class()) && superclass.is_some_and(|name| name == "java/lang/Record")
        };
        self.callers().windows(2).any(made_for)
    }

    /// Returns whether the lost method runs in a shutdown hook. A hook is a thread; its method is
    /// at the bottom of the stack or called by `Thread.run`. Once hooks run, the main thread enters
    /// nothing new.
    fn is_in_shutdown_hook(&self) -> bool {
        let later = self.trace.entries.iter().skip_while(|entry| entry.method != self.lost.method);
        let is_of_main = |entry: &Entry| entry.stack.last().is_some_and(|frame| frame.method.name() == "main");
        if later.skip(1).any(is_of_main) {
            return false;
        }
        let registers = |class: &&Arc<Class>| {
            classes::called(class).any(|called| called.owner == "java/lang/Runtime" && called.name == "addShutdownHook")
        };
        self.loaded().iter().any(registers)
    }

    /// The classes of the program that ran, according to the trace.
    fn loaded(&self) -> Vec<&Arc<Class>> {
        let names: BTreeSet<&str> = self.trace.methods().map(MethodName::class).collect();
        names.into_iter().filter_map(|name| self.classes.class(name)).collect()
    }

    fn was_returned_by(&self, owners: &[&str], name: &str) -> bool {
        let Some(object) = self.lost.object else { return false };
        let is_below =
            |class: &str| self.classes.supertypes(class).iter().any(|above| owners.contains(&above.as_str()));
        let mut returned = self.trace.returned.iter().filter(|returned| returned.object == object);
        returned.any(|returned| returned.by.name() == name && is_below(returned.by.class()))
    }

    fn was_made_by_reflection(&self) -> bool {
        let class = self.lost.method.class();
        let is_below = |made: &str| made == class || self.classes.supertypes(made).iter().any(|above| above == class);
        let is_reflection = |frame: &Frame| {
            is(&frame.method, "java/lang/reflect/Constructor", "newInstance")
                || is(&frame.method, "java/lang/Class", "newInstance")
        };
        let is_instance = !self.has_access(access::STATIC) && !self.lost.method.name().starts_with('<');
        let mut made = self.trace.entries.iter().filter(|entry| entry.method.name() == "<init>");
        is_instance && made.any(|entry| is_below(entry.method.class()) && entry.stack.iter().skip(1).any(is_reflection))
    }

    fn is_in_multi_array(&self) -> bool {
        let supertypes = self.classes.supertypes(self.lost.method.class());
        let holds = |descriptor: String| {
            let element = descriptor.trim_start_matches('[').strip_prefix('L').and_then(|name| name.strip_suffix(';'));
            element.is_some_and(|element| supertypes.iter().any(|above| above == element))
        };
        let is_instance = !self.has_access(access::STATIC) && !self.lost.method.name().starts_with('<');
        is_instance && self.loaded().iter().any(|class| classes::multi_arrays(class).any(holds))
    }

    fn is_excluded(&self, class: &str) -> bool {
        self.excluded.is_match(class)
    }

    fn has_child_without_initialiser(&self) -> bool {
        let class = self.lost.method.class();
        let is_child = |child: &&Arc<Class>| {
            let above = self.classes.superclasses(&child.name.as_str());
            let between = above.iter().take_while(|above| *above != class);
            above.iter().any(|above| above == class)
                && [child.name.as_str().into_owned()].iter().chain(between).all(|class| !self.has_initialiser(class))
        };
        self.loaded().iter().any(is_child)
    }

    fn has_initialiser(&self, class: &str) -> bool {
        self.classes.method(class, "<clinit>", "()V").is_some()
    }

    fn is_default_method(&self) -> bool {
        let is_interface = self.classes.class(self.lost.method.class()).is_some_and(|class| class.is_interface());
        is_interface && !self.has_access(access::STATIC) && !self.has_access(access::PRIVATE)
    }

    fn has_access(&self, flag: u16) -> bool {
        let MethodParts { class, name, descriptor } = parts(&self.lost.method);
        self.classes.method(class, name, descriptor).is_some_and(|method| method.access & flag != 0)
    }

    /// Returns whether the lost method implements a method of an interface that its class inherits
    /// only in this way.
    fn implements(&self, way: Way) -> bool {
        let MethodParts { class, name, descriptor } = parts(&self.lost.method);
        let own: Vec<String> = self
            .classes
            .class(class)
            .map_or(Vec::new(), |class| class.interfaces.iter().map(|name| name.as_str().into_owned()).collect());
        let declared = self.classes.declared_interfaces(class);
        let all = self.classes.supertypes(class);
        let is_interface = |name: &&String| self.classes.class(name).is_some_and(|class| class.is_interface());
        // A method with code in an interface does not implement one of another class.
        let above_it = all.iter().filter(|above| *above != class).filter(is_interface);
        above_it.filter(|above| self.classes.method(above, name, descriptor).is_some()).any(|above| match way {
            Way::Indirectly => !declared.contains(above),
            Way::ThroughSuperclass => declared.contains(above) && !own.contains(above),
        })
    }
}

struct MethodParts<'a> {
    class: &'a str,
    name: &'a str,
    descriptor: &'a str,
}

fn parts(method: &MethodName) -> MethodParts<'_> {
    MethodParts { class: method.class(), name: method.name(), descriptor: method.descriptor() }
}

/// Returns whether a method belongs to the class, or to one nested in it, and has this name prefix.
fn is(method: &MethodName, class: &str, name: &str) -> bool {
    let rest = method.class().strip_prefix(class);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('$')) && method.name().starts_with(name)
}

fn is_print(method: &MethodName) -> bool {
    let prints = ["java/io/PrintStream", "java/io/PrintWriter"].contains(&method.class());
    prints && ["print", "println", "printf", "format"].contains(&method.name())
}

/// Returns whether a class is a proxy, such as `$Proxy7`, in any package.
fn is_proxy(class: &str) -> bool {
    let simple = class.rsplit('/').next().unwrap_or(class);
    simple.strip_prefix("$Proxy").is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_lambda_class(class: &str) -> bool {
    class.contains("$$Lambda")
}

fn is_of_method_handles(class: &str) -> bool {
    class.starts_with("java/lang/invoke/")
}

/// Returns whether a class is generated code between two methods.
fn is_made_up(class: &str) -> bool {
    is_lambda_class(class) || is_of_method_handles(class) || is_proxy(class)
}
