//! Families of methods that must have equal parameters because they override each other, or might.

use lapidary_classfile::{Text, access};
use lapidary_jvm::{ClassId, FieldType, Hierarchy, MethodId, MethodType};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The number of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FamilyId(usize);

/// All methods of one name and descriptor that are connected by overriding. A constructor is a
/// family of its own.
pub(crate) struct Family {
    /// The methods in the order of the program; never empty.
    pub members: Vec<MethodId>,
    pub parameters: Vec<FieldType>,
    result: Option<FieldType>,
    /// Whether each parameter can be removed.
    removable: Vec<bool>,
    /// Descriptors of library methods of the same name that some class inherits together with a
    /// member.
    library_overloads: BTreeSet<Text>,
    has_bridge: bool,
}

impl Family {
    pub fn removable_places(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.parameters.len()).filter(|place| self.removable[*place])
    }

    /// The descriptor without some parameters.
    pub fn descriptor(&self, gone: &[usize]) -> Text {
        let left = self.parameters.iter().enumerate().filter(|(place, _)| !gone.contains(place));
        let parameters = left.map(|(_, parameter)| parameter.clone()).collect();
        MethodType { parameters, result: self.result.clone() }.descriptor()
    }

    fn has(&self, parameter: &FieldType) -> bool {
        self.parameters.contains(parameter)
    }
}

/// A parameter by family and index.
pub(crate) type Parameter = (FamilyId, usize);

pub(crate) struct Families {
    families: Vec<Family>,
    by_method: HashMap<MethodId, FamilyId>,
    /// Families of the same name that some class inherits together.
    overloads: BTreeSet<(FamilyId, FamilyId)>,
}

impl Families {
    /// The families of a program. Those that take part in overriding library methods cannot lose
    /// parameters.
    pub fn of(hierarchy: &Hierarchy) -> Families {
        let mut gathering = Gathering::new(hierarchy);
        hierarchy.program().for_each(|class| gathering.class(class));
        gathering.finish()
    }

    pub fn get(&self, id: FamilyId) -> &Family {
        &self.families[id.0]
    }

    pub fn of_method(&self, method: MethodId) -> Option<FamilyId> {
        self.by_method.get(&method).copied()
    }

    pub fn iter(&self) -> impl Iterator<Item = (FamilyId, &Family)> {
        self.families.iter().enumerate().map(|(index, family)| (FamilyId(index), family))
    }

    /// Returns whether any parameter of the family can be removed.
    pub fn is_open(&self, id: FamilyId) -> bool {
        self.get(id).removable.contains(&true)
    }

    pub fn fix(&mut self, id: FamilyId) {
        self.families[id.0].removable.fill(false);
    }

    pub fn fix_parameter(&mut self, (id, place): Parameter) {
        self.families[id.0].removable[place] = false;
    }

    /// Fixes the parameters of overloads that differ only in their number. Also fixes the methods
    /// connected by a compiler's bridge, because the bridge is recognised by its parameters.
    pub fn fix_indistinct_overloads(&mut self) {
        for (one, other) in self.overloads.clone() {
            let bridged = self.get(one).has_bridge || self.get(other).has_bridge;
            if bridged || self.distinguishing(one, other).is_empty() {
                self.fix(one);
                self.fix(other);
            }
        }
        for id in (0..self.families.len()).map(FamilyId) {
            let family = self.get(id);
            let indistinct = |descriptor: &Text| {
                MethodType::parse(descriptor.as_bytes())
                    .map_or(true, |library| told_apart(family, &library.parameters) == Apart::Never)
            };
            if family.has_bridge || family.library_overloads.iter().any(indistinct) {
                self.fix(id);
            }
        }
    }

    /// For each pair of overloads, a clause of parameters, one of which must stay so that the two
    /// stay distinct.
    pub fn clauses(&self) -> Vec<Vec<Parameter>> {
        let mut clauses = Vec::new();
        for (one, other) in &self.overloads {
            clauses.push(self.distinguishing(*one, *other));
        }
        for (id, family) in self.iter() {
            for descriptor in &family.library_overloads {
                let library =
                    MethodType::parse(descriptor.as_bytes()).map(|library| told_apart(family, &library.parameters));
                if let Ok(Apart::By(places)) = library {
                    clauses.push(places.into_iter().map(|place| (id, place)).collect());
                }
            }
        }
        // A fixed parameter keeps the two apart for good.
        clauses.retain(|clause| clause.iter().all(|(id, place)| self.get(*id).removable[*place]));
        clauses.retain(|clause| !clause.is_empty());
        clauses
    }

    /// The parameters of two families whose types do not occur in the other one.
    fn distinguishing(&self, one: FamilyId, other: FamilyId) -> Vec<Parameter> {
        let own = |id: FamilyId, than: FamilyId| {
            let parameters = self.get(id).parameters.iter().enumerate();
            parameters.filter(move |(_, parameter)| !self.get(than).has(parameter)).map(move |(place, _)| (id, place))
        };
        own(one, other).chain(own(other, one)).collect()
    }
}

/// The reason why a family stays distinct from a library method.
#[derive(PartialEq, Eq)]
enum Apart {
    /// The library method has a type that no parameter of the family has.
    Always,
    /// At least one of these parameters is kept.
    By(Vec<usize>),
    Never,
}

fn told_apart(family: &Family, library: &[FieldType]) -> Apart {
    if library.iter().any(|parameter| !family.has(parameter)) {
        return Apart::Always;
    }
    let own = family.parameters.iter().enumerate().filter(|(_, parameter)| !library.contains(parameter));
    let places: Vec<usize> = own.map(|(place, _)| place).collect();
    if places.is_empty() { Apart::Never } else { Apart::By(places) }
}

