//! `lapidary compare`: verdicts with their exit codes, specifications, and bad input.

use crate::support;

use serde_json::Value;
use std::fs;
use std::path::Path;
use support::shop::{copy_classes, versions};
use support::{Place, Run, patient};

/// Receipts may change, and accounts must not.
const RECEIPTS: &str = "output = \"changed\"\n\n[[changed]]\nclass = \"shop.Receipt\"\n";

/// Compares without random testing, so that every finding is symbolic.
fn compare(method: &str, options: &[&str]) -> Run {
    compare_in(&Place::new(), method, options)
}

fn compare_in(place: &Place, method: &str, options: &[&str]) -> Run {
    let [old, new] = versions();
    let main = format!("shop.{method}");
    let arguments = ["compare", &old, &new, "--main", &main, "--fuzz-first", "0"];
    place.lapidary(&patient(&[&arguments, options].concat()))
}

fn with_spec(method: &str, spec: &str) -> Run {
    let place = Place::new();
    place.write("change.toml", spec);
    compare_in(&place, method, &["--spec", "change.toml"])
}

#[test]
fn the_same_function_is_equivalent() {
    let run = compare("Till.twice", &[]).ends_with(0).prints(&["\nequivalent\n", "shop.Till: "]);
    assert_eq!(run.remarks(), Vec::<&str>::new(), "{run}");
}

#[test]
fn a_difference_has_an_input_and_both_results() {
    compare("Till.postage", &[]).ends_with(1).prints(&[
        "\ndifferent\n",
        "shop.Till.postage(2000)",
        "the result differs",
        "old: returns 5",
        "new: returns 9",
        "on the real JVM: returns",
    ]);
}

#[test]
fn exceptions_and_arguments_count() {
    compare("Till.parse", &["--bound", "1"]).ends_with(1).prints(&[
        "shop.Till.parse(\"\")",
        "the call ends differently",
        "old: returns 0",
        "new: throws java.lang.StringIndexOutOfBoundsException",
    ]);
    compare("Till.reset", &["--bound", "2"]).ends_with(1).prints(&["the arguments are left in a different state"]);
}

#[test]
fn longer_inputs_than_the_bound_are_left_open() {
    compare("Till.sum", &["--bound", "2"])
        .ends_with(4)
        .prints(&["\nno difference found (arrays and collections up to 2 elements; ", " s of 1200 s used)\n"]);
    compare("Till.sum", &["--bound", "2", "--accept-restrictions"]).ends_with(0).prints(&["\nno difference found ("]);
}

#[test]
fn what_the_time_has_stopped_is_no_proof() {
    compare("Till.endless", &["--budget", "1s", "--without=induction"])
        .ends_with(3)
        .prints(&["\nunknown (no difference found before the time ended it; ", " s of 1 s used)\n"])
        .complains(&["the time ended the comparison", "--budget"]);
}

#[test]
fn loops_are_matched_turn_by_turn() {
    compare("Till.halvings", &[]).ends_with(0).prints(&["\nequivalent\n", "loops were matched iteration by iteration"]);
}

#[test]
fn what_a_specification_does_not_allow_is_found() {
    with_spec("Shop.sell", RECEIPTS).ends_with(1).prints(&[
        "different\n",
        "`Account@1.add(",
        "has become",
        "> ->   Account@1.add(",
        "at shop.Receipt.print:",
    ]);
}

#[test]
fn what_a_specification_allows_is_no_difference() {
    with_spec("Shop.greet", RECEIPTS).ends_with(0).prints(&["equivalent"]);
    with_spec("Shop.greet", "[[changed]]\nclass = \"shop.Receipt\"\n").ends_with(1).prints(&["the output differs"]);
    with_spec("Shop.sell", "[[changed]]\nclass = [\"shop.Receipt\", \"shop.Account\"]\n")
        .ends_with(0)
        .prints(&["equivalent"]);
}

#[test]
fn rules_look_at_arguments_and_pure_calls_do_not_count() {
    let refunds = "[[changed]]\nclass = \"shop.Refund\"\n";
    with_spec("Shop.refund", refunds).ends_with(1).prints(&["has become `Account@1.asked()`"]);
    let pure = format!("pure = \"shop.Account.asked\"\n{refunds}");
    with_spec("Shop.refund", &pure).ends_with(1).prints(&["shop.Shop.refund(7, ", "has become `Account@1.add(0)`"]);
    let of_kind = format!("{pure}parameter = 1\nbelow = 8\nabove = 6\n");
    with_spec("Shop.refund", &of_kind).ends_with(1).prints(&["shop.Shop.refund(7, "]);
    let everything = format!("{pure}[[changed]]\nclass = \"*Account\"\ncalled-by = [\"shop.Shop\"]\n");
    with_spec("Shop.refund", &everything).ends_with(0).prints(&["equivalent"]);
}

