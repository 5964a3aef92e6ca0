//! Memory of conversions in memory: it grows with the output, and not with the number of faults.

use utfconv_core::{OnIllFormed, Options, Policy, UTF_8, decode_to_string};

/// Bytes that are all faults.
const LEN: usize = 16 << 20;

/// Set in the process whose memory is measured.
const MEASURED: &str = "UTFCONV_MEASURED";

/// Returns the most memory that this process has had, in bytes.
fn peak() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().map(|size: usize| size << 10).ok()
}

/// A text of 300 MB out of 100 MB of faults takes 350 MB at most, beside the source. Here it is a sixth of that.
#[test]
fn faults_take_no_memory() {
    let name = "memory::faults_take_no_memory";
    if std::env::var_os(MEASURED).is_none() {
        let this = std::env::current_exe().expect("a path");
        let child = std::process::Command::new(this).args(["--exact", name]).env(MEASURED, "1").output();
        let child = child.expect("runs");
        let out = String::from_utf8_lossy(&child.stdout);
        assert!(child.status.success() && out.contains("1 passed"), "{out}");
        return;
    }
    let source = vec![0xFF; LEN];
    let Some(before) = peak() else { return };
    let policy = Policy::default().ill_formed(OnIllFormed::Replace(None));
    let text = decode_to_string(&source, &UTF_8, &Options::default().policy(policy)).expect("replaces");
    assert_eq!(text.len(), 3 * LEN);
    let grown = peak().expect("as before") - before;
    assert!((3 * LEN..LEN / 2 * 7).contains(&grown), "{grown} for {LEN}");
}
