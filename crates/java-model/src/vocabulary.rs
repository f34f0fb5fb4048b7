//! The optional parts of a program, and the variable of each.
//!
//! The variables of a class are consecutive, with the class itself first. Therefore the kept parts
//! of a class are a slice of the set.

use crate::label;
use crate::program::Program;
use crate::statements::{Change, Statements};
use lapidary_classfile::{Attribute, Attributed, Class, Field, Method, Position, Text, access};
use lapidary_logic::Var;
use lapidary_reduce::Item;
use std::ops::Range;

/// The kind of the item that is the code of a method.
pub const CODE: &str = "code";

/// The variables of one class.
pub(crate) struct ClassVars {
    pub class: Var,
    /// All variables of the class and its parts.
    pub own: Range<usize>,
    /// `None` if the superclass is `Object`, or there is none.
    pub extends: Option<Var>,
    pub implements: Vec<Var>,
    pub signature: Option<Var>,
    pub annotations: Annotations,
    /// Names of files, line numbers and deprecation marks, which only people read.
    pub debug: Option<Var>,
    pub sealed: Option<Var>,
    pub record: Option<Var>,
    /// Attributes that the specification does not define, by index.
    pub others: Vec<(usize, Var)>,
    pub fields: Vec<FieldVars>,
    pub methods: Vec<MethodVars>,
}

pub(crate) struct FieldVars {
    pub field: Var,
    /// The final flag, if it can be cleared.
    pub fixed: Option<Var>,
    pub signature: Option<Var>,
    pub annotations: Annotations,
}

pub(crate) struct MethodVars {
    pub method: Var,
    /// `None` for abstract and native methods. A class initialiser is one item with its code.
    pub code: Option<Var>,
    pub throws: Vec<Var>,
    pub signature: Option<Var>,
    pub annotations: Annotations,
    /// The default value of an annotation's element.
    pub default: Option<Var>,
    /// Names and types of local variables and parameters.
    pub locals: Option<Var>,
    /// The pieces of the body, if the model goes below bodies.
    pub statements: Option<Statements>,
    /// The variables of the pieces.
    pub pieces: Vec<Var>,
}

impl MethodVars {
    /// The item that an instruction belongs to.
    pub fn owner(&self, at: Position) -> Option<Var> {
        let piece = self.statements.as_ref().and_then(|statements| statements.owner(at));
        piece.map(|piece| self.pieces[piece]).or(self.code)
    }

    /// The item of an exception handler.
    pub fn handler(&self, index: usize) -> Option<Var> {
        let statements = self.statements.as_ref();
        let piece = statements.and_then(|statements| statements.handler(index));
        self.piece(piece)
    }

    /// The variable of a piece; without a piece, that of the whole body.
    pub fn piece(&self, piece: Option<usize>) -> Option<Var> {
        piece.map(|piece| self.pieces[piece]).or(self.code)
    }
}

/// The annotations on one declaration.
#[derive(Default)]
pub(crate) struct Annotations {
    /// One variable each, in the order of [`Attributed::annotations`].
    pub each: Vec<Var>,
    /// One variable for all annotations on parameters and on uses of types.
    pub finer: Option<Var>,
}

pub(crate) struct Vocabulary {
    pub items: Vec<Item>,
    pub classes: Vec<ClassVars>,
    /// Files that are not analysed as classes, in the order of their indices.
    pub resources: Vec<Var>,
}

impl Vocabulary {
    /// Builds the items of a program. `statements` splits bodies into pieces.
    pub fn of(program: &Program, statements: &dyn Fn(&Class, &Method) -> Option<Statements>) -> Vocabulary {
        let mut words = Vocabulary { items: Vec::new(), classes: Vec::new(), resources: Vec::new() };
        for class in program.classes() {
            let vars = words.class(class, statements);
            words.classes.push(vars);
        }
        for (path, entry) in program.resources() {
            let resource = words.item(Item::new(label::resource(path), "resource").costing(entry.bytes()));
            words.resources.push(resource);
        }
        words
    }

    fn item(&mut self, item: Item) -> Var {
        self.items.push(item);
        Var::new(self.items.len() - 1)
    }