#[test]
fn code_that_differs_is_compared_where_no_rule_names_it() {
    with_spec("Shop.sell", "output = \"changed\"\n").ends_with(1).prints(&["`Account@1.add("]);
}

#[test]
fn calls_of_abstract_classes_count_although_they_write_nothing() {
    let place = Place::new();
    place.write("change.toml", RECEIPTS);
    let options = ["--spec", "change.toml", "--abstract", "shop.Account", "--budget", "20s"];
    compare_in(&place, "Shop.sell", &options).ends_with(1).prints(&["`Account@1.add("]);
}

#[test]
fn what_abstract_classes_do_not_show_the_real_ones_decide() {
    let run = compare("Till.twice", &["--abstract", "shop.Account", "--policy", "shallow"]);
    run.ends_with(0).prints(&["\nequivalent\n"]);
}

#[test]
fn versions_that_both_lack_a_class_are_not_the_same() {
    let place = Place::new();
    let lacking = ["old", "new"].map(|version| place.path(version));
    for (version, directory) in versions().iter().zip(&lacking) {
        copy_classes(Path::new(version), directory);
        fs::remove_file(directory.join("shop/Refund.class")).unwrap();
    }
    let [old, new] = lacking.each_ref().map(|directory| directory.to_str().unwrap());
    let options = ["compare", old, new, "--main", "shop.Shop.refund", "--fuzz-first", "0"];
    place.lapidary(&options).ends_with(3).prints(&["unknown"]).complains(&["class shop.Refund is missing"]);
}

#[test]
fn rules_that_must_not_change_win() {
    let both = "[[changed]]\nclass = \"shop.*\"\n\n[[unchanged]]\nclass = \"shop.Account\"\n";
    with_spec("Shop.sell", both).ends_with(1).prints(&["`Account@1.add("]);
}

#[test]
fn results_and_overflows_are_let_pass_on_request() {
    let spec = "result = \"unchanged\"\n[[changed]]\nclass = \"shop.Till\"\n";
    with_spec("Till.postage", spec).ends_with(1).prints(&["the result differs"]);
    with_spec("Till.postage", &spec.replace("\"unchanged\"", "\"changed\"")).ends_with(0).prints(&["equivalent"]);
    let overflow = "numbers = \"no-overflow\"\n";
    with_spec("Till.isMore", "").ends_with(1).prints(&["the result differs"]);
    with_spec("Till.isMore", overflow).ends_with(0).prints(&["equivalent"]);
    with_spec("Till.postage", overflow).ends_with(1).prints(&["shop.Till.postage(2000)"]);
}

#[test]
fn a_suggested_specification_can_be_read_again() {
    let place = Place::new();
    compare_in(&place, "Shop.sell", &["--write-spec", "change.toml"]).ends_with(0);
    let written = place.read("change.toml");
    let receipt = "# greet changed, print changed\n[[changed]]\nclass = \"shop.Receipt\"\n";
    assert!(written.contains(receipt), "{written}");
    let (may_change, must_not) = written.split_once("[[unchanged]]").expect("what must not change");
    assert!(!may_change.contains("shop.Account") && must_not.contains("\"shop.Account\""), "{written}");
    let by_file = compare_in(&place, "Shop.sell", &["--spec", "change.toml", "--json", "-"]).ends_with(1).json();
    let inferred = compare_in(&place, "Shop.sell", &["--json", "-"]).ends_with(1).json();
    assert_eq!(by_file["inferred"], false);
    assert_eq!(inferred["inferred"], true);
    assert_eq!(by_file["difference"]["what"], inferred["difference"]["what"]);
}

#[test]
fn random_testing_is_counted_apart() {
    let [old, new] = versions();
    let options = ["--main", "shop.Till.sum", "--fuzz-first", "1", "--bound", "1", "--json", "-"];
    let summary = Place::new().lapidary(&[&["compare", &old, &new][..], &options].concat()).ends_with(4).json();
    assert!(summary["random"]["calls"].as_u64() > Some(0), "{summary}");
    assert!(summary["random"]["found"].is_null(), "{summary}");
}

#[test]
fn random_testing_lets_pass_what_the_specification_does() {
    let place = Place::new();
    place.write("change.toml", RECEIPTS);
    let [old, new] = versions();
    let arguments = ["compare", &old, &new, "--main", "shop.Shop.greet", "--spec", "change.toml", "--json", "-"];
    let summary = place.lapidary(&arguments).ends_with(0).json();
    assert_eq!(summary["verdict"], "equivalent");
    assert!(summary["random"]["found"].is_null(), "{summary}");
}

#[test]
fn matching_loops_can_be_switched_off() {
    compare("Till.count", &[]).ends_with(0).prints(&["\nequivalent\n", "loops were matched iteration by iteration"]);
    compare("Till.count", &["--without=induction", "--budget", "1s"])
        .ends_with(3)
        .prints(&["\nunknown (no difference found before the time ended it; "]);
}

