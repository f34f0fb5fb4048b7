//! Measures the time and memory of the parts of a model.
//!
//! `scale classes|items|statements (JAR | --jdk COUNT) [LIBRARY...]` prints one `name value` line
//! per measure. `--jdk` takes the first COUNT classes of the installed JDK, java.base first, each
//! module in the order of names, so that a class mostly comes with those it uses. Times are CPU
//! milliseconds, memory is the peak of the process in MiB.

mod program;

use lapidary_java_model::Jar;
use lapidary_jvm::{Compression, Platform, write_jar};
use lapidary_logic::{Reasoner, VarSet};
use lapidary_reduce::{FileTree, Model};
use std::error::Error;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (kind, jar, libraries) = match arguments.as_slice() {
        [kind, jdk, count, libraries @ ..] if jdk == "--jdk" => (kind, jdk_jar(count.parse()?)?, libraries),
        [kind, jar, libraries @ ..] => (kind, program::open(jar)?, libraries),
        _ => return Err("usage: scale classes|items|statements (JAR | --jdk COUNT) [LIBRARY...]".into()),
    };
    let class_path = program::class_path(libraries)?;
    let entries = jar.tree().entries();
    let classes = entries.filter(|(path, _)| path.extension().is_some_and(|found| found == "class")).count();
    println!("classes {classes}\nbytes {}\nmib_input {:.0}", jar.tree().bytes(), peak_memory());
    let model = timed("build", || program::model(kind, jar.tree(), class_path))?;
    println!("mib_model {:.0}", peak_memory());
    describe(&*model);
    candidates(&*model, &jar)?;
    println!("mib_all {:.0}", peak_memory());
    Ok(())
}

/// A jar of the first classes of the JDK.
fn jdk_jar(count: usize) -> Result<Jar, Box<dyn Error>> {
    let platform = Platform::installed()?;
    let mut classes: Vec<_> = platform.classes()?.into_iter().collect();
    classes.sort_by_key(|class| (class.module != "java.base", class.module.clone(), class.name.clone()));
    // Every module has a descriptor of the same name, and a jar can hold only one.
    classes.retain(|class| class.name != "module-info");
    let classes = classes.iter().take(count);
    let files: Vec<_> =
        classes.filter_map(|class| Some((format!("{}.class", class.name), platform.find(&class.name)?))).collect();
    let files = files.iter().map(|(name, bytes)| (name.as_str(), &**bytes));
    Ok(Jar::open(&FileTree::file("jdk.jar", write_jar(files, Compression::Stored)?))?)
}

fn describe(model: &dyn Model) {
    let cnf = model.constraint();
    let edges = cnf.clauses().filter(|clause| clause.is_edge()).count();
    println!("items {}\nvariables {}", model.items().len(), cnf.variables());
    println!("clauses {}\nliterals {}\nedges {edges}", cnf.len(), cnf.literal_count());
}

/// Measures the work of a strategy between two tests: a progression, then prefixes of it, written
/// as jars.
fn candidates(model: &dyn Model, jar: &Jar) -> Result<(), Box<dyn Error>> {
    let reasoner = timed("reasoner", || Reasoner::new(model.constraint()));
    let full = VarSet::full(model.constraint().variables());
    let progression = timed("progression", || reasoner.progression(&[], &full));
    timed("progression_again", || reasoner.progression(&[], &full));
    println!("progression_sets {}", progression.len());
    const PARTS: usize = 8;
    let mut times = Vec::new();
    for part in 1..PARTS {
        let keep = progression.prefix((progression.len() - 1) * part / PARTS);
        // Several threads write classes, so wall-clock time counts.
        let started = Instant::now();
        let tree = model.render(&keep)?;
        let rendered = started.elapsed();
        let bytes = program::packed(jar, &tree)?;
        let packed = started.elapsed();
        times.push((milliseconds(rendered), milliseconds(packed)));
        println!("candidate_{part}_bytes {}", bytes.len());
    }
    let mean = |of: fn(&(f64, f64)) -> f64| times.iter().map(of).sum::<f64>() / times.len() as f64;
    println!("ms_render_mean {:.2}", mean(|time| time.0));
    println!("ms_render_and_pack_mean {:.2}", mean(|time| time.1));
    println!("ms_render_and_pack_first {:.2}", times.first().map_or(0.0, |time| time.1));
    println!("ms_render_and_pack_most {:.2}", times.iter().map(|time| time.1).fold(0.0, f64::max));
    Ok(())
}

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let started = cpu_time();
    let result = work();
    println!("ms_{what} {:.2}", milliseconds(cpu_time() - started));
    result
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The CPU time of this thread.
fn cpu_time() -> Duration {
    // The figure is updated at every tick, and whenever a thread yields.
    std::thread::yield_now();
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = statistics.split(' ').next().and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

/// The peak memory of this process so far, in MiB.
fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kibibytes.unwrap_or(0.0) / 1024.0
}
