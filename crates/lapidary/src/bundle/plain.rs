//! Text from outside, made fit for a bug tracker: without control characters, bounded, fenced, and
//! without the paths of the machine it comes from.

pub(crate) use lapidary_common::visible::harmless;

/// One line of text: what [`harmless`] leaves, with line ends as escapes too.
pub(crate) fn one_line(text: &str) -> String {
    harmless(text).replace('\n', "\\n").replace('\t', " ")
}

/// The text in a fence of Markdown that nothing in it can close.
pub(crate) fn fenced(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    let end = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
    format!("{fence}{language}\n{text}{end}{fence}\n")
}

/// The text as code within a line of Markdown.
pub(crate) fn code(text: &str) -> String {
    let text = one_line(text);
    let fence = "`".repeat(longest_run(&text) + 1);
    match text.starts_with('`') || text.ends_with('`') || text.is_empty() {
        true => format!("{fence} {text} {fence}"),
        false => format!("{fence}{text}{fence}"),
    }
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// At most so many bytes of a text, with a remark about the rest.
pub(crate) fn bounded(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = (0..=most).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    format!("{}\n[... {} bytes more]\n", &text[..end], text.len() - end)
}

/// The text with the home directory written as `~`.
pub(crate) fn without_home(text: &str) -> String {
    let home = std::env::home_dir().and_then(|home| home.to_str().map(|home| home.trim_end_matches('/').to_owned()));
    match home.filter(|home| home.len() > 1) {
        Some(home) => without(&home, text),
        None => text.to_owned(),
    }
}

/// The text with a directory written as `~`, where a path begins with it.
fn without(home: &str, text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(home) {
        let (before, after) = (&rest[..at], &rest[at + home.len()..]);
        shown.push_str(before);
        let is_whole = begins_path(&text[..text.len() - rest.len() + at]) && ends_name(after);
        shown.push_str(if is_whole { "~" } else { home });
        rest = after;
    }
    shown + rest
}

/// Whether a path can begin after a text. It can after `-I`.
fn begins_path(before: &str) -> bool {
    let word = before.rsplit(|c: char| !is_of_name(c) && !"/~})".contains(c)).next().unwrap_or_default();
    word.chars().all(|c| c == '/') || word.starts_with('-') && !word.contains('/')
}

/// Whether the name of a directory ends before a text. A full stop may end a sentence.
fn ends_name(after: &str) -> bool {
    !after.trim_start_matches('.').starts_with(is_of_name)
}

fn is_of_name(character: char) -> bool {
    character.is_alphanumeric() || "_-.+%".contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_fence_closes_it() {
        let text = "a\n```\n<script>\n`````\n";
        let fenced = fenced("c", text);
        let fence = fenced.lines().last().unwrap();
        assert_eq!(fenced.lines().filter(|line| line.starts_with(fence)).count(), 2, "{fenced}");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
    }

    #[test]
    fn control_characters_and_directions_are_shown() {
        assert_eq!(harmless("a\x1b[31mb\x1b[0m\x07\r\n\u{202e}x"), "ab\\u{7}\n\\u{202e}x");
        assert_eq!(one_line("a\nb"), "a\\nb");
    }

    #[test]
    fn only_whole_paths_lose_the_home_directory() {
        let shown = |text| without("/root", text);
        assert_eq!(shown("/root/x in /root. -I/root/inc,\"/root\" a:/root"), "~/x in ~. -I~/inc,\"~\" a:~");
        assert_eq!(shown("file:///root/x --sysroot=/root/y /root//root"), "file://~/x --sysroot=~/y ~//root");
        for other in ["/mnt/root/x", "/rootfs", "/root.old/x", "/root-2", "$D/root/x", "${D}/root", "ä/root", "~/root"]
        {
            assert_eq!(shown(other), other);
        }
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(bounded("aäb", 2), "a\n[... 3 bytes more]\n");
    }
}
