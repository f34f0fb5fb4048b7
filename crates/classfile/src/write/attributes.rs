//! Writing of attributes other than code.

use super::layout::Layout;
use super::{Output, Writer};
use crate::{
    Attribute, BootstrapMethod, EnclosingMethod, InnerClass, LineNumber, LocalVariable, MethodParameter,
    RecordComponent, WriteError,
};

impl<'c> Writer<'c> {
    pub fn attribute(&mut self, attribute: &'c Attribute, layout: Option<&Layout>) -> Result<(), WriteError> {
        match attribute {
            Attribute::Unknown { name, .. } => self.text(name)?,
            known => self.attribute_name(known.known_name())?,
        }
        let start = self.out.open();
        self.content(attribute, layout)?;
        self.out.close(start)
    }

    pub fn attribute_name(&mut self, name: &'static str) -> Result<(), WriteError> {
        let index = self.pool.utf8(name.as_bytes())?;
        self.out.u2(index);
        Ok(())
    }

    fn content(&mut self, attribute: &'c Attribute, layout: Option<&Layout>) -> Result<(), WriteError> {
        match attribute {
            Attribute::Synthetic | Attribute::Deprecated => Ok(()),
            Attribute::Unknown { bytes, .. } => {
                self.out.bytes(bytes);
                Ok(())
            }
            Attribute::SourceDebugExtension(bytes) => {
                self.out.bytes(bytes);
                Ok(())
            }
            Attribute::Signature(text) | Attribute::SourceFile(text) => self.text(text),
            Attribute::ModuleMainClass(name) | Attribute::NestHost(name) => self.class_ref(name),
            Attribute::Exceptions(names) => self.class_refs("exceptions", names),
            Attribute::NestMembers(names) => self.class_refs("nest members", names),
            Attribute::PermittedSubclasses(names) => self.class_refs("permitted subclasses", names),
            Attribute::ConstantValue(constant) => {
                let index = self.pool.constant(constant)?;
                self.out.u2(index);
                Ok(())
            }
            Attribute::InnerClasses(list) => self.list("inner classes", list, Self::inner_class),
            Attribute::EnclosingMethod(enclosing) => self.enclosing_method(enclosing),
            Attribute::BootstrapMethods(list) => self.list("bootstrap methods", list, Self::bootstrap_method),
            Attribute::MethodParameters(list) => self.method_parameters(list),
            Attribute::Module(module) => self.module(module),
            Attribute::ModulePackages(list) => self.list("packages", list, Self::package),
            Attribute::Record(list) => self.list("record components", list, Self::record_component),
            Attribute::RuntimeVisibleAnnotations(list) | Attribute::RuntimeInvisibleAnnotations(list) => {
                self.annotations(list)
            }
            Attribute::RuntimeVisibleParameterAnnotations(lists)
            | Attribute::RuntimeInvisibleParameterAnnotations(lists) => self.parameter_annotations(lists),
            Attribute::RuntimeVisibleTypeAnnotations(list) | Attribute::RuntimeInvisibleTypeAnnotations(list) => {
                self.type_annotations(list, layout)
            }
            Attribute::AnnotationDefault(value) => self.element_value(value),
            Attribute::Code(_)
            | Attribute::StackMapTable(_)
            | Attribute::LineNumberTable(_)
            | Attribute::LocalVariableTable(_)
            | Attribute::LocalVariableTypeTable(_) => self.code_content(attribute, layout),
        }
    }

    fn code_content(&mut self, attribute: &'c Attribute, layout: Option<&Layout>) -> Result<(), WriteError> {
        let layout = layout.ok_or(WriteError::PositionWithoutCode)?;
        match attribute {
            Attribute::LineNumberTable(lines) => line_numbers(&mut self.out, lines, layout),
            Attribute::LocalVariableTable(list) | Attribute::LocalVariableTypeTable(list) => {
                self.list("local variables", list, |this, variable| this.local_variable(variable, layout))
            }
            _ => Err(WriteError::PositionWithoutCode),
        }
    }

    pub fn list<T>(
        &mut self,
        what: &'static str,
        list: &'c [T],
        mut entry: impl FnMut(&mut Self, &'c T) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        self.out.count(what, list.len())?;
        list.iter().try_for_each(|item| entry(self, item))
    }

    fn inner_class(&mut self, class: &'c InnerClass) -> Result<(), WriteError> {
        self.class_ref(&class.inner)?;
        self.optional_class_ref(class.outer.as_ref())?;
        self.optional_text(class.name.as_ref())?;
        self.out.u2(class.access);
        Ok(())
    }

    fn enclosing_method(&mut self, enclosing: &'c EnclosingMethod) -> Result<(), WriteError> {
        self.class_ref(&enclosing.class)?;
        let index = match &enclosing.method {
            Some(method) => self.pool.name_and_type(&method.name, &method.descriptor)?,
            None => 0,
        };
        self.out.u2(index);
        Ok(())
    }

    fn bootstrap_method(&mut self, method: &'c BootstrapMethod) -> Result<(), WriteError> {
        let handle = self.pool.handle(&method.handle)?;
        self.out.u2(handle);
        self.list("bootstrap arguments", &method.arguments, |this, argument| {
            let index = this.pool.constant(argument)?;
            this.out.u2(index);
            Ok(())
        })
    }

    fn method_parameters(&mut self, parameters: &'c [MethodParameter]) -> Result<(), WriteError> {
        self.out.short_count("parameters", parameters.len())?;
        for parameter in parameters {
            self.optional_text(parameter.name.as_ref())?;
            self.out.u2(parameter.access);
        }
        Ok(())
    }

    fn record_component(&mut self, component: &'c RecordComponent) -> Result<(), WriteError> {
        self.text(&component.name)?;
        self.text(&component.descriptor)?;
        self.attributes(&component.attributes, None)
    }

    fn local_variable(&mut self, variable: &'c LocalVariable, layout: &Layout) -> Result<(), WriteError> {
        layout.write_range("local variable", variable.start, variable.end, &mut self.out)?;
        self.text(&variable.name)?;
        self.text(&variable.type_)?;
        self.out.u2(variable.index);
        Ok(())
    }
}

fn line_numbers(out: &mut Output, lines: &[LineNumber], layout: &Layout) -> Result<(), WriteError> {
    out.count("line numbers", lines.len())?;
    for line in lines {
        out.u2(layout.instruction(line.position)?);
        out.u2(line.line);
    }
    Ok(())
}
