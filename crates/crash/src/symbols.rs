//! Maps addresses to functions, files and lines, using the program's own debug information.

use crate::failure::Frame;
use crate::report::{Mapping, RawFrame};
use crate::run::Code;
use crate::toolchain::CANDIDATE;
use addr2line::Loader;
use object::{Object, ObjectSection, ObjectSegment, ObjectSymbol, ObjectSymbolTable, RelocationTarget, SymbolKind};
use regex::Regex;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

/// The symbols of one program.
pub struct Symbols {
    loader: Loader,
    bytes: Arc<[u8]>,
    program: PathBuf,
    /// The directory whose files count as the user's, besides the candidate.
    origin: Option<PathBuf>,
}

/// One of the user's files, a line and a column.
type Place = (PathBuf, u32, Option<u32>);

/// A stack in terms of source code.
#[derive(Debug, Default)]
pub struct Stack {
    pub frames: Vec<Frame>,
    /// The library function that the user's innermost function had called, if it was inside one.
    pub inside: Option<String>,
}

impl Symbols {
    /// Reads the symbols; `None` if the program has none that can be understood.
    pub fn new(program: &Path, origin: Option<&Path>) -> io::Result<Option<Symbols>> {
        let bytes = std::fs::read(program)?.into();
        let loader = match Loader::new(program) {
            Ok(loader) => loader,
            Err(error) => return error.downcast::<io::Error>().map_or(Ok(None), |error| Err(*error)),
        };
        Ok(Some(Symbols { loader, bytes, program: program.to_path_buf(), origin: origin.map(Path::to_path_buf) }))
    }

    /// Returns the stack for frames in a running program with this memory layout.
    pub fn stack(&self, frames: &[RawFrame], mappings: &[Mapping]) -> Stack {
        let here = |frame: &RawFrame| Some((self.linked(frame.pc, mappings)?, frame.exact));
        self.stack_of(frames.iter().map(here))
    }

    /// Returns the stack for frames that are given as module and offset. A sanitizer prints the
    /// byte before a return address, except for the innermost frame, which is the call of the
    /// sanitizer itself.
    pub fn stack_in_modules(&self, frames: &[(String, u64)]) -> Stack {
        let here = |(index, (module, offset)): (usize, &(String, u64))| {
            let frame = if index == 0 { (*offset, true) } else { (*offset + 1, false) };
            self.is_program(module).then_some(frame)
        };
        self.stack_of(frames.iter().enumerate().map(here))
    }

    /// Returns the program's bytes.
    pub fn bytes(&self) -> Arc<[u8]> {
        Arc::clone(&self.bytes)
    }

    /// Returns the blocks and lines of the program's code.
    pub(crate) fn code(&self) -> Option<Code> {
        Code::read(&self.bytes, |path| self.users_file(path))
    }

    /// Returns the link address for an address in memory with this layout, if it is in the program.
    pub(crate) fn linked(&self, pc: u64, mappings: &[Mapping]) -> Option<u64> {
        let holds = |mapping: &&Mapping| (mapping.start..mapping.end).contains(&pc);
        let mapping = mappings.iter().find(holds).filter(|mapping| self.is_program(&mapping.path))?;
        self.address_of(pc - mapping.start + mapping.offset)
    }

    /// Returns the link address of the program's first byte.
    pub(crate) fn first_address(&self) -> u64 {
        self.address_of(0).unwrap_or(0)
    }

    /// Returns the functions of the program.
    pub fn functions(&self) -> Functions {
        Functions { program: Arc::clone(&self.bytes) }
    }

