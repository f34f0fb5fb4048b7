//! The output of `lapidary compare`: the page, the JSON and the text of a trace.

use crate::support;

use serde_json::Value;
use support::Place;
use support::pair::{compare, pair};

/// Reading a file is not supported, so that only the real JVM sees a difference.
fn reading(sum: &str) -> String {
    format!(
        "public class T {{ static int f(int x) throws java.io.IOException {{
         return new java.io.FileInputStream(\"/dev/zero\").read() + {sum}; }} }}"
    )
}

#[test]
fn what_random_testing_alone_finds_is_shown_everywhere() {
    let place = pair(&reading("x"), &reading("x + 1"));
    let run = compare(&place, &["--json", "summary.json", "--report", "page.html"]).ends_with(1);
    let run = run.prints(&["\ndifferent\n", "  the result differs\n  old: returned ", "\n  new: returned "]);
    let summary = place.json("summary.json");
    let difference = &summary["difference"];
    assert_eq!((&summary["verdict"], &difference["at"]), (&"different".into(), &"result".into()), "{summary}");
    assert_ne!(difference["old"]["real"]["ending"], difference["new"]["real"]["ending"], "{summary}");
    assert_eq!(difference["inputs"].as_array().map(Vec::len), Some(1), "{summary}");
    let (call, page) = (difference["call"].as_str().unwrap(), place.read("page.html"));
    assert!(run.stdout.contains(call) && page.contains(&format!("<code>{call}</code>")), "{page}");
    assert!(page.contains(difference["new"]["outcome"].as_str().unwrap()), "{page}");
}

/// A receipt whose part is nested in it, an account and a shop.
fn nested(points: &str) -> String {
    format!(
        "class Account {{ int points; void add(int n) {{ points += n; }} }}
         class Receipt {{ static class Line {{ void print(Account a, int p) {{ a.add({points}); }} }} }}
         public class T {{ static void f(int p) {{ new Receipt.Line().print(new Account(), p); }} }}"
    )
}

/// The data that the page gives to its script.
fn data(place: &Place, name: &str) -> Value {
    let page = place.read(name);
    let (_, data) = page.split_once("id=\"specification-data\" hidden data-json=\"").expect("data");
    let (data, _) = data.split_once('"').expect("its end");
    assert!(!data.contains('<') && !data.contains('>'), "{data}");
    let text = [("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
    let data = text.iter().fold(data.to_owned(), |data, (escape, sign)| data.replace(escape, sign));
    serde_json::from_str(&data).unwrap()
}

#[test]
fn the_page_keeps_all_that_a_specification_says() {
    let place = pair(&nested("p"), &nested("p - 1"));
    let spec = "# </script><b>\noutput = \"changed\"\npure = \"Account.asked\"\n\n[[changed]]\nclass = \"Receipt$Line\"\n\n\
                [[changed]]\nclass = \"T\"\nparameter = 1\nequals = 3\n\n[[unchanged]]\nclass = \"Acc*\"\n";
    place.write("change.toml", spec);
    let options = ["--fuzz-first", "0", "--spec", "change.toml", "--report", "page.html"];
    compare(&place, &options).ends_with(1);
    let data = data(&place, "page.html");
    let rules: Vec<&str> = data["rules"].as_array().unwrap().iter().filter_map(|rule| rule["text"].as_str()).collect();
    assert_eq!(format!("{}{}", data["head"].as_str().unwrap(), rules.concat()), spec);
    assert_eq!(data["rules"][0]["classes"], serde_json::json!(["Receipt$Line"]));
    assert!(data["rules"][1]["classes"].is_null() && data["rules"][2]["classes"].is_null(), "{data}");
    let class = |name: &str| data["classes"].as_array().unwrap().iter().find(|class| class["name"] == name).cloned();
    assert_eq!(class("Receipt").unwrap()["affected"], true, "a class that is nested in it may change");
    let account = class("Account").unwrap();
    assert_eq!((&account["affected"], &account["fixed"]), (&false.into(), &true.into()), "{data}");
}

#[test]
fn the_page_has_the_suggested_specification_without_one() {
    let place = pair(&nested("p"), &nested("p - 1"));
    compare(&place, &["--fuzz-first", "0", "--report", "page.html"]).ends_with(1);
    compare(&place, &["--write-spec", "change.toml"]).ends_with(0);
    let data = data(&place, "page.html");
    let rules: Vec<&str> = data["rules"].as_array().unwrap().iter().filter_map(|rule| rule["text"].as_str()).collect();
    assert_eq!(format!("{}{}", data["head"].as_str().unwrap(), rules.concat()), place.read("change.toml"));
}

#[test]
fn the_page_shows_source_lines() {
    let place = pair(&nested("p"), &nested("p - 1").replace("public class", "public /* now */ class"));
    let options = ["--fuzz-first", "0", "--sources", "old:new", "--report", "page.html"];
    compare(&place, &options).ends_with(1);
    let page = place.read("page.html");
    for line in ["<code>public class T { static void f", "<code>public /* now */ class T { static void f"] {
        assert!(page.contains(line), "{line}: {page}");
    }
    compare(&place, &["--sources", "old"]).ends_with(2).complains(&["--sources takes two directories"]);
}

#[test]
fn the_page_names_the_versions_and_aligns_the_traces() {
    let source = |points: &str| {
        format!(
            "class Account {{ int points; void add(int n) {{ points += n; }} }}\n\
             public class T {{ static Account a = new Account();\nstatic void f(int p) {{\n a.add(1);\n{points} a.add(p);\n}} }}"
        )
    };
    let place = pair(&source(""), &source("a.add(7); /* <b> */"));
    compare(&place, &["--fuzz-first", "0", "--report", "page.html"]).ends_with(1);
    let page = place.read("page.html");
    assert!(page.contains("<h1>old → new: T.f</h1>"), "{page}");
    assert!(page.contains("<strong class=\"verdict different\">different</strong>"), "{page}");
    let (_, trace) = page.split_once("<section id=\"trace\"").expect("a trace");
    let (trace, sources) = trace.split_once("<section id=\"sources\"").expect("sources, found beside the classes");
    assert!(trace.contains("step same") && trace.matches("step parted").count() == 1, "{trace}");
    let (_, parted) = trace.split_once("step parted").unwrap();
    assert!(parted.contains("add(7)") && parted.contains("T.f:5 <code>a.add(7); /* &lt;b&gt; */ a.add(p);</code>"));
    assert!(sources.contains("fault\"><b data-n=\"5\">") && sources.contains("/* &lt;b&gt; */"), "{sources}");
}

#[test]
fn traces_tell_hidden_fields_and_arrays_by_their_names() {
    let source = |write: &str| {
        format!(
            "class A {{ int x; }} class B extends A {{ int x; }}
             class Receipt {{ void print(B b, int[] numbers, int p) {{ {write} }} }}
             public class T {{ static void f(int p) {{ B b = new B(); new Receipt().print(b, new int[1], p); }} }}"
        )
    };
    let shown = |old: &str, new: &str, words: &str| {
        let place = pair(&source(old), &source(new));
        compare(&place, &["--fuzz-first", "0"]).ends_with(1).prints(&[words]);
    };
    shown("((A) b).x = p;", "b.x = p;", "`((A) B@1).x = 0` has become `B@1.x = 0`");
    shown("numbers[0] = 5;", "numbers[0] = 6;", "`int[]@1[0] = 5` has become `int[]@1[0] = 6`");
}