#[test]
fn differences_of_abstract_classes_are_tried_with_the_concrete_ones() {
    let place = Place::new();
    place.write("change.toml", RECEIPTS);
    let options = ["--spec", "change.toml", "--abstract", "shop.Refund", "--show-abstractions"];
    compare_in(&place, "Shop.sell", &options)
        .ends_with(1)
        .prints(&["// Abstraction of shop.Refund, policy mnemonic", "has become `Account@1.add("]);
    compare("Shop.sell", &["--abstract", "shop.Acount"]).ends_with(2).complains(&["there is no class shop.Acount"]);
}

#[test]
fn a_page_shows_both_versions() {
    let place = Place::new();
    place.write("change.toml", RECEIPTS);
    compare_in(&place, "Shop.sell", &["--spec", "change.toml", "--report", "page.html"]).ends_with(1);
    let page = place.read("page.html");
    for word in ["<html", "Account@1.add(", "shop.Receipt"] {
        assert!(page.contains(word), "{word}: {page}");
    }
}

#[test]
fn json_has_the_verdict_and_both_traces() {
    let place = Place::new();
    place.write("change.toml", RECEIPTS);
    let run = compare_in(&place, "Shop.sell", &["--spec", "change.toml", "--json", "-"]).ends_with(1);
    let summary = run.json();
    assert_eq!(summary["command"], "compare");
    assert_eq!(summary["verdict"], "different");
    assert_eq!(summary["method"], "shop.Shop.sell");
    let changed: Vec<&str> =
        summary["changed"].as_array().unwrap().iter().filter_map(|one| one["class"].as_str()).collect();
    assert_eq!(changed, ["shop.Receipt", "shop.Refund", "shop.Till"]);
    let difference = &summary["difference"];
    assert_eq!(difference["inputs"].as_array().unwrap().len(), 2, "{difference}");
    let at = difference["at"]["event"].as_u64().unwrap() as usize;
    let step = |version: &str| difference[version]["trace"][at].clone();
    assert_ne!(step("old")["text"], step("new")["text"]);
    assert_eq!(step("new")["to"], "unaffected");
    assert!(step("new")["place"].as_str().unwrap().starts_with("shop.Receipt.print:"), "{difference}");
    assert_eq!(difference["new"]["real"]["ending"], "returns");
    for count in ["paths", "pairs", "queries", "instructions", "most_waiting"] {
        assert!(summary[count].as_u64() > Some(0), "{count}: {summary}");
    }
    assert!(summary["seconds"].as_f64() > Some(0.0) && summary["stopped"].is_null(), "{summary}");
    assert!(summary["changed_lines"]["reached"].as_u64() <= summary["changed_lines"]["total"].as_u64(), "{summary}");
    assert_eq!(summary["unsupported"], Value::Object(Default::default()));
}

#[test]
fn both_versions_need_the_method() {
    compare("Till.gone", &[]).ends_with(2).complains(&["/new: class shop.Till has no method gone"]);
    compare("Till.typed(I)I", &[]).ends_with(2).complains(&["/new: class shop.Till has no method typed(I)I"]);
    let signatures = "static shop.Till.typed(I)I and static shop.Till.typed(J)I";
    compare("Till.typed", &[]).ends_with(2).complains(&["different entry methods", signatures]);
    compare("Till.nothing", &[]).ends_with(2).complains(&["/old: class shop.Till has no method nothing"]);
    let [old, _] = versions();
    let nowhere = ["compare", &old, "nowhere.jar", "--main", "shop.Till.sum"];
    Place::new().lapidary(&nowhere).ends_with(2).complains(&["nowhere.jar"]);
    Place::new().lapidary(&["compare", &old, "--main", "shop.Till.sum"]).ends_with(2).complains(&["<NEW>"]);
}

#[test]
fn mistakes_in_specifications_have_a_place() {
    let mistakes = [
        ("output = \"changed\"\nchnaged = []\n", "change.toml, line 2, column 1: `chnaged` is none of changed,"),
        ("[[changed]]\nclass = 3\n", "change.toml, line 2, column 9: a text in quotes is needed"),
        (
            "[[changed]]\nparameter = 0\nequals = 1\n",
            "line 2, column 13: parameters of constructors are counted from 1",
        ),
        ("[[changed]]\nparameter = 1\n", "line 2, column 1: `parameter` needs equals, matches, above or below"),
        ("[[changed]\n", "change.toml, line 1, column "),
        (
            "\n[[changed]]\nclass = \"shop.Recipt\"\n",
            "change.toml, line 3, column 9: neither version has a class shop.Recipt",
        ),
    ];
    for (text, complaint) in mistakes {
        with_spec("Shop.sell", text).ends_with(2).complains(&[complaint]);
    }
    compare("Shop.sell", &["--spec", "nowhere.toml"]).ends_with(2).complains(&["cannot read nowhere.toml"]);
}
