//! The classes of generated programs other than that of the entry method, and the fixed methods of
//! the latter.

use super::syntax::{Program, Style, Type};

pub const COLOURS: [&str; 3] = ["RED", "GREEN", "BLUE"];

/// The name of a type in a program whose class names have this prefix.
pub fn type_name(prefix: &str, type_: Type) -> String {
    match type_ {
        Type::Void => "void".to_owned(),
        Type::Int => "int".to_owned(),
        Type::Long => "long".to_owned(),
        Type::Bool => "boolean".to_owned(),
        Type::Char => "char".to_owned(),
        Type::Text => "String".to_owned(),
        Type::Ints => "int[]".to_owned(),
        Type::Item => format!("{prefix}Item"),
        Type::Items => format!("{prefix}Item[]"),
        Type::List => format!("List<{prefix}Item>"),
        Type::Numbers => "List<Integer>".to_owned(),
        Type::Map => format!("Map<String, {prefix}Item>"),
        Type::Set => "Set<Integer>".to_owned(),
        Type::Deque => format!("Deque<{prefix}Item>"),
        Type::Optional => format!("Optional<{prefix}Item>"),
        Type::Colour => format!("{prefix}Colour"),
        Type::Point => format!("{prefix}Point"),
        Type::Shape => format!("{prefix}Shape"),
        Type::Node => format!("{prefix}Node"),
    }
}

/// The classes, ordered so that each mentions only later ones.
const CLASSES: [(&str, &str); 7] = [
    ("Node", NODE),
    ("Item", ITEM),
    ("Shape", SHAPE),
    ("Square", SQUARE),
    ("Box", BOX),
    ("Point", POINT),
    ("Colour", COLOUR),
];

const NODE: &str = "
class @Node {
    int value;
    @Node next;
    @Item item;
#
    int getValue() {
        %return value;|int read = this.value; return read;%
    }

    @Node getNext() {
        return next;
    }
}
";

const ITEM: &str = "
class @Item {
    int size;
    int price;
    String name;
    boolean open;
#
    @Item(int size, int price) {
        %this.size = size; this.price = price;|this.price = price; this.size = size;%
    }

    int getSize() {
        %return size;|int read = this.size; return read;%
    }

    int getPrice() {
        %return price;|return (int) (long) price;%
    }

    String getName() {
        return name;
    }

    boolean isOpen() {
        %return open;|return open ? true : false;%
    }

    int total(int more) {
        %return size + more;|int sum = more + size; return sum;%
    }

    void setSize(int size) {
        %this.size = size;|int given = size; this.size = given;%
    }

    int bump(int by) {
        %price = price + by; return price;|price += by; int now = price; return now;%
    }
}
";

const SHAPE: &str = "
interface @Shape {
    int area();
}
";

const SQUARE: &str = "
class @Square implements @Shape {
    int side;
#
    @Square(int side) {
        this.side = side;
    }

    public int area() {
        %return side + side;|int twice = side; twice += side; return twice;%
    }
}
";

const BOX: &str = "
class @Box implements @Shape {
    int wide;
    int high;
#
    @Box(int wide, int high) {
        this.wide = wide;
        this.high = high;
    }

    public int area() {
        %return wide - high;|return -(high - wide);%
    }
}
";

const POINT: &str = "
record @Point(int x, int y) {
    int sum() {
        %return x + y;|int sum = y; sum += x(); return sum;%
    }
}
";

const COLOUR: &str = "
enum @Colour {
    RED, GREEN, BLUE;

    boolean isWarm() {
        %return this == RED;|return this != RED ? false : true;%
    }
}
";

/// A hand-written method of the entry method's class, in two versions.
pub struct Known {
    pub name: &'static str,
    pub parameters: &'static [Type],
    pub returns: Type,
    pub writes: bool,
    pub throws: bool,
    text: &'static str,
}

const fn reading(name: &'static str, parameters: &'static [Type], returns: Type, text: &'static str) -> Known {
    Known { name, parameters, returns, writes: false, throws: true, text }
}

pub const KNOWN: [Known; 15] = [
    Known { throws: false, ..reading("chain", &[Type::Node], Type::Int, CHAIN) },
    reading("weigh", &[Type::Node], Type::Int, WEIGH),
    reading("sizes", &[Type::List], Type::Int, SIZES),
    reading("names", &[Type::List], Type::Text, NAMES),
    reading("opened", &[Type::Map], Type::Int, OPENED),
    reading("largest", &[Type::Ints], Type::Int, LARGEST),
    reading("backwards", &[Type::Ints], Type::Long, BACKWARDS),
    reading("front", &[Type::Deque], Type::Item, FRONT),
    reading("shade", &[Type::Colour], Type::Int, SHADE),
    reading("extent", &[Type::Shape], Type::Int, EXTENT),
    reading("power", &[Type::Int], Type::Int, POWER),
    reading("digits", &[Type::Text], Type::Int, DIGITS),
    reading("search", &[Type::Items, Type::Int], Type::Int, SEARCH),
    reading("added", &[Type::Set], Type::Int, ADDED),
    Known { writes: true, ..reading("raised", &[Type::List, Type::Int], Type::Int, RAISED) },
];

const CHAIN: &str = "
    ~int chain(@Node node) {
        %return node == null ? 0 : 1 + chain(node.next);|int length = 0; while (node != null) { node = node.next; length++; } return length;%
    }
";

const WEIGH: &str = "
    ~int weigh(@Node node) {
        %if (node == null) { return 0; } return node.value + weigh(node.next);|int sum = 0; for (@Node at = node; at != null; at = at.getNext()) { sum += at.getValue(); } return sum;%
    }
