//! Objects that a path hands to its caller, whose methods differ between the versions. The caller
//! can call these methods later, and a comparison of the path does not.

use crate::changes::Changes;
use crate::matching::End;
use crate::versions::{Side, VersionPair};
use lapidary_classfile::{Class, Instruction, MemberRef, Method, Text, access};
use lapidary_jvm::{ClassId, Hierarchy};
use lapidary_symbolic::{Ending, Machine, Nature, ProgramCode, Ref, Restriction, State, Value};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The changed methods that objects of each class may run, as far as they have been asked for.
pub(crate) struct ChangedBehaviour {
    changes: Changes,
    /// The compared method: its class, name and descriptor. Every call of it is compared.
    entry: (Text, Text, Text),
    /// The code of each version, once it was needed.
    code: [Option<ProgramCode>; 2],
    known: HashMap<(Side, String), Option<Restriction>>,
}

impl ChangedBehaviour {
    pub fn new(changes: Changes, entry: (Text, Text, Text)) -> ChangedBehaviour {
        ChangedBehaviour { changes, entry, code: [None, None], known: HashMap::new() }
    }

    /// Whether a class takes different locks in the two versions.
    pub fn has_other_locks(&self) -> bool {
        self.changes.classes.iter().any(|change| change.has_other_locks)
    }

    /// The restriction for objects of a class, if some of their methods differ. `body` is what such
    /// an object runs if it is a lambda.
    fn of_class(&mut self, side: Side, machine: &Machine, class: &str, body: Option<&Start>) -> Option<Restriction> {
        let key = (side, class.to_owned());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let methods: Vec<String> = self.changed_methods(side, machine, class, body).into_iter().collect();
        let shown = class.split("$$Lambda").next().unwrap_or(class);
        let class = if shown == class { format!("the {class}") } else { format!("the lambda of {shown}") };
        let found = (!methods.is_empty()).then_some(Restriction::Behaviour { class, methods });
        self.known.insert(key, found.clone());
        found
    }

    /// The changed methods of a class of the new version that override others: code that knows only
    /// the supertypes calls them. Methods that the old version has, too, are found there.
    fn overriding(&self, machine: &Machine, class: &Text) -> BTreeSet<String> {
        let hierarchy = &machine.world.hierarchy;
        let mut found = BTreeSet::new();
        for above in supertypes(hierarchy, hierarchy.id(class)) {
            let name = hierarchy.name(above).as_str();
            let Some(read) = hierarchy.class(above) else { continue };
            let is_changed = |method: &&Method| self.changes.is_changed(&name, &method.name, &method.descriptor);
            let changed = read.methods.iter().filter(|method| is_callable(method)).filter(is_changed);
            let overriding = changed.filter(|method| overrides(hierarchy, above, method));
            found.extend(overriding.map(|method| readable(&method.name)));
        }
        found
    }

    fn changed_methods(
        &mut self,
        side: Side,
        machine: &Machine,
        class: &str,
        body: Option<&Start>,
    ) -> BTreeSet<String> {
        let inherited;
        let start = match (body, side) {
            (Some(body), _) => body,
            (None, Side::New) => return self.overriding(machine, &internal(class)),
            (None, Side::Old) => {
                inherited = Start::inherited(machine, &internal(class));
                &inherited
            }
        };
        let code = self.code[side as usize].get_or_insert_with(|| {
            let hierarchy = &machine.world.hierarchy;
            ProgramCode::of(hierarchy.class_path())
        });
        let (changes, entry) = (&self.changes, &self.entry);
        let mut found = BTreeSet::new();
        code.visit(
            |class, method| start.includes(class, method),
            |class, method| {
                let is_entry = (&class.name, &method.name, &method.descriptor) == (&entry.0, &entry.1, &entry.2);
                let is_changed = changes.is_changed(&class.name.as_str(), &method.name, &method.descriptor)
                    || changes.is_one_sided(&class.name.as_str());
                if is_changed && !is_entry && method.name != "<clinit>" {
                    found.insert(readable(&method.name));
                }
                !is_entry && !is_changed
            },
        );
        found
    }
}

fn is_callable(method: &Method) -> bool {
    method.access & (access::STATIC | access::PRIVATE) == 0 && !method.name.as_str().starts_with('<')
}

/// Whether a supertype of a class declares a method that this one overrides.
fn overrides(hierarchy: &Hierarchy, class: ClassId, method: &Method) -> bool {
    let declares = |above: ClassId| {
        let methods = hierarchy.class(above).map_or(&[][..], |class| &class.methods);
        methods.iter().any(|inherited| {
            is_callable(inherited) && inherited.name == method.name && inherited.descriptor == method.descriptor
        })
    };
    supertypes(hierarchy, class).into_iter().filter(|above| *above != class).any(declares)
}

