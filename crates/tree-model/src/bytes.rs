//! Bytes as items; characters where the text is valid UTF-8. Offered for small texts only: there is one item per byte.

use crate::patches::Collector;
use crate::single::Text;

const LARGEST: usize = 1 << 16;

pub(crate) fn bytes(text: &[u8]) -> Option<Box<dyn Text>> {
    if text.len() > LARGEST {
        return None;
    }
    let mut collector = Collector::default();
    let starts: Vec<usize> = match std::str::from_utf8(text) {
        Ok(valid) => valid.char_indices().map(|(start, _)| start).collect(),
        Err(_) => (0..text.len()).collect(),
    };
    for (index, &start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(text.len());
        let item = collector.item(format!("byte @{start}"), "byte", None);
        collector.patch(item, start..end, "");
    }
    collector.finish(text, false)
}
