//! Short names for the two versions of a comparison.

use super::built::Built;
use std::path::{Component, Path, PathBuf};

/// The names of the versions in their repository, or else the parts in which their paths differ:
/// `v2` and `v3` for `v2/target/classes` and `v3/target/classes`.
pub fn of(paths: &[PathBuf; 2], built: Option<&Built>) -> [String; 2] {
    built.map_or_else(|| of_paths(paths), |built| built.names().clone())
}

fn of_paths(paths: &[PathBuf; 2]) -> [String; 2] {
    let [mut old, mut new] = paths.each_ref().map(|path| components(path));
    let common = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    old.drain(..common);
    new.drain(..common);
    while old.len() > 1 && new.len() > 1 && old.last() == new.last() {
        old.pop();
        new.pop();
    }
    match (shown(&old), shown(&new)) {
        (Some(old), Some(new)) if old != new => [old, new],
        _ => ["old".to_owned(), "new".to_owned()],
    }
}

/// The names on a path, without `.` and the root.
fn components(path: &Path) -> Vec<String> {
    let name = |part: Component<'_>| match part {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        Component::ParentDir => Some("..".to_owned()),
        _ => None,
    };
    path.components().filter_map(name).collect()
}

fn shown(parts: &[String]) -> Option<String> {
    let (last, above) = parts.split_last()?;
    let last = [".jar", ".zip", ".war"].iter().find_map(|ending| last.strip_suffix(ending)).unwrap_or(last);
    Some([above, &[last.to_owned()]].concat().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(old: &str, new: &str) -> [String; 2] {
        of_paths(&[old.into(), new.into()])
    }

    #[test]
    fn versions_are_called_by_what_differs() {
        assert_eq!(named("v2/target/classes", "v3/target/classes"), ["v2", "v3"]);
        assert_eq!(named("/lib/shop-1.2.jar", "/lib/shop-1.3.jar"), ["shop-1.2", "shop-1.3"]);
        assert_eq!(named("./old", "new"), ["old", "new"]);
        assert_eq!(named("a/x/classes", "b/y/classes"), ["a/x", "b/y"]);
    }

    #[test]
    fn paths_that_say_nothing_are_old_and_new() {
        assert_eq!(named("app.jar", "app.jar"), ["old", "new"]);
        assert_eq!(named("app", "app/classes"), ["old", "new"]);
        assert_eq!(named("app.jar", "app.zip"), ["old", "new"]);
    }
}