    fn class(&mut self, class: &Class, statements: &dyn Fn(&Class, &Method) -> Option<Statements>) -> ClassVars {
        let start = self.items.len();
        let var = self.item(Item::new(label::class(class), "class").costing(40));
        let extends = class.superclass.as_ref().filter(|name| **name != "java/lang/Object" && !class.is_interface());
        let extends = extends.map(|name| self.part(var, "extends", label::supertype(class, name), 4));
        let implements = class
            .interfaces
            .iter()
            .map(|name| self.part(var, "implements", label::supertype(class, name), 4))
            .collect();
        let name = label::class(class);
        let signature =
            class.signature().map(|text| self.part(var, "signature", format!("{name}!signature"), size(text)));
        let annotations = self.annotations(var, &name, class);
        let debug = has_debug(class).then(|| self.part(var, "debug", format!("{name}!debug"), debug_cost(class)));
        let sealed = class.permitted_subclasses().map(|_| self.part(var, "sealed", format!("{name}!sealed"), 8));
        let record = class.record_components().map(|_| self.part(var, "record", format!("{name}!record"), 8));
        let others = self.others(var, &name, class);
        let fields = class.fields.iter().map(|field| self.field(var, class, field)).collect();
        let methods =
            class.methods.iter().map(|method| self.method(var, class, method, statements(class, method))).collect();
        ClassVars {
            class: var,
            own: start..self.items.len(),
            extends,
            implements,
            signature,
            annotations,
            debug,
            sealed,
            record,
            others,
            fields,
            methods,
        }
    }

    fn part(&mut self, parent: Var, kind: &'static str, label: String, cost: u64) -> Var {
        self.item(Item::new(label, kind).inside(parent).costing(cost))
    }

    fn others(&mut self, class: Var, name: &str, owner: &Class) -> Vec<(usize, Var)> {
        let unknown = owner.attributes.iter().enumerate().filter_map(|(index, attribute)| match attribute {
            Attribute::Unknown { name, bytes } => Some((index, name, bytes.len())),
            _ => None,
        });
        unknown
            .map(|(index, what, size)| {
                (index, self.part(class, "attribute", format!("{name}!attribute({what})"), size as u64 + 6))
            })
            .collect()
    }

    fn field(&mut self, class: Var, owner: &Class, field: &Field) -> FieldVars {
        let name = label::field(owner, field);
        let var = self.part(class, "field", name.clone(), 8 + size(&field.name));
        // The fields of an interface must be final.
        let fixed = (field.access & access::FINAL != 0 && !owner.is_interface())
            .then(|| self.part(var, "final", format!("{name}!final"), 1));
        let signature =
            field.signature().map(|text| self.part(var, "signature", format!("{name}!signature"), size(text)));
        let annotations = self.annotations(var, &name, field);
        FieldVars { field: var, fixed, signature, annotations }
    }

    fn method(&mut self, class: Var, owner: &Class, method: &Method, statements: Option<Statements>) -> MethodVars {
        let name = label::method(owner, method);
        let var = self.part(class, "method", name.clone(), 12 + size(&method.descriptor));
        let code = method.code().map(|code| {
            let cost = 12 + 3 * code.instructions.len() as u64 + 8 * code.handlers.len() as u64;
            self.part(var, CODE, format!("{name}!code"), cost)
        });
        let throws = method
            .exceptions()
            .iter()
            .map(|thrown| self.part(var, "throws", format!("{name}!throws({thrown})"), 4))
            .collect();
        let signature =
            method.signature().map(|text| self.part(var, "signature", format!("{name}!signature"), size(text)));
        let annotations = self.annotations(var, &name, method);
        let default = method.attributes.iter().any(|attribute| matches!(attribute, Attribute::AnnotationDefault(_)));
        let default = default.then(|| self.part(var, "default", format!("{name}!default"), 9));
        let locals = has_locals(method).then(|| self.part(var, "locals", format!("{name}!locals"), 20));
        let pieces = match (&statements, code) {
            (Some(statements), Some(code)) => self.pieces(code, &name, statements),
            _ => Vec::new(),
        };
        MethodVars { method: var, code, throws, signature, annotations, default, locals, statements, pieces }
    }

