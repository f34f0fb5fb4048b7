//! Writing of the `Module` attribute.

use super::Writer;
use crate::{Module, ModuleExports, Text, WriteError};

impl<'c> Writer<'c> {
    pub fn module(&mut self, module: &'c Module) -> Result<(), WriteError> {
        self.module_ref(&module.name)?;
        self.out.u2(module.access);
        self.optional_text(module.version.as_ref())?;
        self.list("required modules", &module.requires, |this, requires| {
            this.module_ref(&requires.module)?;
            this.out.u2(requires.access);
            this.optional_text(requires.version.as_ref())
        })?;
        self.list("exports", &module.exports, Self::exports)?;
        self.list("opens", &module.opens, Self::exports)?;
        self.class_refs("used services", &module.uses)?;
        self.list("provided services", &module.provides, |this, provides| {
            this.class_ref(&provides.service)?;
            this.class_refs("providers", &provides.with)
        })
    }

    pub fn package(&mut self, name: &'c Text) -> Result<(), WriteError> {
        let index = self.pool.package(name)?;
        self.out.u2(index);
        Ok(())
    }

    fn exports(&mut self, exports: &'c ModuleExports) -> Result<(), WriteError> {
        self.package(&exports.package)?;
        self.out.u2(exports.access);
        self.list("modules", &exports.to, Self::module_ref)
    }

    fn module_ref(&mut self, name: &'c Text) -> Result<(), WriteError> {
        let index = self.pool.module(name)?;
        self.out.u2(index);
        Ok(())
    }
}
