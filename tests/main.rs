//! The test suite of the program. Each library crate has tests of its own.

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
mod benches; // the benchmarks on small inputs
mod binary_files; // batches skip binary files
mod boms; // U+FEFF at the start
mod check; // the command check
mod ci; // the snippets of docs/ci.md
mod completions; // completion in bash, zsh and fish
mod compressed; // SCSU and BOCU-1 compared with ICU
mod configured; // conversions obey .editorconfig and .gitattributes
mod corpus; // `check` on a tree of damaged text, compared with Python
mod declarations; // text that names its own encoding
mod detect; // the command detect
mod diffs; // --diff, and git apply with its patches
mod documents; // examples of README.md, docs/ and the man pages
mod dry_run; // what a conversion would change or lose
mod edit; // the command edit, from outside
mod examples; // ranges on engines, in examples/
mod exchanged_directories; // links in the place of directories, while files are converted
mod family; // the relatives of UTF-8 and UTF-16, and the carriers
mod faults; // kinds, places and sentences
mod fix; // check --fix
mod generated; // man pages and completions match the option tables
mod git_filter; // git-filter and textconv, by packets and by git
mod hidden_text; // hidden text and look-alikes
mod hooks; // hooks for pre-commit
mod iconv; // same results as glibc's iconv, except for listed differences
mod inspect; // the command inspect
mod interrupted_names; // names -i killed at every system call
mod kernels; // every set of kernels passes the vectors
mod layers; // folders import only from lower layers
mod legacy_multi_byte; // encodings of East Asia, compared with Python, glibc and ICU
mod manifests;
mod mapping_files; // mapping files of glibc, ICU and utfconv
mod mirror;
mod mixed_files;
mod names; // the command names
mod normalize; // normalization
mod options; // the command line
mod pages; // tables and names of code pages, compared with peers
mod parts; // files converted in parts give the same result
mod peers; // same results as Python, uconv and iconv, except for listed differences
mod policies; // reactions to errors
mod power_cut; // files are old or new as a whole after a power cut
mod program_list; // the programs that tests call
mod project; // utfconv.toml
mod ranges; // parts of files
mod records;
mod repair; // the command repair
mod repositories; // --tracked, --staged and --since
mod restore; // lost text, restored from an old version
mod scenarios; // full disks, closed pipes and odd files
mod schemas; // reports match their schemas
mod since; // checks that compare files with old versions
mod stats; // --stats, compared with Python
mod streams; // slow and non-blocking pipes
mod translit; // approximations, and where they differ from glibc's
mod typed_words; // words of other programs, and the answers
mod undeclared;
mod writers; // errors while files are changed, for all commands that change files
