//! A sample.
use std::collections::{BTreeMap, HashMap as Map};

#[derive(Clone, Debug)]
pub struct Point<T: Copy + Default, const N: usize> where T: Send { pub x: T, y: [T; N] }

pub enum Shape { Circle(f64, u8), Square { side: f64 }, Empty = 4 }

pub trait Area { const SCALE: f64 = 1.0; type Unit; fn area(&self) -> f64; fn name(&self) -> String { "none".to_string() } }

impl Area for Shape {
    type Unit = f64;
    fn area(&self) -> f64 {
        match self {
            Shape::Circle(r, _) if *r > 0.0 => 3.14 * r * r,
            Shape::Square { side } => side * side,
            _ => 0.0,
        }
    }
}

fn largest<'a, T>(list: &'a [T], mut limit: usize) -> Option<&'a T> where T: PartialOrd {
    let mut best: Option<&T> = None;
    for item in list.iter().take(limit) {
        if let Some(b) = best { if item > b { best = Some(item); } else { continue; } } else { best = Some(item) }
    }
    while limit > 0 { limit -= 1; }
    let add = |a: i32, b: i32| -> i32 { a + b };
    println!("{} {:?}", add(1, 2), (1, "two", [3; 4]));
    let Point { x, .. } = Point { x: 1, y: [1] };
    loop { break; }
    unsafe { std::ptr::null::<u8>() };
    best.map(|b| b)
}

mod inner { pub(crate) static NAME: &str = "inner"; macro_rules! m { ($x:expr) => { $x + 1 }; } }