    /// Returns the stack for frames given as link addresses. `None` stands for a frame outside the
    /// program.
    fn stack_of(&self, frames: impl Iterator<Item = Option<(u64, bool)>>) -> Stack {
        let mut stack = Stack::default();
        let mut above: Option<String> = None;
        for frame in frames {
            let Some((address, exact)) = frame else {
                above = None;
                continue;
            };
            for (function, place) in self.places(if exact { address } else { address.saturating_sub(1) }) {
                match place {
                    Some((file, line, column)) => {
                        if stack.frames.is_empty() && !exact {
                            stack.inside = above.take().or_else(|| self.callee(address));
                        } else if stack.frames.is_empty() {
                            stack.inside = above.take();
                        }
                        stack.frames.push(Frame { function, file, line, column });
                    }
                    None => above = Some(function),
                }
            }
        }
        stack
    }

    /// Returns the functions at an address, starting with the innermost inlined one. The place is
    /// missing if it is not the user's.
    fn places(&self, address: u64) -> Vec<(String, Option<Place>)> {
        let mut found = Vec::new();
        let Ok(mut frames) = self.loader.find_frames(address) else { return found };
        while let Ok(Some(frame)) = frames.next() {
            let name =
                frame.function.as_ref().and_then(|function| function.raw_name().ok().map(|name| function_name(&name)));
            let place = frame.location.and_then(|location| {
                let file = self.users_file(Path::new(location.file?))?;
                Some((file, location.line?, location.column.filter(|&column| column > 0)))
            });
            if name.is_some() || place.is_some() {
                found.push((name.unwrap_or_else(|| "?".into()), place));
            }
        }
        found
    }

    fn users_file(&self, file: &Path) -> Option<PathBuf> {
        let file = crate::build::normal(file);
        let in_origin = || file.strip_prefix(self.origin.as_ref()?).ok();
        file.strip_prefix(CANDIDATE).ok().or_else(in_origin).map(Path::to_path_buf)
    }

    fn is_program(&self, path: &str) -> bool {
        Path::new(path.strip_suffix(" (deleted)").unwrap_or(path)) == self.program
    }

    /// Returns the link address of a byte of the program file.
    fn address_of(&self, offset: u64) -> Option<u64> {
        let file = object::File::parse(&*self.bytes).ok()?;
        file.segments().find_map(|segment| {
            let (start, size) = segment.file_range();
            (start..start + size).contains(&offset).then(|| offset - start + segment.address())
        })
    }

    /// Returns the library function called by the instruction before this address. The call goes
    /// through a stub that jumps to the target of a slot, or through the slot itself. The caller
    /// knows the name even if the library is stripped.
    fn callee(&self, after: u64) -> Option<String> {
        let file = object::File::parse(&*self.bytes).ok()?;
        let call = read(&file, after.checked_sub(6)?, 6)?;
        let relative = |bytes: &[u8]| i64::from(i32::from_le_bytes(bytes.try_into().expect("four bytes")));
        let slot = if call[..2] == [0xff, 0x15] {
            after.checked_add_signed(relative(&call[2..]))?
        } else if call[1] == 0xe8 {
            let stub = after.checked_add_signed(relative(&call[2..]))?;
            let code = read(&file, stub, 16)?;
            let jump = code.windows(2).position(|pair| pair == [0xff, 0x25]).filter(|&at| at <= 5)?;
            (stub + jump as u64 + 6).checked_add_signed(relative(code.get(jump + 2..jump + 6)?))?
        } else {
            return None;
        };
        let (_, relocation) = file.dynamic_relocations()?.find(|(address, _)| *address == slot)?;
        let RelocationTarget::Symbol(symbol) = relocation.target() else { return None };
        let name = file.dynamic_symbol_table()?.symbol_by_index(symbol).ok()?.name().ok()?.to_owned();
        Some(function_name(&name))
    }
}

/// The functions of a program. There can be thousands, so names are demangled only on request.
#[derive(Clone, Default)]
pub struct Functions {
    program: Arc<[u8]>,
}

