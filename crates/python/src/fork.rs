//! Lets a fork wait for work without the GIL. The library makes its tables on first use, in one thread while others
//! wait. A process that is forked in the middle of that does not have the thread, and would wait forever.

use std::cell::RefCell;
use std::sync::{PoisonError, RwLock, RwLockWriteGuard};

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Held for reading by all work without the GIL, and for writing by a fork.
static WORK: RwLock<()> = RwLock::new(());

thread_local! {
    /// The lock that a thread holds while it forks. The new process has only this thread.
    static FORK: RefCell<Option<RwLockWriteGuard<'static, ()>>> = const { RefCell::new(None) };
}

/// Runs work that calls nothing of Python without the GIL.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    py.detach(|| {
        // Other hooks of a fork may call, too.
        let is_forking = FORK.with_borrow(Option::is_some);
        let _running = (!is_forking).then(|| WORK.read().unwrap_or_else(PoisonError::into_inner));
        work()
    })
}

/// Waits without the GIL, which a thread that forks needs.
#[pyfunction]
fn before_fork(py: Python<'_>) {
    py.detach(|| FORK.set(Some(WORK.write().unwrap_or_else(PoisonError::into_inner))));
}

#[pyfunction]
fn after_fork() {
    FORK.set(None);
}

/// Lets forks wait for work, on systems that have them.
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
