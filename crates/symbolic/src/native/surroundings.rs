//! Questions of a program about its surroundings: the time, the computer, its settings, and the hash
//! codes that a JVM makes up. The answers are the same on every path here, and others elsewhere.

use crate::frame::Frame;
use crate::input::Restriction;
use crate::machine::Machine;
use crate::method::Method;
use crate::state::State;
use lapidary_jvm::FieldType;
use std::rc::Rc;

/// Methods that ask for something outside the program, by class.
const QUESTIONS: &[(&str, &[&str])] = &[
    ("java/lang/System", &["getenv", "getProperty", "getProperties", "lineSeparator"]),
    ("java/lang/Runtime", &["availableProcessors", "maxMemory", "totalMemory", "freeMemory"]),
    ("java/lang/Thread", &["getName", "getId", "threadId", "getPriority", "isDaemon", "getThreadGroup"]),
    ("java/util/Locale", &["getDefault"]),
    ("java/util/TimeZone", &["getDefault"]),
    ("java/nio/charset/Charset", &["defaultCharset"]),
];

/// Methods that change the surroundings for later calls, by class, and what they change.
const CHANGES: &[(&str, &[&str], &str)] = &[
    ("java/lang/System", &["setProperty", "clearProperty", "setProperties"], "the system properties"),
    ("java/lang/Thread", &["setName", "setPriority", "setDaemon", "setContextClassLoader"], "the thread"),
    ("java/lang/ThreadLocal", &["set", "remove"], "variables of the thread"),
    ("java/util/TimeZone", &["setDefault"], "the default time zone"),
];

/// Methods that return the time. It counts even if the library asks for it while it initialises
/// itself, for example to seed random numbers.
const TIME: [&str; 2] = ["currentTimeMillis", "nanoTime"];

/// The class of `List.of`, `Set.of` and `Map.of`. It reads the time once, and only the orders of
/// sets and maps depend on it.
const IMMUTABLE: &str = "java/util/ImmutableCollections";

/// Methods of `Formatter` whose result depends on a locale.
const LOCALISED: [&str; 3] = ["localizedMagnitude", "toUpperCaseWithLocale", "localizedMagnitudeExp"];

/// Classes that put objects into an order by their hash codes.
const TABLES: [&str; 5] = [
    "java/util/HashMap",
    "java/util/Hashtable",
    "java/util/IdentityHashMap",
    "java/util/WeakHashMap",
    "java/util/concurrent/ConcurrentHashMap",
];

/// Methods of a table or of its iterators that show the order.
const SHOW_ORDER: [&str; 11] = [
    "next",
    "nextNode",
    "nextEntry",
    "nextElement",
    "advance",
    "tryAdvance",
    "forEach",
    "forEachRemaining",
    "toArray",
    "keysToArray",
    "valuesToArray",
];

impl Machine {
    /// Records that the program asks for something that is the same on every path here but may
    /// differ elsewhere.
    pub(crate) fn note_surroundings(&mut self, state: &State, method: &Method) {
        if !method.class_name.as_bytes().starts_with(b"java/") {
            return;
        }
        let (class, name) = (method.class_name.as_str(), method.name.as_str());
        match (&*class, &*name) {
            ("java/lang/System", name) if TIME.contains(&name) => {
                if state.frame.as_ref().is_none_or(|frame| frame.method.class_name != IMMUTABLE) {
                    self.add_surrounding(method);
                }
            }
            ("java/lang/Object", "hashCode") | ("java/lang/System", "identityHashCode") => {
                self.note_identity(state, method);
            }
            (class, name) if class.starts_with("java/util/") && SHOW_ORDER.contains(&name) => {
                self.note_shown_order(class);
            }
            (class, _) if class.starts_with("java/util/Formatter") => {
                if is_localised(method) && asks_default_locale(self.question(state)) {
                    self.surroundings.insert("java.util.Locale.getDefault".into());
                }
            }
            (class, name) => {
                let changed = CHANGES.iter().find(|(of, names, _)| *of == class && names.contains(&name));
                if let Some((.., changed)) = changed.filter(|_| self.hook.is_some() && self.question(state).is_some()) {
                    self.restrictions.insert(Restriction::LeftState((*changed).to_owned()));
                }
                let asked = QUESTIONS.iter().find(|(asked, _)| *asked == class);
                if asked.is_some_and(|(_, names)| names.contains(&name))
                    && !is_asked_by_formatter(state)
                    && self.question(state).is_some()
                {
                    self.add_surrounding(method);
                }
            }
        }
    }

