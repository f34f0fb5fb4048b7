//! Bytes as items; characters where the text is valid UTF-8. In a large text an item is a run of
//! several. As the text gets smaller, so do the runs.

use crate::patches::Collector;
use crate::single::Text;

/// The largest number of items.
const MOST: usize = 1 << 16;

pub(crate) fn bytes(text: &[u8]) -> Option<Box<dyn Text>> {
    let mut collector = Collector::default();
    let starts: Vec<usize> = match std::str::from_utf8(text) {
        Ok(valid) => valid.char_indices().map(|(start, _)| start).collect(),
        Err(_) => (0..text.len()).collect(),
    };
    let starts: Vec<usize> = starts.iter().copied().step_by(starts.len().div_ceil(MOST).max(1)).collect();
    for (index, &start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(text.len());
        let item = collector.item(format!("byte @{start}"), "byte", None);
        collector.patch(item, start..end, "");
    }
    collector.finish(text, false)
}