/// Families under construction: methods by number, joined where a class inherits both.
struct Gathering<'a> {
    hierarchy: &'a Hierarchy,
    numbers: HashMap<MethodId, usize>,
    methods: Vec<MethodId>,
    /// A union-find forest: the root of each tree stands for the family.
    parents: Vec<usize>,
    fixed: Vec<bool>,
    overloads: BTreeSet<(usize, usize)>,
    library_overloads: BTreeSet<(usize, Text)>,
}

impl<'a> Gathering<'a> {
    fn new(hierarchy: &'a Hierarchy) -> Self {
        let methods = hierarchy.program().flat_map(|class| hierarchy.declared_methods(class));
        let methods: Vec<MethodId> = methods.filter(|method| hierarchy.method(*method).name != "<clinit>").collect();
        Gathering {
            hierarchy,
            numbers: methods.iter().enumerate().map(|(number, method)| (*method, number)).collect(),
            parents: (0..methods.len()).collect(),
            fixed: vec![false; methods.len()],
            methods,
            overloads: BTreeSet::new(),
            library_overloads: BTreeSet::new(),
        }
    }

    /// Joins the methods that a class declares or inherits under one signature, and records
    /// overloads.
    fn class(&mut self, class: ClassId) {
        let named = self.own_and_inherited(class);
        let hierarchy = self.hierarchy;
        let missing = hierarchy.missing_supertype(class).is_some();
        for (name, by_descriptor) in &named {
            let numbers: Vec<usize> = by_descriptor.values().copied().collect();
            for (place, one) in numbers.iter().enumerate() {
                self.fixed[*one] |= missing && *name != "<init>";
                self.overloads.extend(numbers[..place].iter().map(|other| (*one, *other)));
            }
        }
        let outside = hierarchy.all_supertypes(class).iter().filter(|above| !hierarchy.is_program(**above));
        for method in outside.flat_map(|above| hierarchy.declared_methods(*above)).map(|id| hierarchy.method(id)) {
            let seen = method.access & (access::PUBLIC | access::PROTECTED) != 0 && method.name != "<init>";
            let Some(same_name) = named.get(&method.name).filter(|_| seen) else { continue };
            for (descriptor, number) in same_name {
                match **descriptor == method.descriptor {
                    true => self.fixed[*number] = true,
                    false => _ = self.library_overloads.insert((*number, method.descriptor.clone())),
                }
            }
        }
    }

    /// The methods of the program in a class or its supertypes, by name and descriptor. Those of
    /// one signature are joined.
    fn own_and_inherited(&mut self, class: ClassId) -> BTreeMap<&'a Text, BTreeMap<&'a Text, usize>> {
        let hierarchy = self.hierarchy;
        let mut named: BTreeMap<&Text, BTreeMap<&Text, usize>> = BTreeMap::new();
        let above = hierarchy.all_supertypes(class).iter().filter(|above| hierarchy.is_program(**above));
        for id in above.flat_map(|above| hierarchy.declared_methods(*above)) {
            let method = hierarchy.method(id);
            let Some(number) = self.numbers.get(&id).copied() else { continue };
            if method.name == "<init>" && id.class != class {
                continue;
            }
            match named.entry(&method.name).or_default().entry(&method.descriptor) {
                std::collections::btree_map::Entry::Vacant(place) => _ = place.insert(number),
                std::collections::btree_map::Entry::Occupied(place) => self.join(*place.get(), number),
            }
        }
        named
    }

    fn root(&mut self, mut number: usize) -> usize {
        while self.parents[number] != number {
            self.parents[number] = self.parents[self.parents[number]];
            number = self.parents[number];
        }
        number
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.parents[one.max(other)] = one.min(other);
    }

    fn finish(mut self) -> Families {
        let mut ids: HashMap<usize, FamilyId> = HashMap::new();
        let mut result = Families { families: Vec::new(), by_method: HashMap::new(), overloads: BTreeSet::new() };
        for number in 0..self.methods.len() {
            let (root, method) = (self.root(number), self.methods[number]);
            let id = *ids.entry(root).or_insert_with(|| {
                result.families.push(family(self.hierarchy, method));
                FamilyId(result.families.len() - 1)
            });
            result.by_method.insert(method, id);
            let family = &mut result.families[id.0];
            family.members.push(method);
            family.has_bridge |= self.hierarchy.method(method).access & access::BRIDGE != 0;
            if self.fixed[number] {
                family.removable.fill(false);
            }
        }
        for (one, other) in std::mem::take(&mut self.overloads) {
            let (one, other) = (ids[&self.root(one)], ids[&self.root(other)]);
            result.overloads.insert((one.min(other), one.max(other)));
        }
        for (number, descriptor) in std::mem::take(&mut self.library_overloads) {
            let id = ids[&self.root(number)];
            result.families[id.0].library_overloads.insert(descriptor);
        }
        result
    }
}

/// A family without members. If the descriptor is malformed, nothing can be removed.
fn family(hierarchy: &Hierarchy, first: MethodId) -> Family {
    let parsed = MethodType::parse(hierarchy.method(first).descriptor.as_bytes());
    let MethodType { parameters, result } = parsed.unwrap_or(MethodType { parameters: Vec::new(), result: None });
    Family {
        members: Vec::new(),
        removable: vec![true; parameters.len()],
        parameters,
        result,
        library_overloads: BTreeSet::new(),
        has_bridge: false,
    }
}