impl Functions {
    /// Returns whether there is a function of this name, in the form of [`function_name`].
    pub fn contains(&self, function: &str) -> bool {
        let Ok(file) = object::File::parse(&*self.program) else { return false };
        let defined = file.symbols().filter(|symbol| symbol.is_definition() && symbol.kind() == SymbolKind::Text);
        let word = spelled_word(function);
        let mut likely = defined.filter_map(|symbol| symbol.name().ok()).filter(|symbol| symbol.contains(word));
        likely.any(|symbol| function_name(symbol) == function)
    }
}

impl fmt::Debug for Functions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "functions of a program of {} bytes", self.program.len())
    }
}

/// Returns a word of the name that also occurs in its symbol, or an empty string. Symbols
/// abbreviate some words.
fn spelled_word(function: &str) -> &str {
    const ABBREVIATED: [&str; 2] = ["std", "operator"];
    let word = function.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next();
    word.filter(|word| !ABBREVIATED.contains(word)).unwrap_or_default()
}

fn read<'a>(file: &object::File<'a>, address: u64, length: u64) -> Option<&'a [u8]> {
    let holds = |section: &object::Section<'a, '_>| {
        (section.address()..section.address() + section.size()).contains(&address) && section.address() > 0
    };
    let section = file.sections().find(holds)?;
    section.data_range(address, length).ok().flatten()
}

/// Returns the name without parameters, result and qualifiers, which a smaller program may have
/// fewer of, and without the numbers that compilers give to lambdas.
pub fn function_name(symbol: &str) -> String {
    static LAMBDA: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\{lambda\([^{}]*\)#\d+\}").expect("a fixed pattern"));
    let options = cpp_demangle::DemangleOptions::new().no_params().no_return_type();
    let mangled = Some(symbol).filter(|symbol| symbol.starts_with("_Z"));
    let parsed = mangled.and_then(|symbol| cpp_demangle::Symbol::new(symbol).ok());
    let plain = parsed.and_then(|name| name.demangle_with_options(&options).ok());
    let name = plain.unwrap_or_else(|| symbol.to_owned());
    let name = LAMBDA.replace_all(&name, "{lambda}").replace("[abi:cxx11]", "");
    name.strip_suffix(" const").unwrap_or(&name).to_owned()
}

/// Demangles the name of a type as `std::type_info` has it.
pub fn type_name(mangled: &str) -> String {
    let symbol = format!("_ZTS{mangled}");
    let name = cpp_demangle::Symbol::new(&symbol).ok().and_then(|name| name.demangle().ok());
    let name = name.map(|name| name.trim_start_matches("typeinfo name for ").to_owned());
    name.unwrap_or_else(|| mangled.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_no_parameters() {
        assert_eq!(function_name("main"), "main");
        assert_eq!(function_name("f"), "f");
        assert_eq!(function_name("_ZN2ns4List6lengthEPKci"), "ns::List::length");
        assert_eq!(function_name("_ZZ4mainENKUliE0_clEi"), "main::{lambda}::operator()");
        assert_eq!(type_name("St13runtime_error"), "std::runtime_error");
        assert_eq!(type_name("i"), "int");
    }

    #[test]
    fn a_word_of_a_name_is_in_its_symbol() {
        let symbols = ["_ZN2ns4List6lengthEPKci", "_ZZ4mainENKUliE0_clEi", "_ZStlsRSoi", "_ZN3FooD1Ev", "main"];
        for symbol in
            symbols.into_iter().chain(["_ZN12_GLOBAL__N_11fEv", "_ZNKUliE_clEi", "_ZplRK3FooS1_", "_Z3maxIiET_S0_S0_"])
        {
            let name = function_name(symbol);
            assert!(symbol.contains(spelled_word(&name)), "{symbol} is {name}");
        }
        assert_eq!(spelled_word("ns::List::length"), "ns");
    }

    #[test]
    fn a_program_knows_its_functions() {
        let symbols = Symbols::new(&std::env::current_exe().unwrap(), None).unwrap().unwrap();
        let functions = symbols.functions();
        assert!(functions.contains("main") && !functions.contains("niam"));
        assert!(!Functions::default().contains("main"));
    }
}
