//! `--sandbox` in every command that runs foreign code: hostile code reaches nothing outside, and
//! the answer is the one without a sandbox.

use crate::support;

use lapidary_testkit::javac;
use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use support::{Place, Run, running, unique_sleep};

/// A place with a home of its own and a server, both of which hostile code tries to reach.
struct World {
    place: Place,
    listener: TcpListener,
    nap: String,
}

impl World {
    fn new() -> World {
        let place = Place::new();
        fs::create_dir(place.path("home")).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        World { place, listener, nap: unique_sleep() }
    }

    fn port(&self) -> u16 {
        self.listener.local_addr().unwrap().port()
    }

    /// Runs a command and returns what it has answered, and what the hostile code has reached.
    fn run(&self, arguments: &[&str]) -> (Run, BTreeSet<&'static str>) {
        let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        let cache = cache.or_else(|| Some(std::env::home_dir()?.join(".cache"))).unwrap();
        let mut command = self.place.command();
        // The user's cache has everything that Lapidary compiles for itself.
        command.args(arguments).env("HOME", self.place.path("home")).env("XDG_CACHE_HOME", cache);
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let run = Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) };
        self.place.assert_clean(&run.to_string());
        assert_eq!(running(&self.nap), Vec::<String>::new(), "{run}");
        (run, self.reached())
    }

    fn reached(&self) -> BTreeSet<&'static str> {
        let mut reached = BTreeSet::new();
        for (file, name) in [("home/written", "home"), ("written", "input")] {
            if fs::remove_file(self.place.path(file)).is_ok() {
                reached.insert(name);
            }
        }
        while self.listener.accept().is_ok() {
            reached.insert("network");
        }
        reached
    }

    /// Runs a command without a sandbox and in one. Both answer the same, and only the first
    /// reaches anything.
    #[track_caller]
    fn tells_the_same(&self, code: i32, arguments: &[&str], answer: fn(&Run) -> String) {
        let with = |option| [&arguments[..1], &[option], &arguments[1..]].concat();
        let (free, reached) = self.run(&with("--sandbox=off"));
        assert_eq!(reached, BTreeSet::from(["home", "input", "network"]), "{free}");
        let (enclosed, reached) = self.run(&with("--sandbox"));
        assert_eq!(reached, BTreeSet::new(), "{enclosed}");
        assert_eq!((free.code, answer(&free)), (Some(code), answer(&enclosed)), "{free}\n{enclosed}");
        enclosed.ends_with(code).complains(&["runs in a sandbox", "--sandbox=off"]);
    }

    /// A shell script that does harm and then this.
    fn script(&self, name: &str, then: &str) {
        let body = format!(
            "(echo x > \"$HOME/written\") 2>/dev/null
             (echo x > \"$(dirname \"$0\")/written\") 2>/dev/null
             bash -c 'echo x > /dev/tcp/127.0.0.1/{}' 2>/dev/null
             setsid sleep {} &
             {then}",
            self.port(),
            self.nap
        );
        self.place.script(name, &body);
    }

    /// A C program that does harm and then fails.
    fn c_program(&self, name: &str) {
        let text = format!(
            r#"#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
static void harm(void)
{{
    char path[4096];
    snprintf(path, sizeof path, "%s/written", getenv("HOME"));
    fopen(path, "w");
    fopen("written", "w");
    struct sockaddr_in server = {{AF_INET, htons({}), {{htonl(INADDR_LOOPBACK)}}}};
    connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&server, sizeof server);
    if (fork() == 0) {{
        setsid();
        execlp("sleep", "sleep", "{}", (char *)NULL);
    }}
}}
int main(void)
{{
    int sum = 2;
    harm();
    sum += 3;
    abort();
}}
"#,
            self.port(),
            self.nap
        );
        self.place.write(name, text);
    }

    /// A class `T` that does harm, compiled.
    fn classes(&self, directory: &str, body: &str) {
        let text = format!(
            r#"import java.io.*;
import java.net.*;
public class T {{
    static boolean done;
    static void harm() {{
        if (done) return;
        done = true;
        write(System.getenv("HOME") + "/written");
        write("{}");
        try (Socket socket = new Socket("127.0.0.1", {})) {{ }} catch (IOException error) {{ }}
        try {{ new ProcessBuilder("sleep", "{}").start(); }} catch (IOException error) {{ }}
    }}
    static void write(String file) {{
        try (FileWriter writer = new FileWriter(file)) {{ writer.write("x"); }} catch (IOException error) {{ }}
    }}
    {body}
}}
"#,
            self.place.path("written").display(),
            self.port(),
            self.nap
        );
        let source = self.place.write(&format!("{directory}/T.java"), text);
        javac(&["-g"], &self.place.path(format!("{directory}/classes")), [source]);
    }
}

