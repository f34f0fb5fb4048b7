//! The declaration of a module.

use super::annotations;
use super::constants::escaped;
use super::paper::Paper;
use super::types::class_name;
use lapidary_classfile::{Attribute, Class, Module, ModuleExports, Text, access};

/// Writes the class if it declares a module. Returns whether it does.
pub(super) fn write(class: &Class, paper: &mut Paper) -> bool {
    let module = class.attributes.iter().find_map(|attribute| match attribute {
        Attribute::Module(module) => Some(module),
        _ => None,
    });
    let Some(module) = module else { return false };
    annotations::write(class, "", paper);
    let open = if module.access & access::OPEN != 0 { "open " } else { "" };
    paper.line(&format!("{open}module {} {{", escaped(&module.name, None)));
    requires(module, paper);
    packages("exports", &module.exports, paper);
    packages("opens", &module.opens, paper);
    for service in &module.uses {
        paper.line(&format!("  uses {};", class_name(service)));
    }
    for provided in &module.provides {
        paper.word(&format!("  provides {}", class_name(&provided.service)));
        paper.list(" with ", ", ", provided.with.iter().map(class_name));
        paper.line(";");
    }
    paper.line("}");
    true
}

fn requires(module: &Module, paper: &mut Paper) {
    for required in &module.requires {
        let word = |bit: u16, word: &'static str| if required.access & bit != 0 { word } else { "" };
        let words = [word(access::TRANSITIVE, "transitive "), word(access::STATIC_PHASE, "static ")].concat();
        paper.line(&format!("  requires {words}{};", escaped(&required.module, None)));
    }
}

fn packages(word: &str, of: &[ModuleExports], paper: &mut Paper) {
    for package in of {
        if paper.is_full() {
            return;
        }
        paper.word(&format!("  {word} {}", class_name(&package.package)));
        paper.list(" to ", ", ", package.to.iter().map(|name: &Text| escaped(name, None)));
        paper.line(";");
    }
}
