//! The statement on a line and the conditions that guard it.

use crate::common;

use lapidary_slice::{Criterion, Grounds, Piece, grounds};
use std::path::Path;

const PROGRAM: &str = "\
#include <assert.h>
int table[3];
int find(int key) {
    for (int i = 0; i < 3; i++)
        if (table[i] == key)
            return i;
    return -1;
}
int main(void) {
    int n = find(2);
    if (n < 0 && table[0]) {
        n = 4;
        assert(n == 3); n++;
    }
    return n;
}
";

/// Returns the surroundings of a line as texts: the statements, the condition around them, and the
/// conditions before them.
fn around(line: u32) -> [Vec<String>; 3] {
    around_column(line, None)
}

fn around_column(line: u32, column: Option<u32>) -> [Vec<String>; 3] {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file = folder.path().join("a.c");
    std::fs::write(&file, PROGRAM).expect("a writable directory");
    let criterion = Criterion { file: file.clone(), line, variable: None };
    let Grounds { statements, around, before } =
        grounds(&common::units(&file), &criterion, column).expect("there is code");
    let before = before.iter().flat_map(|decision| decision.pieces().cloned()).collect();
    let texts = |pieces: Vec<Piece>| pieces.into_iter().map(|piece| text(&piece, &file)).collect();
    [texts(statements), texts(around), texts(before)]
}

fn text(piece: &Piece, file: &Path) -> String {
    assert_eq!(piece.file, file);
    PROGRAM[piece.range.clone()].trim().to_owned()
}

#[test]
fn the_innermost_condition_is_around() {
    assert_eq!(around(12), [vec!["n = 4"], vec!["if (n < 0 && table[0])"], vec![]]);
    assert_eq!(around(6), [vec!["return i"], vec!["if (table[i] == key)"], Vec::<&str>::new()]);
    assert_eq!(around(5)[..2], [vec!["if (table[i] == key)"], vec!["; i < 3;"]]);
}

#[test]
fn a_jump_before_a_statement_decides_whether_it_is_reached() {
    assert_eq!(around(7), [vec!["return -1"], vec![], vec!["; i < 3;", "if (table[i] == key)", "return"]]);
}

#[test]
fn a_macro_is_a_statement_of_its_own() {
    assert_eq!(around(13)[0], ["assert(n == 3)", "n++"]);
    assert_eq!(around_column(13, Some(9))[0], ["assert(n == 3)"]);
    assert_eq!(around_column(13, Some(25))[0], ["n++"]);
    assert_eq!(around_column(13, Some(99))[0].len(), 2, "a column that is nowhere says nothing");
}

#[test]
fn a_throw_is_a_jump() {
    let text = "struct error { error(const char *); ~error(); };\nint *cell;\nint at(int i, int n) {\n    if (i > n)\n        \
        throw error(\"none\");\n    return cell[i];\n}\n";
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file = folder.path().join("a.cpp");
    std::fs::write(&file, text).expect("a writable directory");
    let criterion = Criterion { file: file.clone(), line: 6, variable: None };
    let found = grounds(&common::units(&file), &criterion, None).expect("there is code");
    let pieces = found.before.iter().flat_map(|decision| decision.pieces());
    let texts: Vec<_> = pieces.map(|piece| &text[piece.range.clone()]).collect();
    assert_eq!(texts, ["if (i > n)", "throw"]);
}