fn stdout(run: &Run) -> String {
    run.stdout.clone()
}

#[test]
fn a_hostile_test_of_reduce() {
    let world = World::new();
    world.place.write("input.txt", support::numbers(8));
    world.script("test.sh", "grep -q 5 input.txt");
    let arguments = ["reduce", "input.txt", "--force", "-j1", "--out", "small.txt", "--", "./test.sh"];
    world.tells_the_same(0, &arguments, |_| String::new());
    assert_eq!(world.place.read("small.txt").trim(), "5");
}

#[test]
fn a_hostile_worker_of_reduce() {
    let world = World::new();
    world.place.write("input.txt", support::numbers(4));
    let answers = r#"echo '{"lapidary": 1, "name": "test"}'
        id=0
        while read -r line; do
            path=${line#*'"candidate":"'}
            if grep -q 3 "${path%%'"'*}"; then verdict=interesting; else verdict=uninteresting; fi
            echo "{\"id\": $id, \"verdict\": \"$verdict\", \"reason\": \"\"}"
            id=$((id + 1))
        done"#;
    world.script("worker.sh", answers);
    let worker = world.place.path("worker.sh").display().to_string();
    let arguments = ["reduce", "input.txt", "--force", "-j1", "--out", "small.txt", "--worker", &worker];
    world.tells_the_same(0, &arguments, |_| String::new());
    assert_eq!(world.place.read("small.txt").trim(), "3");
}

#[test]
fn a_hostile_program_of_crash() {
    let world = World::new();
    world.c_program("hostile.c");
    let arguments = ["crash", "hostile.c", "--force", "--out", "small.c"];
    world.tells_the_same(0, &arguments, |run| run.stdout.lines().next().unwrap_or_default().to_owned());
    assert!(!world.place.read("small.c").contains("harm"));
}

#[test]
fn a_hostile_program_of_slice() {
    let world = World::new();
    world.c_program("hostile.c");
    world.tells_the_same(0, &["slice", "hostile.c:23", "--dynamic"], stdout);
}

#[test]
fn a_hostile_command_of_model() {
    let world = World::new();
    world.place.write("input.txt", support::numbers(8));
    world.script("accepts.sh", "grep -q 5 \"$1\"");
    world.tells_the_same(
        1,
        &["model", "input.txt", "--as", "lines", "--check", "6", "--", "./accepts.sh", "{}"],
        stdout,
    );
}

#[test]
fn a_hostile_program_of_explore() {
    let world = World::new();
    world.classes("app", "static int f(int x) { harm(); throw new IllegalStateException(\"always\"); }");
    let random = ["--fuzz-first", "1200s", "--fuzz-calls", "8", "--timeout", "20m"];
    let arguments = [&["explore", "app/classes", "--main", "T.f"], &random[..]].concat();
    world.tells_the_same(1, &arguments, |run| {
        run.stdout.lines().filter(|line| line.starts_with("random")).collect::<Vec<_>>().join("\n")
    });
}

#[test]
fn a_hostile_program_of_compare() {
    let world = World::new();
    for (version, result) in [("old", "1"), ("new", "2")] {
        world.classes(version, &format!("static int f(int x) {{ harm(); return {result}; }}"));
    }
    let arguments =
        ["compare", "old/classes", "new/classes", "--main", "T.f", "--fuzz-first", "60", "--timeout", "20m"];
    world.tells_the_same(1, &arguments, |run| run.stdout.contains("random testing found a difference").to_string());
}

#[test]
fn a_hostile_program_of_triage() {
    let world = World::new();
    world.classes("app", "public static void main(String[] arguments) { harm(); plain(); } static void plain() { }");
    let analysis = "all=printf 'T.%s\\n' 'main:([Ljava/lang/String;)V' 'harm:()V' 'write:(Ljava/lang/String;)V'";
    let asked = ["--own", "none", "--others", "none", "--analysis", analysis];
    let arguments = [&["triage", "app/classes", "--main", "T"], &asked[..]].concat();
    world.tells_the_same(0, &arguments, |run| run.stdout.contains("T.plain:()V").to_string());
}

/// Crash, explore and compare use a sandbox without being asked to, and say so in one line.
#[test]
fn the_default_is_a_sandbox_where_lapidary_invents_what_runs() {
    let world = World::new();
    world.c_program("hostile.c");
    let (run, reached) = world.run(&["crash", "hostile.c", "--out", "small.c"]);
    assert_eq!(reached, BTreeSet::new(), "{run}");
    run.ends_with(0).complains(&["lapidary: the program runs in a sandbox (no network, limits for "]);
    let (run, reached) = world.run(&["crash", "hostile.c", "--out", "small.c", "--force", "--quiet"]);
    assert_eq!((reached, run.stderr.as_str()), (BTreeSet::new(), ""), "{run}");
    world.place.write("input.txt", "5\n");
    world.script("test.sh", "exit 0");
    let (run, reached) = world.run(&["reduce", "input.txt", "--out", "small.txt", "--", "./test.sh"]);
    assert_eq!(reached.len(), 3, "{run}");
}

/// An exit code is not taken for a signal, even one that looks like it.
#[test]
fn a_program_that_exits_with_139_does_not_crash() {
    let place = Place::new();
    place.write("exits.c", "int main(void)\n{\n    return 139;\n}\n");
    let run = place.lapidary(&["crash", "exits.c", "--sandbox"]);
    run.ends_with(1).complains(&["does not fail: exit code 139", "--sandbox=off"]);
    place.write("input.txt", "5\n");
    let expected = ["--expect", "exit=SEGV", "--", "sh", "-c", "kill -SEGV $$"];
    place.lapidary(&[&["reduce", "--sandbox", "input.txt"], &expected[..]].concat()).ends_with(0);
}

#[test]
fn a_test_that_needs_the_world_is_told_about_the_sandbox() {
    let place = Place::new();
    place.write("input.txt", "5\n");
    let test = ["input.txt", "--", "sh", "-c", "exit 1"];
    let run = place.lapidary(&[&["reduce", "--sandbox"], &test[..]].concat());
    run.ends_with(1).complains(&["note: the test ran in a sandbox", "try --sandbox=off"]);
}

/// A place whose `bwrap` may not make sandboxes.
fn forbidden() -> (Place, String) {
    let place = Place::new();
    let fake =
        place.write("bin/bwrap", "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n");
    fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", place.path("bin").display(), std::env::var("PATH").unwrap());
    (place, path)
}

#[test]
fn without_permission_only_a_demanded_sandbox_is_an_error() {
    let (place, path) = forbidden();
    place.write("fails.c", "#include <stdlib.h>\nint main(void)\n{\n    abort();\n}\n");
    let crash = |option: &[&str]| {
        let output = place.command().args(["crash", "fails.c", "--force"]).args(option).env("PATH", &path).output();
        let output = output.unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, said) = crash(&["--sandbox"]);
    assert_eq!(code, Some(2), "{said}");
    for word in ["no sandbox for the program", "No permissions", "user namespaces", "--sandbox=auto"] {
        assert!(said.contains(word), "{said}");
    }
    let (code, said) = crash(&[]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(said.matches("runs without a sandbox").count(), 1, "{said}");
    assert!(!crash(&["--sandbox=off"]).1.contains("sandbox"));
}

#[test]
fn without_bubblewrap_every_command_says_how_to_get_it() {
    let place = Place::new();
    for tool in ["sh", "java", "javac"] {
        let path = std::env::var_os("PATH").unwrap();
        let mut candidates = std::env::split_paths(&path).map(|directory| directory.join(tool));
        let real = candidates.find(|path| path.is_file()).unwrap_or_else(|| panic!("{tool} is not on PATH"));
        fs::create_dir_all(place.path("bin")).unwrap();
        std::os::unix::fs::symlink(real.canonicalize().unwrap(), place.path("bin").join(tool)).unwrap();
    }
    place.write("input.txt", "5\n");
    place.write("a.c", "int main(void)\n{\n    return 0;\n}\n");
    let commands: [&[&str]; 7] = [
        &["reduce", "--sandbox", "input.txt", "--", "sh", "-c", "exit 0"],
        &["crash", "--sandbox", "a.c"],
        &["slice", "--sandbox", "--dynamic", "a.c:3"],
        &["model", "--sandbox", "input.txt", "--check", "1", "--", "sh"],
        &["explore", "--sandbox", "bin", "--main", "T.f"],
        &["compare", "--sandbox", "bin", "bin", "--main", "T.f"],
        &["triage", "--sandbox", "bin", "--main", "T"],
    ];
    for arguments in commands {
        let output = place.command().args(arguments).env("PATH", place.path("bin")).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains("bubblewrap is not installed (apt install bubblewrap)"), "{arguments:?}: {said}");
    }
}

#[test]
fn nothing_to_enclose_is_an_error() {
    let place = Place::new();
    place.write("a.c", "int main(void)\n{\n    return 0;\n}\n");
    place.lapidary(&["slice", "a.c:3", "--sandbox"]).ends_with(2).complains(&["--dynamic"]);
    place.lapidary(&["model", "a.c", "--sandbox"]).ends_with(2).complains(&["--check"]);
    place.lapidary(&["crash", "a.c", "--sandbox=perhaps"]).ends_with(2).complains(&["on, off, auto"]);
}
