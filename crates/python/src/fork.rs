//! Makes a fork wait for work that runs without the GIL. The library makes its tables on first use, in one thread while
//! other threads wait. If a process were forked meanwhile, the child would lack the thread that makes the tables, and
//! would wait forever.

use std::cell::RefCell;
use std::sync::{PoisonError, RwLock, RwLockWriteGuard};

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A lock that work without the GIL holds for reading, and a fork for writing.
static WORK: RwLock<()> = RwLock::new(());

thread_local! {
    /// The lock that a thread holds while it forks. The child has only this thread.
    static FORK: RefCell<Option<RwLockWriteGuard<'static, ()>>> = const { RefCell::new(None) };
}

/// Runs work without the GIL; the work must not call Python.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    py.detach(|| {
        // Other hooks of a fork may call this function while this thread holds the lock for writing.
        let is_forking = FORK.with_borrow(Option::is_some);
        let _running = (!is_forking).then(|| WORK.read().unwrap_or_else(PoisonError::into_inner));
        work()
    })
}

/// Waits for the lock without the GIL, because work that holds the lock may be waiting for the GIL.
#[pyfunction]
fn before_fork(py: Python<'_>) {
    py.detach(|| FORK.set(Some(WORK.write().unwrap_or_else(PoisonError::into_inner))));
}

#[pyfunction]
fn after_fork() {
    FORK.set(None);
}

/// Registers the hooks of forks, on systems that can fork.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let Ok(at_fork) = py.import("os")?.getattr("register_at_fork") else { return Ok(()) };
    let after = wrap_pyfunction!(after_fork, module)?;
    let hooks = PyDict::new(py);
    hooks.set_item("before", wrap_pyfunction!(before_fork, module)?)?;
    hooks.set_item("after_in_parent", &after)?;
    hooks.set_item("after_in_child", &after)?;
    at_fork.call((), Some(&hooks))?;
    Ok(())
}