/// Returns a class and all its supertypes.
fn supertypes(hierarchy: &Hierarchy, class: ClassId) -> Vec<ClassId> {
    let mut found = vec![class];
    let mut next = 0;
    while let Some(class) = found.get(next).copied() {
        next += 1;
        let above: Vec<ClassId> = hierarchy.edges(class).map(|edge| edge.to).collect();
        above.into_iter().for_each(|above| {
            if !found.contains(&above) {
                found.push(above)
            }
        });
    }
    found
}

/// The name of a class as in class files.
fn internal(class: &str) -> Text {
    Text::from(class.replace('.', "/").as_str())
}

fn readable(method: &Text) -> String {
    match &*method.as_str() {
        name if name.starts_with("lambda$") => "the body".to_owned(),
        name => name.to_owned(),
    }
}

/// The methods that a caller can call on an object.
enum Start {
    /// Those of these classes, the class of the object and its supertypes.
    Inherited(Vec<Text>),
    /// The body of a lambda.
    Body(Vec<Arc<MemberRef>>),
}

impl Start {
    /// The body of a lambda, if this is the class of one. The machine must have made the class: one
    /// that was asked for it too early could not make it any more.
    fn body(machine: &Machine, class: &str) -> Option<Start> {
        let class = internal(class);
        if !class.as_str().contains("$$Lambda$") {
            return None;
        }
        let hierarchy = &machine.world.hierarchy;
        let methods = hierarchy.class(hierarchy.id(&class)).map_or(&[][..], |class| &class.methods);
        let code = methods.iter().filter_map(Method::code).flat_map(|code| &code.instructions);
        let called = code.filter_map(|instruction| match instruction {
            Instruction::Invoke(_, member) => Some(member.clone()),
            _ => None,
        });
        Some(Start::Body(called.collect()))
    }

    fn inherited(machine: &Machine, class: &Text) -> Start {
        let hierarchy = &machine.world.hierarchy;
        let above = supertypes(hierarchy, hierarchy.id(class));
        Start::Inherited(above.into_iter().map(|above| hierarchy.name(above).clone()).collect())
    }

    fn includes(&self, class: &Class, method: &Method) -> bool {
        match self {
            Start::Inherited(classes) => classes.contains(&class.name) && is_callable(method),
            Start::Body(called) => called.iter().any(|member| {
                member.owner == class.name && member.name == method.name && member.descriptor == method.descriptor
            }),
        }
    }
}

/// Adds a restriction for each class of objects that the caller gets from a path and whose methods
/// differ. Inputs do not count: the caller had them before.
pub(crate) fn note_carried(versions: &mut VersionPair, side: Side, end: &End) {
    let Some(mut behaviour) = versions.behaviour.take_if(|behaviour| !behaviour.changes.classes.is_empty()) else {
        return;
    };
    let lasting = versions.lasting_fields();
    let classes = classes_handed_out(versions.take(side), end, &lasting);
    let mut found = Vec::new();
    for class in &classes {
        found.extend(behaviour.changes.has_other_supertypes(class).then(|| Restriction::Supertypes(class.clone())));
        let body = Start::body(versions.take(side), class);
        for side in [Side::Old, Side::New] {
            found.extend(behaviour.of_class(side, versions.take(side), class, body.as_ref()));
        }
    }
    versions.take(side);
    versions.restrictions.extend(found);
    versions.behaviour = Some(behaviour);
}

/// The names of the program's classes whose objects a path has made and handed to its caller: in its
/// result, in the arguments, or in static state that later code can read.
fn classes_handed_out(machine: &mut Machine, end: &End, lasting: &BTreeSet<(Text, Text)>) -> BTreeSet<String> {
    let state = &end.state;
    let mut waiting: Vec<Ref> = state.arguments.iter().copied().filter_map(reference).collect();
    let left = lasting.iter().filter_map(|(class, field)| machine.static_value(state, class, field));
    waiting.extend(left.filter_map(reference));
    match &end.ending {
        Some(Ending::Returned(Some(result))) => waiting.extend(reference(*result)),
        Some(Ending::Threw(exception)) => waiting.push(*exception),
        _ => {}
    }
    let (mut seen, mut classes) = (BTreeSet::new(), BTreeSet::new());
    while let Some(object) = waiting.pop() {
        if !seen.insert(object.number()) {
            continue;
        }
        let held = state.heap.get(object);
        match held.elements() {
            // Arrays of numbers refer to nothing.
            Some(elements) if elements.base().is_some() => {}
            Some(elements) => waiting.extend((0..elements.len()).filter_map(|index| reference(elements.get(index)))),
            None => waiting.extend(held.fields().iter().copied().filter_map(reference)),
        }
        if held.elements().is_none() && !is_input(state, object) {
            let name = machine.name_of_type(held.type_);
            let id = machine.world.hierarchy.id(&internal(&name));
            if machine.is_own(id) {
                classes.insert(name);
            }
        }
    }
    classes
}

fn is_input(state: &State, object: Ref) -> bool {
    matches!(state.heap.get(object).nature(), Nature::Given(..)) || state.heap.parts.is_shared(object)
}

fn reference(value: Value) -> Option<Ref> {
    if let Value::Reference(object) = value { object } else { None }
}