";

const SIZES: &str = "
    ~int sizes(List<@Item> items) {
        %return items.stream().filter(Objects::nonNull).mapToInt(@Item::getSize).sum();|int sum = 0; for (@Item item : items) { if (item != null) { sum += item.size; } } return sum;%
    }
";

const NAMES: &str = "
    ~String names(List<@Item> items) {
        %String all = \"\"; for (@Item item : items) { all = all + item.getName() + ';'; } return all;|StringBuilder all = new StringBuilder(); for (int at = 0; at < items.size(); at++) { all.append(items.get(at).getName()).append(';'); } return all.toString();%
    }
";

const OPENED: &str = "
    ~int opened(Map<String, @Item> items) {
        %int count = 0; for (@Item item : items.values()) { if (item != null && item.isOpen()) { count++; } } return count;|int count = 0; for (Map.Entry<String, @Item> entry : items.entrySet()) { @Item item = entry.getValue(); count += item == null ? 0 : item.open ? 1 : 0; } return count;%
    }
";

const LARGEST: &str = "
    ~int largest(int[] numbers) {
        %int most = -1; for (int number : numbers) { if (number > most) { most = number; } } return most;|int most = -1; for (int at = 0; at < numbers.length; at++) { most = Math.max(most, numbers[at]); } return most;%
    }
";

const BACKWARDS: &str = "
    ~long backwards(int[] numbers) {
        %long sum = 0; for (int at = numbers.length - 1; at >= 0; at--) { sum = sum * 10 + numbers[at]; } return sum;|int[] copy = numbers.clone(); long sum = 0; int left = copy.length; while (left > 0) { left--; sum = copy[left] + 10 * sum; } return sum;%
    }
";

const FRONT: &str = "
    ~@Item front(Deque<@Item> items) {
        %return items.peekFirst();|return items.isEmpty() ? null : items.iterator().next();%
    }
";

const SHADE: &str = "
    ~int shade(@Colour colour) {
        %switch (colour.ordinal()) { case 0: return 5; case 1: return 6; default: return 9; }|int place = colour.ordinal(); return place == 1 ? 6 : place != 0 ? 9 : 5;%
    }
";

const EXTENT: &str = "
    ~int extent(@Shape shape) {
        %return shape.area() + 1;|if (shape instanceof @Square) { return ((@Square) shape).side * 2 + 1; } return 1 + shape.area();%
    }
";

const POWER: &str = "
    ~int power(int base) {
        %return base * 9;|int product = base * 3; product *= 3; return product;%
    }
";

const DIGITS: &str = "
    ~int digits(String text) {
        %int sum = 0; for (int at = 0; at < text.length(); at++) { char c = text.charAt(at); if (c >= '0' && c <= '9') { sum += c - '0'; } } return sum;|int sum = 0; for (char c : text.toCharArray()) { if (c < '0' || c > '9') { continue; } sum = sum - '0' + c; } return sum;%
    }
";

const SEARCH: &str = "
    ~int search(@Item[] items, int price) {
        %for (int at = 0; at < items.length; at++) { if (items[at] != null && items[at].price == price) { return at; } } return -1;|int found = -1; int at = 0; for (@Item item : items) { if (item != null && item.getPrice() == price) { found = at; break; } at++; } return found;%
    }
";

const ADDED: &str = "
    ~int added(Set<Integer> numbers) {
        %int sum = 0; for (int number : numbers) { sum += number; } return sum;|int sum = 0; Iterator<Integer> all = numbers.iterator(); while (all.hasNext()) { sum += all.next(); } return sum;%
    }
";

const RAISED: &str = "
    ~int raised(List<@Item> items, int by) {
        %for (@Item item : items) { item.bump(by); } return items.size();|items.forEach(item -> item.bump(by)); return items.size();%
    }
";

/// Adds the classes that the text mentions.
pub fn add_classes(program: &Program, text: &mut String) {
    for (class, template) in CLASSES {
        let is_shape = matches!(class, "Square" | "Box") && text.contains(&format!("{}Shape", program.name));
        if is_shape || text.contains(&format!("{}{class}", program.name)) {
            text.push_str(&filled(program, class, template));
        }
    }
}

/// The fixed methods of the entry method's class that the text calls, and the unused ones.
pub fn own_methods(program: &Program, text: &str) -> String {
    let mut methods = String::new();
    for known in KNOWN.iter().filter(|known| text.contains(&format!("{}(", known.name))) {
        methods.push_str(&filled(program, "", known.text));
    }
    methods.push_str(&unused(&program.style, ""));
    methods
}

fn filled(program: &Program, class: &'static str, template: &str) -> String {
    let is_otherwise = program.style.otherwise.contains(&class);
    let mut text = String::new();
    for (place, part) in template.split('%').enumerate() {
        match part.split_once('|').filter(|_| place % 2 == 1) {
            Some((one, other)) => text.push_str(if is_otherwise { other } else { one }),
            None => text.push_str(part),
        }
    }
    let static_ = if program.is_static { "static " } else { "" };
    text.replace('@', &program.name).replace('~', static_).replace('#', &unused(&program.style, class))
}

/// Unused members.
fn unused(style: &Style, class: &'static str) -> String {
    let mut members = String::new();
    if style.unused_fields.contains(&class) {
        members.push_str("    private static int unusedField = 3;\n");
    }
    if style.unused_methods.contains(&class) {
        members.push_str("    static int unusedMethod(int given) {\n        return given + 1;\n    }\n");
    }
    members
}
