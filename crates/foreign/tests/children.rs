//! Children that answer, crash, hang, sleep and take all memory. This program is its own child, so
//! it has a `main` of its own.

use lapidary_foreign::{Child, Death, Limits, Pool, Service, run_if_asked, stop_waiting};
use std::io::Write;
use std::os::fd::FromRawFd;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

static UNRULY: Service = Service { name: "unruly", open: || Box::new(obey) };

/// Does what the question says.
fn obey(question: &[u8]) -> Vec<u8> {
    match question {
        b"crash" => {
            // SAFETY: none; the child is to die of this.
            unsafe { std::ptr::without_provenance_mut::<u8>(8).write_volatile(1) };
        }
        b"recurse" => recurse(1),
        b"exit" => std::process::exit(7),
        b"work" => loop {
            std::hint::black_box(0);
        },
        b"sleep" => std::thread::sleep(Duration::from_secs(1000)),
        b"print" => println!("this must not be taken for an answer"),
        b"memory" => {
            let mut all: Vec<Vec<u8>> = Vec::new();
            loop {
                all.push(vec![1; 1 << 20]);
                std::thread::sleep(Duration::from_micros(100));
            }
        }
        b"stop" => {
            // SAFETY: the signal stops this process and nothing else.
            unsafe { libc::raise(libc::SIGSTOP) };
        }
        b"flood" => pour(1 << 60, &[0; 1 << 16]),
        b"drip" => pour(100 << 20, &[0]),
        b"pid" => return std::process::id().to_string().into_bytes(),
        _ => {}
    }
    question.to_vec()
}

/// Announces an answer of a length, and sends these bytes again and again without ever resting.
fn pour(length: u64, bytes: &[u8]) {
    // SAFETY: the child's input is its end of the socket, which is never closed.
    let mut socket = unsafe { UnixStream::from_raw_fd(0) };
    socket.write_all(&length.to_le_bytes()).unwrap();
    loop {
        socket.write_all(bytes).unwrap();
        let start = Instant::now();
        while bytes.len() == 1 && start.elapsed() < Duration::from_micros(500) {}
    }
}

#[expect(unconditional_recursion)]
fn recurse(depth: u64) {
    let frame = std::hint::black_box([depth; 1024]);
    recurse(frame[0] + 1);
    std::hint::black_box(frame);
}

fn main() {
    run_if_asked(&[&UNRULY]);
    messages_of_any_size_come_back();
    each_way_to_die_is_named();
    the_next_question_gets_a_new_child();
    a_stop_ends_questions_that_wait();
    children_end_with_the_one_who_asked();
    println!("test result: ok. 5 passed; 0 failed");
}

fn modest() -> Limits {
    Limits { memory: 200 << 20, processor: Duration::from_millis(300), sleep: Duration::from_millis(300) }
}

fn messages_of_any_size_come_back() {
    let mut child = Child::start(&UNRULY).unwrap();
    for size in [0, 1, 70_000, 3_000_000] {
        let question = vec![b'x'; size];
        assert_eq!(child.ask(&question, &Limits::default()).unwrap(), question);
    }
    assert_eq!(child.ask(b"print", &Limits::default()).unwrap(), b"print");
}

fn each_way_to_die_is_named() {
    let dies = |question: &[u8]| Child::start(&UNRULY).unwrap().ask(question, &modest()).unwrap_err();
    assert_eq!(dies(b"crash").to_string(), "it crashed (segmentation fault)");
    assert_eq!(dies(b"exit"), Death::Crashed("exit code 7".into()));
    assert!(matches!(dies(b"work"), Death::Time(_)));
    assert_eq!(dies(b"sleep"), Death::Asleep);
    assert_eq!(dies(b"memory"), Death::Memory(200 << 20));
    assert_eq!(dies(b"stop"), Death::Asleep);
    assert_eq!(dies(b"flood"), Death::Memory(200 << 20));
    assert!(matches!(dies(b"drip"), Death::Time(_)));
    let deep = Child::start(&UNRULY).unwrap().ask(b"recurse", &Limits::default());
    assert!(matches!(deep, Err(Death::Crashed(_) | Death::Memory(_))), "{deep:?}");
}

fn the_next_question_gets_a_new_child() {
    static POOL: Pool = Pool::new(&UNRULY);
    let first = POOL.ask(b"pid", &modest()).unwrap();
    assert_eq!(POOL.ask(b"pid", &modest()).unwrap(), first);
    assert!(POOL.ask(b"crash", &modest()).is_err());
    let second = POOL.ask(b"pid", &modest()).unwrap();
    assert_ne!(second, first);
    let pid = String::from_utf8(second).unwrap().parse().unwrap();
    // SAFETY: the process is an idle child of this one.
    unsafe { libc::kill(pid, libc::SIGKILL) };
    assert!(POOL.ask(b"pid", &modest()).is_ok(), "a child that somebody killed is replaced");
}

fn a_stop_ends_questions_that_wait() {
    std::thread::scope(|scope| {
        let limits = Limits { sleep: Duration::from_secs(600), ..modest() };
        let asked = scope.spawn(move || Child::start(&UNRULY).unwrap().ask(b"sleep", &limits));
        while !asked.is_finished() {
            stop_waiting();
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(asked.join().unwrap(), Err(Death::Stopped));
    });
}

fn children_end_with_the_one_who_asked() {
    let mut child = Child::start(&UNRULY).unwrap();
    let pid = String::from_utf8(child.ask(b"pid", &modest()).unwrap()).unwrap();
    let is_there = || std::path::Path::new(&format!("/proc/{pid}")).exists();
    assert!(is_there());
    drop(child);
    assert!(!is_there());
}
