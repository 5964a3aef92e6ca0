//! The test suite of the program, from outside. The library has its own in its crate.

mod batch;
mod batch_reports;
mod harness;
mod in_place;
mod programs;
#[path = "../crates/utfconv-core/tests/random.rs"]
mod random;
#[path = "../crates/utfconv-core/tests/texts.rs"]
mod texts;

mod baseline; // known errors of `check`
mod benches; // small forms of the benchmarks
mod binary_files; // batches skip them
mod boms; // U+FEFF at the start
mod check; // the command check, from outside
mod ci; // the snippets of docs/ci.md
mod completions; // bash, zsh and fish are asked to complete
mod compressed; // SCSU and BOCU-1, against ICU
mod configured; // conversions obey .editorconfig and .gitattributes
mod corpus; // `check` on a tree of damaged text, against a second opinion
mod declarations; // text that names its own encoding
mod detect; // the command detect, from outside
mod diffs; // --diff, and what git apply makes of it
mod documents; // examples of README.md, docs/ and the man pages
mod edit; // the command edit, from outside
mod examples; // ranges on engines, in examples/
mod exchanged_directories; // links in the place of directories, while files are converted
mod family; // the relatives of UTF-8 and UTF-16, and the carriers
mod faults; // kinds, places and sentences
mod fix; // check --fix
mod generated; // man page and completions are those of the option table
mod git_filter; // git-filter and textconv, packet by packet and by git
mod hidden_text; // hidden text and look-alikes, from outside
mod hooks; // those of pre-commit
mod iconv; // the same as glibc's iconv under its name, except what is listed
mod inspect; // the command inspect, from outside
mod interrupted_names; // names -i killed at every call, where files take the names of others
mod kernels; // every set of kernels passes the vectors
mod layers; // folders import from those below
mod legacy_multi_byte; // the encodings of East Asia, code by code, as Python, glibc and ICU have them
mod manifests;
mod mapping_files; // those of glibc and ICU, and ours
mod mirror;
mod mixed_files;
mod names; // the command names, from outside
mod normalize; // normalization, from outside
mod options; // the command line
mod pages; // tables and names of the single-byte pages, as peers have them
mod parts; // files in parts are as from end to end
mod peers; // the same as Python, uconv and glibc iconv, except what is listed
mod policies; // what is done about faults
mod power_cut; // files are old or new as a whole, on a disk that is cut off
mod program_list; // what the tests call
mod project; // utfconv.toml
mod ranges; // parts of files
mod records;
mod repair; // the command repair, from outside
mod repositories; // --tracked, --staged and --since
mod restore; // what a program lost, put back from an old version
mod scenarios; // what may happen to a process: full disks, closed pipes, odd files
mod schemas; // reports are as their schemas say
mod since; // checks that compare files with old versions
mod stats; // what --stats reports, as Python counts it
mod streams; // slow and non-blocking pipes
mod translit; // approximations, and where they differ from glibc's
mod undeclared;
mod writers; // faults while files are changed, for every command that changes them
