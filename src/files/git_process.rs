//! Runs git so that no program named by the repository is started.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::files::draft::Draft;
use crate::files::signals;
use crate::ui::quote::{one_line, reason};

/// Variables by which git finds a repository. Hooks set them relative to the directory in which they run.
const PATHS: [&str; 6] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
];

const GIT: &str = "git";

/// The message for a repository without a work tree.
const BARE: &str = "a bare repository has no files; name a work tree";

/// Returns a git command that runs in `directory`.
pub fn git(directory: &Path) -> Command {
    let mut command = Command::new(GIT);
    let current = std::env::current_dir().unwrap_or_default();
    for name in PATHS {
        if let Some(path) = std::env::var_os(name).filter(|path| Path::new(path).is_relative()) {
            command.env(name, current.join(path));
        }
    }
    // If GIT_DIR is set without GIT_WORK_TREE, git takes its current directory as the work tree.
    if std::env::var_os("GIT_DIR").is_some() && std::env::var_os("GIT_WORK_TREE").is_none() {
        command.env("GIT_WORK_TREE", &current);
    }
    command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0");
    // Versions of git before 2.45 ignore GIT_NO_LAZY_FETCH. No protocol is called "none", so all protocols are
    // forbidden.
    command.env("GIT_ALLOW_PROTOCOL", "none");
    command.env("LC_ALL", "C").env_remove("GIT_EXTERNAL_DIFF").stdin(Stdio::null());
    let settings = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "submodule.recurse=false"];
    command.arg("-C").arg(directory).args(["--no-pager", "--literal-pathspecs"]);
    command.args(settings.iter().flat_map(|setting| ["-c", setting]));
    command
}

/// Runs git. Returns its output, or an error message.
pub fn ask(
    directory: &Path,
    arguments: &[impl AsRef<OsStr>],
    settings: &[(OsString, &str)],
) -> Result<Vec<u8>, String> {
    let mut command = git(directory);
    // `--config-env` is used, because -c does not accept keys with '=', and GIT_CONFIG_COUNT would replace settings
    // that the environment makes.
    for (number, (key, value)) in settings.iter().enumerate() {
        let variable = format!("UTFCONV_GIT_{number}");
        let option = [OsStr::new("--config-env="), key, OsStr::new("="), OsStr::new(&variable)];
        command.arg(option.into_iter().collect::<OsString>()).env(variable, value);
    }
    command.args(arguments);
    printed(command)
}

/// Returns the output of a git command, or an error message.
pub fn printed(mut command: Command) -> Result<Vec<u8>, String> {
    let output = command.output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => "git is needed for this, and is not on the PATH".to_string(),
        _ => format!("git: {}", reason(&error)),
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let first = first_line(&output.stderr).unwrap_or_else(|| "it failed".to_string());
    Err(match &first {
        _ if first.starts_with("not a git repository") => "not in a git repository".to_string(),
        _ if first.contains("must be run in a work tree") => BARE.to_string(),
        // Git's remedy is in a later line.
        _ => format!("git: {first}{}", remedy(&output.stderr)),
    })
}

/// Returns the command that git's error messages name, such as the one for a repository of another user.
fn remedy(said: &[u8]) -> String {
    let said = String::from_utf8_lossy(said);
    let command = said.lines().map(str::trim).find(|line| line.starts_with("git config --global --add "));
    command.map_or_else(String::new, |command| format!("; use '{}'", one_line(command)))
}

/// Returns a temporary file, after `write` has written it.
pub fn temporary(write: impl FnOnce(&mut std::fs::File) -> io::Result<()>) -> io::Result<std::fs::File> {
    let draft = Draft::elsewhere(OsStr::new("utfconv-staged"))?;
    let mut file = draft.file().try_clone()?;
    write(&mut file)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(file)
}

/// A running `git cat-file --batch`.
#[derive(Debug)]
pub struct Contents {
    child: Child,
    /// Sends names of objects to the thread that writes to git.
    requests: Sender<String>,
    stdout: BufReader<ChildStdout>,
    /// A file that receives git's error messages.
    stderr: std::fs::File,
}

impl Contents {
    pub fn start(root: &Path) -> io::Result<Contents> {
        let mut command = git(root);
        let stderr = temporary(|_| Ok(()))?;
        let mut child = command
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(stderr.try_clone()?)
            .spawn()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("git has no streams"));
        };
        let (requests, received) = channel();
        thread::Builder::new().spawn(move || send(&received, stdin))?;
        Ok(Contents { child, requests, stdout: BufReader::new(stdout), stderr })
    }

    pub fn copy(&mut self, object: &str, into: &mut impl Write) -> io::Result<()> {
        // A failed send needs no error of its own, because the read below then finds the end of git's output.
        let _ = self.requests.send(format!("{object}\n"));
        let mut header = String::new();
        self.stdout.by_ref().take(1 << 12).read_line(&mut header)?;
        if header.is_empty() {
            return Err(self.ended());
        }
        let words: Vec<_> = header.split_whitespace().collect();
        if let [_, "missing"] = words[..] {
            let why = "its content is not in the repository (a partial clone?), and nothing is fetched";
            return Err(io::Error::other(why));
        }
        let length = if let [_, "blob", length] = words[..] { length.parse().ok() } else { None };
        let length: u64 = length.ok_or_else(|| io::Error::other(not_understood()))?;
        let copied = io::copy(&mut self.stdout.by_ref().take(length), into)?;
        let mut newline = Vec::new();
        self.stdout.by_ref().take(1).read_to_end(&mut newline)?;
        match &newline[..] {
            b"\n" if copied == length => Ok(()),
            [] => Err(self.ended()),
            _ => Err(io::Error::other(not_understood())),
        }
    }

    /// Returns the error that git exited before it answered.
    fn ended(&mut self) -> io::Error {
        // Dropping the sender makes the thread close git's input, so that git ends even if it has closed only its
        // output.
        (self.requests, _) = channel();
        let status = self.child.wait().map_or_else(|error| reason(&error), |status| status.to_string());
        let mut said = Vec::new();
        // If the messages cannot be read, the error has only the status.
        let _ = self.stderr.rewind().and_then(|()| (&self.stderr).take(1 << 12).read_to_end(&mut said));
        let why = first_line(&said).map_or_else(String::new, |line| format!(": {line}"));
        io::Error::other(format!("git cat-file ended too early ({status}){why}"))
    }
}

/// Writes requests to git until there are no more or git ends. Runs in a thread of its own in which SIGPIPE is blocked,
/// because in another thread the signal would end the process.
fn send(requests: &Receiver<String>, mut git: ChildStdin) {
    signals::refuse_pipe_signal_in_thread();
    for request in requests {
        if git.write_all(request.as_bytes()).is_err() {
            return;
        }
    }
}

/// Returns the first line of git's error messages, escaped for terminals; `None` if there is none.
fn first_line(said: &[u8]) -> Option<String> {
    let said = String::from_utf8_lossy(said);
    let first = said.lines().find(|line| !line.trim().is_empty())?;
    Some(one_line(first.trim_start_matches("fatal: ").trim_start_matches("error: ")).into_owned())
}

impl Drop for Contents {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn not_understood() -> String {
    "unexpected output from git; please report it".to_string()
}
