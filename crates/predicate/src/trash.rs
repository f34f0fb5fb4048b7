//! Directories that a thread of their own removes, while the next test runs already.

use crate::scratch::remove;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// More than this is not put off: the disk might fill.
const BACKLOG: usize = 16;

pub struct Trash {
    path: PathBuf,
    count: AtomicU64,
    thread: Mutex<Option<Thread>>,
    closed: Arc<AtomicBool>,
}

struct Thread {
    orders: SyncSender<Order>,
    handle: JoinHandle<()>,
}

enum Order {
    Remove(PathBuf),
    /// Answer when everything before this is removed.
    Report(SyncSender<()>),
}

impl Trash {
    pub fn new(path: PathBuf) -> io::Result<Self> {
        fs::create_dir(&path)?;
        let (orders, received) = sync_channel(BACKLOG);
        let closed = Arc::new(AtomicBool::new(false));
        let handle = std::thread::Builder::new().name("trash".into()).spawn({
            let closed = closed.clone();
            move || work(&received, &closed)
        })?;
        let thread = Mutex::new(Some(Thread { orders, handle }));
        Ok(Trash { path, count: AtomicU64::new(0), thread, closed })
    }

    /// Makes room where `directory` is. When the thread cannot keep up, the caller does the work.
    pub fn take(&self, directory: &Path) {
        let grave = self.path.join(self.count.fetch_add(1, Ordering::Relaxed).to_string());
        if fs::rename(directory, &grave).is_err() {
            // It is gone already, or its permissions forbid to move it.
            return remove(directory);
        }
        let refused = self.orders().is_none_or(|orders| orders.try_send(Order::Remove(grave.clone())).is_err());
        if refused {
            remove(&grave);
        }
    }

    /// Waits until everything is removed. False if nothing was there.
    pub fn empty(&self) -> bool {
        let anything = fs::read_dir(&self.path).is_ok_and(|mut entries| entries.next().is_some());
        let (report, done) = sync_channel(1);
        if let Some(orders) = self.orders()
            && orders.send(Order::Report(report)).is_ok()
        {
            let _ = done.recv();
        }
        anything
    }

    /// Stops the thread. What it has not removed is left to the caller.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Thread { orders, handle }) = thread {
            drop(orders);
            let _ = handle.join();
        }
    }

    fn orders(&self) -> Option<SyncSender<Order>> {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        thread.as_ref().map(|thread| thread.orders.clone())
    }
}

fn work(orders: &Receiver<Order>, closed: &AtomicBool) {
    for order in orders {
        match order {
            Order::Remove(path) if !closed.load(Ordering::Relaxed) => remove(&path),
            Order::Remove(_) => {}
            Order::Report(done) => drop(done.send(())),
        }
    }
}
