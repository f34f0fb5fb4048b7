//! Directories removed by a background thread while the next test runs.

use crate::scratch::remove;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// The largest number of directories waiting for removal, so that the disk does not fill up.
const BACKLOG: usize = 16;

/// Directories to be removed, by a thread of its own.
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
    /// A request for an answer once everything before it is removed.
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

    /// Moves `directory` away for removal. If the thread cannot keep up, the caller removes it.
    pub fn take(&self, directory: &Path) {
        let grave = self.path.join(self.count.fetch_add(1, Ordering::Relaxed).to_string());
        if fs::rename(directory, &grave).is_err() {
            // It is already gone, or its permissions forbid moving it.
            return remove(directory);
        }
        let refused = self.orders().is_none_or(|orders| orders.try_send(Order::Remove(grave.clone())).is_err());
        if refused {
            remove(&grave);
        }
    }

    /// Waits until everything is removed. Returns false if the trash was empty.
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

    /// Stops the thread. The caller has to remove the rest.
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