    fn note_shown_order(&mut self, class: &str) {
        self.goes_through_hashes |= class == "java/util/HashMap$HashIterator";
        if is_salted(class) {
            self.surroundings.insert("java.lang.System.nanoTime".into());
        } else if is_table(class) {
            self.shows_hash_order = true;
            self.note_order();
        }
    }

    fn add_surrounding(&mut self, method: &Method) {
        self.surroundings.insert(method.to_string());
    }

    /// The call by which the program asks a question: the outermost of the library's calls above
    /// those of the program, or the program's own frame if it asks directly. `None` if the library
    /// asks while it initialises itself or while an input is made.
    fn question<'a>(&self, state: &'a State) -> Option<&'a Rc<Frame>> {
        let mut outermost = None;
        for frame in frames(state) {
            let class = frame.method.class_name.as_str();
            if class.starts_with("lapidary/Given$") || frame.method.name == "<clinit>" && !self.is_of_program(&class) {
                return None;
            }
            if self.is_of_program(&class) {
                return Some(outermost.unwrap_or(frame));
            }
            outermost = Some(frame);
        }
        None
    }

    /// Whether a class is one of the program, or was generated for a call site in one.
    fn is_of_program(&self, class: &str) -> bool {
        let owner = class.split("$$").next().unwrap_or(class);
        !owner.starts_with("lapidary/") && self.is_own(self.world.hierarchy.id(&owner.into()))
    }

    /// Records the use of a hash code that the JVM makes up. In a table it matters only once the
    /// program sees the order of the table.
    fn note_identity(&mut self, state: &State, method: &Method) {
        let asking = frames(state).find(|frame| !is_hash_function(&frame.method));
        if asking.is_some_and(|frame| is_table(&frame.method.class_name.as_str())) {
            self.orders_by_identity = true;
            self.note_order();
        } else if self.question(state).is_some() {
            self.add_surrounding(method);
        }
    }

    fn note_order(&mut self) {
        if self.shows_hash_order && self.orders_by_identity {
            self.surroundings.insert("java.lang.Object.hashCode".into());
        }
    }
}

/// The calls in progress, innermost first.
fn frames(state: &State) -> impl Iterator<Item = &Rc<Frame>> {
    std::iter::successors(state.frame.as_ref(), |frame| frame.caller.as_ref())
}

fn is_table(class: &str) -> bool {
    TABLES.iter().any(|table| class.strip_prefix(table).is_some_and(|rest| rest.is_empty() || rest.starts_with('$')))
}

fn is_salted(class: &str) -> bool {
    let nested = class.strip_prefix(IMMUTABLE);
    nested.is_some_and(|nested| nested.starts_with("$Set") || nested.starts_with("$MapN"))
}

/// Whether a method does nothing but compute a hash code.
fn is_hash_function(method: &Method) -> bool {
    matches!(&*method.name.as_str(), "hashCode" | "hash" | "identityHashCode") && !is_table(&method.class_name.as_str())
}

/// Formatters read the default locale even if the format does not depend on it.
fn is_asked_by_formatter(state: &State) -> bool {
    let asks = |frame: &Rc<Frame>| {
        matches!(
            &*frame.method.class_name.as_str(),
            "java/util/Formatter" | "java/io/PrintStream" | "java/io/PrintWriter"
        )
    };
    state.frame.as_ref().is_some_and(asks)
}

fn is_localised(method: &Method) -> bool {
    let is_date = method.name == "print" && method.type_.parameters.iter().any(is_date_or_time);
    is_date || LOCALISED.contains(&&*method.name.as_str())
}

fn is_date_or_time(type_: &FieldType) -> bool {
    matches!(type_, FieldType::Object(name) if *name == "java/util/Calendar" || *name == "java/time/temporal/TemporalAccessor")
}

/// Whether the program calls a formatter without giving it a locale.
fn asks_default_locale(question: Option<&Rc<Frame>>) -> bool {
    let is_locale = |type_: &FieldType| matches!(type_, FieldType::Object(name) if *name == "java/util/Locale");
    question.is_some_and(|frame| !frame.method.type_.parameters.iter().any(is_locale))
}
