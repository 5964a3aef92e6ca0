//! Tests that the memory of a conversion in memory grows with the output, but not with the number of faults.

use utfconv_core::{OnIllFormed, Options, Policy, UTF_8, decode_to_string};

/// Number of bytes in the source, all of which are faults.
const LEN: usize = 16 << 20;

/// An environment variable that is set in the process whose memory is measured.
const MEASURED: &str = "UTFCONV_MEASURED";

/// Returns the peak memory of this process in bytes, or `None` if `/proc` does not tell the peak.
fn peak() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().map(|size: usize| size << 10).ok()
}

/// 100 MB of faults become a text of 300 MB, which takes at most 350 MB besides the source. The test uses a sixth of
/// these sizes.
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
