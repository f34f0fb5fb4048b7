//! The code of a program as blocks and lines.

use addr2line::gimli::{self, EndianSlice, LittleEndian};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction};
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Bytes of a program's debug information.
pub(super) type Bytes<'a> = EndianSlice<'a, LittleEndian>;

/// The blocks, functions and lines of a program. Addresses are as linked.
pub(crate) struct Code {
    /// The line table, in order of addresses.
    rows: Vec<Row>,
    /// The basic blocks, in order.
    blocks: Vec<Block>,
    /// The starts of functions, in order.
    functions: Vec<u64>,
    pub(super) files: Vec<PathBuf>,
}

/// A basic block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Block {
    /// The address after the call that records it, as in [`super::steps::Step`].
    start: u64,
    /// The end of the code that runs once the block is entered.
    end: u64,
}

/// A row of the line table: code from this address on belongs to this line. `None` if the line is
/// not the user's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Row {
    pub(super) address: u64,
    pub(super) place: Option<(u32, u32)>,
}

impl Code {
    /// Reads the code of a program. `users` maps a path to the user's name for it, if the file is
    /// the user's.
    pub(crate) fn read(program: &[u8], users: impl Fn(&Path) -> Option<PathBuf>) -> Option<Code> {
        let file = object::File::parse(program).ok()?;
        let mut symbols: Vec<(u64, &str)> = file
            .symbols()
            .filter(|symbol| symbol.is_definition() && symbol.kind() == SymbolKind::Text)
            .filter_map(|symbol| Some((symbol.address(), symbol.name().ok()?)))
            .collect();
        symbols.sort_unstable();
        let marker = symbols.iter().find(|(_, name)| *name == MARKER)?.0;
        let text = file.section_by_name(".text")?;
        let mut functions: Vec<u64> = symbols.iter().map(|(at, _)| *at).collect();
        functions.dedup();
        let starts = calls_of(marker, text.data().ok()?, text.address());
        let blocks = blocks(&starts, &functions, text.data().ok()?, text.address());
        let mut code = Code { rows: Vec::new(), blocks, functions, files: Vec::new() };
        let sections = sections(&file)?;
        let dwarf = sections.borrow(|section| EndianSlice::new(section, LittleEndian));
        code.add_rows(&dwarf, users).ok()?;
        code.rows.sort_by_key(|row| row.address);
        Some(code)
    }

    fn add_rows(
        &mut self,
        dwarf: &gimli::Dwarf<Bytes<'_>>,
        users: impl Fn(&Path) -> Option<PathBuf>,
    ) -> gimli::Result<()> {
        let mut known: HashMap<PathBuf, Option<u32>> = HashMap::new();
        let mut units = dwarf.units();
        while let Some(header) = units.next()? {
            let unit = dwarf.unit(header)?;
            let Some(program) = unit.line_program.clone() else { continue };
            let mut files: HashMap<u64, Option<u32>> = HashMap::new();
            let mut rows = program.rows();
            while let Some((header, row)) = rows.next_row()? {
                let index = row.file_index();
                let file = match files.get(&index) {
                    Some(file) => *file,
                    None => {
                        let path = path_of(dwarf, &unit, header, index);
                        let file = *known.entry(path.clone()).or_insert_with(|| {
                            users(&path).map(|file| {
                                self.files.push(file);
                                self.files.len() as u32 - 1
                            })
                        });
                        files.insert(index, file);
                        file
                    }
                };
                let line = row.line().map(|line| line.get() as u32).filter(|_| !row.end_sequence());
                let place = file.zip(line);
                self.rows.push(Row { address: row.address(), place });
            }
        }
        Ok(())
    }

    /// Returns the rows of the block that starts here, and the end of the block.
    pub(super) fn block(&self, start: u64) -> (Range<usize>, u64) {
        let end = match self.blocks.binary_search_by_key(&start, |block| block.start) {
            Ok(index) => self.blocks[index].end,
            Err(_) => start,
        };
        let first = self.rows.partition_point(|row| row.address <= start).saturating_sub(1);
        let after = self.rows.partition_point(|row| row.address < end);
        (first..after.max(first), end)
    }

    /// Returns whether a block starts here.
    pub(super) fn is_block(&self, start: u64) -> bool {
        self.blocks.binary_search_by_key(&start, |block| block.start).is_ok()
    }

    /// Returns the line of an address.
    pub(crate) fn place(&self, address: u64) -> Option<(&Path, u32)> {
        let after = self.rows.partition_point(|row| row.address <= address);
        let (file, line) = self.rows[after.checked_sub(1)?].place?;
        Some((&self.files[file as usize], line))
    }

    pub(super) fn row(&self, index: usize) -> Row {
        self.rows[index]
    }

    /// Returns the start of the function that contains an address.
    pub(super) fn function(&self, address: u64) -> Option<u64> {
        let after = self.functions.partition_point(|start| *start <= address);
        after.checked_sub(1).map(|index| self.functions[index])
    }

