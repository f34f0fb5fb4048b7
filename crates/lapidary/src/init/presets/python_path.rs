//! Where a Python program finds its own modules when it runs in another directory.

use crate::init::draft::Setting;
use crate::init::seen::Seen;

/// Python finds modules beside the script, and a candidate is elsewhere.
pub fn of(seen: &Seen<'_>) -> Option<Setting> {
    if !seen.call.is_tool(&["python", "pypy"]) || !seen.call.has_extension(&["py"]) {
        return None;
    }
    let directory = seen.lab.directory_of(seen.call);
    let is_module = |path: &std::path::Path| {
        path.extension().is_some_and(|found| found == "py") || path.join("__init__.py").is_file()
    };
    let mut others =
        std::fs::read_dir(&directory).ok()?.flatten().filter(|entry| entry.file_name() != *seen.call.name());
    others.any(|entry| is_module(&entry.path())).then(|| {
        Setting::new("PYTHONPATH", directory.to_string_lossy(), "The file may import modules from its own directory.")
    })
}
