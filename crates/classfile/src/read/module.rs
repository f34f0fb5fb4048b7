//! Reading of the `Module` attribute.

use super::Reader;
use crate::raw::Input;
use crate::{Module, ModuleExports, ModuleProvides, ModuleRequires, ParseError};

impl<'a> Reader<'a> {
    pub fn module(&mut self, input: &mut Input<'a>) -> Result<Module, ParseError> {
        Ok(Module {
            name: self.resolver.module(input)?,
            access: input.u2()?,
            version: self.resolver.optional_text(input)?,
            requires: input.list(6, |input| self.requires(input))?,
            exports: input.list(6, |input| self.exports(input))?,
            opens: input.list(6, |input| self.exports(input))?,
            uses: self.resolver.classes(input)?,
            provides: input.list(4, |input| self.provides(input))?,
        })
    }

    fn requires(&mut self, input: &mut Input<'a>) -> Result<ModuleRequires, ParseError> {
        Ok(ModuleRequires {
            module: self.resolver.module(input)?,
            access: input.u2()?,
            version: self.resolver.optional_text(input)?,
        })
    }

    fn exports(&mut self, input: &mut Input<'a>) -> Result<ModuleExports, ParseError> {
        Ok(ModuleExports {
            package: self.resolver.package(input)?,
            access: input.u2()?,
            to: input.list(2, |input| self.resolver.module(input))?,
        })
    }

    fn provides(&mut self, input: &mut Input<'a>) -> Result<ModuleProvides, ParseError> {
        Ok(ModuleProvides { service: self.resolver.class(input)?, with: self.resolver.classes(input)? })
    }
}