    /// Returns whether a block is the first one of its function.
    pub(super) fn is_entry(&self, block: u64) -> bool {
        let before = self.blocks.partition_point(|known| known.start < block).checked_sub(1);
        let Some(function) = self.function(block) else { return false };
        before.is_none_or(|index| self.blocks[index].start <= function)
    }
}

/// The function that the compiler calls at the start of each block.
const MARKER: &str = "__sanitizer_cov_trace_pc";

const CALL_LENGTH: u64 = 5;

/// Returns the addresses after all calls of a function. An `e8` inside another instruction leads
/// elsewhere.
fn calls_of(function: u64, text: &[u8], start: u64) -> Vec<u64> {
    const CALL: u8 = 0xe8;
    let mut found = Vec::new();
    for (at, bytes) in text.windows(CALL_LENGTH as usize).enumerate().filter(|(_, bytes)| bytes[0] == CALL) {
        let after = start + at as u64 + CALL_LENGTH;
        let distance = i32::from_le_bytes(bytes[1..].try_into().expect("four bytes"));
        if after.wrapping_add_signed(i64::from(distance)) == function {
            found.push(after);
        }
    }
    found
}

/// Returns the blocks with these starts. A block ends where the next one or the next function
/// begins, or earlier, after an instruction that always leaves it: the code behind that belongs to
/// an exception handler, whose first instructions come before the call that records it.
fn blocks(starts: &[u64], functions: &[u64], text: &[u8], text_start: u64) -> Vec<Block> {
    let text_end = text_start + text.len() as u64;
    let block = |(index, &start): (usize, &u64)| {
        let next = starts.get(index + 1).map_or(text_end, |next| next - CALL_LENGTH);
        let function = functions.get(functions.partition_point(|function| *function <= start));
        let end = next.min(function.copied().unwrap_or(text_end)).clamp(start, text_end);
        let code = &text[(start - text_start) as usize..(end - text_start) as usize];
        Block { start, end: first_leave(code, start).unwrap_or(end) }
    };
    starts.iter().enumerate().map(block).collect()
}

/// Returns the address after the first instruction that always continues elsewhere.
fn first_leave(code: &[u8], start: u64) -> Option<u64> {
    const BITS: u32 = 64;
    let mut decoder = Decoder::with_ip(BITS, code, start, DecoderOptions::NONE);
    let leaves = |instruction: &Instruction| {
        use FlowControl::{IndirectBranch, Return, UnconditionalBranch};
        matches!(instruction.flow_control(), UnconditionalBranch | IndirectBranch | Return)
    };
    decoder.iter().find(leaves).map(|instruction| instruction.next_ip())
}

pub(super) fn sections<'a>(file: &object::File<'a>) -> Option<gimli::DwarfSections<Cow<'a, [u8]>>> {
    let load = |id: gimli::SectionId| -> Result<Cow<'a, [u8]>, object::Error> {
        file.section_by_name(id.name()).map_or(Ok(Cow::Borrowed(&[][..])), |section| section.uncompressed_data())
    };
    gimli::DwarfSections::load(load).ok()
}

fn path_of(
    dwarf: &gimli::Dwarf<Bytes<'_>>,
    unit: &gimli::Unit<Bytes<'_>>,
    header: &gimli::LineProgramHeader<Bytes<'_>>,
    index: u64,
) -> PathBuf {
    let text = |attribute| {
        let bytes = dwarf.attr_string(unit, attribute).ok()?;
        Some(String::from_utf8_lossy(bytes.slice()).into_owned())
    };
    let mut path = PathBuf::new();
    if let Some(directory) = unit.comp_dir {
        path.push(&*String::from_utf8_lossy(directory.slice()));
    }
    let Some(file) = header.file(index) else { return path };
    path.extend(file.directory(header).and_then(text));
    path.extend(text(file.path_name()));
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_found_by_where_they_lead() {
        // nop; call +0 (to 0x1006); call -11 (to 0x1000); call elsewhere.
        let text = [0x90, 0xe8, 0, 0, 0, 0, 0xe8, 0xf5, 0xff, 0xff, 0xff, 0xe8, 9, 0, 0, 0];
        assert_eq!(calls_of(0x1006, &text, 0x1000), [0x1006]);
        assert_eq!(calls_of(0x1000, &text, 0x1000), [0x100b]);
    }

    #[test]
    fn a_block_ends_where_it_jumps() {
        // nop; jmp +3; mov %rax,%rbx (a handler); nop
        let text = [0x90, 0xeb, 3, 0x48, 0x89, 0xc3, 0x90];
        assert_eq!(blocks(&[0x1000], &[0x1000], &text, 0x1000), [Block { start: 0x1000, end: 0x1003 }]);
        let falls_through = [0x90, 0x48, 0x89, 0xc3, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90];
        let found = blocks(&[0x1000, 0x1008], &[0x1000], &falls_through, 0x1000);
        assert_eq!(found, [Block { start: 0x1000, end: 0x1003 }, Block { start: 0x1008, end: 0x100a }]);
    }
}