    /// Adds the items of pieces. A branch is inside the choice that remains when it is removed; any
    /// other piece is inside the piece around it.
    fn pieces(&mut self, code: Var, name: &str, statements: &Statements) -> Vec<Var> {
        let start = self.items.len();
        let var = |piece: usize| Var::new(start + piece);
        for (index, piece) in statements.pieces.iter().enumerate() {
            let around = match piece.change {
                Change::FallThrough => piece.parent.and_then(|branch| statements.pieces[branch].parent).map(var),
                _ => statements.choice(index).or(piece.parent).map(var),
            };
            let (kind, mark) = piece_names(&piece.change);
            let label = format!("{name}@{}-{}{mark}", piece.range.start, piece.range.end);
            let cost = 2 * u64::from(piece.range.end - piece.range.start);
            self.part(around.unwrap_or(code), kind, label, cost);
        }
        (0..statements.pieces.len()).map(var).collect()
    }

    fn annotations(&mut self, parent: Var, name: &str, owner: &impl Attributed) -> Annotations {
        let each: Vec<String> =
            owner.annotations().map(|annotation| format!("{name}!annotation({})", annotation.descriptor)).collect();
        let each = each.into_iter().map(|label| self.part(parent, "annotation", label, 12)).collect();
        let finer = owner.attributes().iter().any(is_finer_annotation);
        let finer = finer.then(|| self.part(parent, "annotation", format!("{name}!annotation(*)"), 12));
        Annotations { each, finer }
    }
}

fn piece_names(change: &Change) -> (&'static str, String) {
    match change {
        Change::Run(_) => ("statement", String::new()),
        Change::Branch { .. } => ("branch", "?".to_owned()),
        Change::FallThrough => ("branch", "?else".to_owned()),
        Change::Value(_) => ("value", "=0".to_owned()),
        Change::Creation { .. } => ("value", "=null".to_owned()),
        Change::Case(case) => ("case", format!("#{case}")),
        Change::Handler(handler) => ("handler", format!("!handler{handler}")),
    }
}

/// Returns whether an attribute holds annotations on parameters or on uses of types.
pub(crate) fn is_finer_annotation(attribute: &Attribute) -> bool {
    matches!(
        attribute,
        Attribute::RuntimeVisibleParameterAnnotations(_)
            | Attribute::RuntimeInvisibleParameterAnnotations(_)
            | Attribute::RuntimeVisibleTypeAnnotations(_)
            | Attribute::RuntimeInvisibleTypeAnnotations(_)
    )
}

/// Returns whether only people read an attribute. Such attributes belong to the class's debug item.
pub(crate) fn is_debug(attribute: &Attribute) -> bool {
    matches!(
        attribute,
        Attribute::SourceFile(_)
            | Attribute::SourceDebugExtension(_)
            | Attribute::LineNumberTable(_)
            | Attribute::Deprecated
    )
}

/// Returns whether an attribute holds names and types of local variables and parameters.
pub(crate) fn is_locals(attribute: &Attribute) -> bool {
    matches!(
        attribute,
        Attribute::LocalVariableTable(_)
            | Attribute::LocalVariableTypeTable(_)
            | Attribute::MethodParameters(_)
            | Attribute::RuntimeVisibleTypeAnnotations(_)
            | Attribute::RuntimeInvisibleTypeAnnotations(_)
    )
}

fn has_debug(class: &Class) -> bool {
    let in_code = |method: &Method| method.code().is_some_and(|code| code.attributes.iter().any(is_debug));
    class.attributes.iter().any(is_debug)
        || class.fields.iter().any(|field| field.attributes.iter().any(is_debug))
        || class.methods.iter().any(|method| method.attributes.iter().any(is_debug) || in_code(method))
}

fn has_locals(method: &Method) -> bool {
    method.attributes.iter().any(|attribute| matches!(attribute, Attribute::MethodParameters(_)))
        || method.code().is_some_and(|code| code.attributes.iter().any(is_locals))
}

fn debug_cost(class: &Class) -> u64 {
    let lines = |attribute: &Attribute| match attribute {
        Attribute::LineNumberTable(lines) => 8 + 4 * lines.len() as u64,
        _ => 0,
    };
    let code = class.methods.iter().filter_map(Method::code);
    10 + code.flat_map(|code| &code.attributes).map(lines).sum::<u64>()
}

fn size(text: &Text) -> u64 {
    text.as_bytes().len() as u64
}
