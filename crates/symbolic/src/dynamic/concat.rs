//! String concatenation: generates a method that appends all parts to a `StringBuilder`.

use super::{
    Request,
    emit::{self, Emitter},
};
use lapidary_classfile::{Class, Constant, Instruction, InvokeOp, StackOp, Text, access};
use lapidary_jvm::{BaseType, FieldType};

const BUILDER: &str = "java/lang/StringBuilder";

/// One part of the resulting string.
enum Part {
    Text(Text),
    Argument,
}

pub(super) fn class(request: &Request<'_>, has_recipe: bool) -> Option<Class> {
    let parts = if has_recipe {
        recipe(request.arguments)?
    } else {
        request.type_.parameters.iter().map(|_| Part::Argument).collect()
    };
    let mut emitter = Emitter::new(request.type_.parameter_slots());
    begin(&mut emitter);
    let mut parameters = request.type_.parameters.iter();
    let mut place = 0;
    for part in parts {
        match part {
            Part::Text(text) => {
                emitter.push(Instruction::Ldc(Constant::String(text)));
                append(&mut emitter, &FieldType::Object("java/lang/String".into()));
            }
            Part::Argument => {
                let type_ = parameters.next()?;
                emitter.load(type_, place);
                place += type_.slots();
                append(&mut emitter, type_);
            }
        }
    }
    end(&mut emitter);
    let mut class = emit::class(format!("{}$$Concat${}", request.owner, request.number));
    class.methods.push(emitter.method(access::PUBLIC | access::STATIC, request.name, &request.type_));
    Some(class)
}

/// Parses the recipe, which is the first argument. In it, character 1 stands for an argument of the
/// call and character 2 for a constant.
fn recipe(arguments: &[Constant]) -> Option<Vec<Part>> {
    let [Constant::String(recipe), constants @ ..] = arguments else { return None };
    let mut constants = constants.iter();
    let mut parts = Vec::new();
    // Works on the bytes of the class file, because a string may contain an unpaired surrogate.
    for run in recipe.as_bytes().chunk_by(|one, next| *one > 2 && *next > 2) {
        parts.push(match run {
            [1] => Part::Argument,
            [2] => Part::Text(constant_text(constants.next()?)?),
            text => Part::Text(Text::from_bytes(text)),
        });
    }
    Some(parts)
}

fn constant_text(constant: &Constant) -> Option<Text> {
    match constant {
        Constant::String(text) => Some(text.clone()),
        Constant::Int(number) => Some(number.to_string().into()),
        Constant::Long(number) => Some(number.to_string().into()),
        _ => None,
    }
}

pub(super) fn begin(emitter: &mut Emitter) {
    emitter.push(Instruction::New(BUILDER.into()));
    emitter.push(Instruction::Stack(StackOp::Dup));
    emitter.invoke(InvokeOp::Special, BUILDER, "<init>", "()V");
}

pub(super) fn append(emitter: &mut Emitter, type_: &FieldType) {
    let parameter = match type_ {
        FieldType::Base(BaseType::Byte | BaseType::Short) => "I".to_owned(),
        FieldType::Base(base) => (base.letter() as char).to_string(),
        FieldType::Object(name) if *name == "java/lang/String" => "Ljava/lang/String;".to_owned(),
        _ => "Ljava/lang/Object;".to_owned(),
    };
    emitter.invoke(InvokeOp::Virtual, BUILDER, "append", &format!("({parameter})L{BUILDER};"));
}

pub(super) fn end(emitter: &mut Emitter) {
    emitter.invoke(InvokeOp::Virtual, BUILDER, "toString", "()Ljava/lang/String;");
    emitter.return_(Some(&FieldType::Object("java/lang/String".into())));
}
