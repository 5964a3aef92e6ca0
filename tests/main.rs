//! The test suite: the library against naive decoders, and the program from outside.

mod harness;
#[allow(dead_code)] // each test program uses its part
mod oracle;

mod chunks; // whole equals chunked: every cut, every size
mod faults; // kinds, places and sentences
mod generated; // man page and completions are those of the option table
mod options; // the command line
mod pages; // tables and names of the single-byte pages, as peers have them
mod peers; // the same as Python, uconv and glibc iconv, but for what is listed
mod policies; // what is done about faults
mod scenarios; // what may happen to a process: full disks, closed pipes, odd files
mod signatures; // U+FEFF at the start
mod standards; // vectors of the RFC and of The Unicode Standard
mod streams; // odd readers and writers
mod translit; // approximations, and where they differ from glibc's
