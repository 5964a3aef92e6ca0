//! The long-running filter process protocol of git, version 2 (gitattributes(5)): the handshake, requests, and
//! responses.

use std::io::{self, BufRead, Write};

pub use super::packets::ProtocolError;
use super::packets::{
    LONGEST_PAYLOAD, is_at_end, read_content, read_line, write_flush, write_list, write_packet,
};

/// The direction of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the work tree to the repository.
    Clean,
    /// From the repository to the work tree.
    Smudge,
}

impl Direction {
    const ALL: [Direction; 2] = [Direction::Clean, Direction::Smudge];

    fn word(self) -> &'static str {
        match self {
            Direction::Clean => "clean",
            Direction::Smudge => "smudge",
        }
    }
}

/// A request of git.
pub struct Request {
    pub direction: Direction,
    pub path: Vec<u8>,
    /// The content; `None` if there is not enough memory for it.
    pub content: Option<Vec<u8>>,
}

fn malformed<T>(text: impl Into<String>) -> Result<T, ProtocolError> {
    Err(ProtocolError::Malformed(text.into()))
}

/// Agrees with git on the version of the protocol and on capabilities.
pub fn shake_hands(source: &mut impl BufRead, sink: &mut impl Write) -> Result<(), ProtocolError> {
    let first = read_line(source)?;
    if first.as_deref() != Some(b"git-filter-client") {
        return malformed("the first packet is not \"git-filter-client\"");
    }
    let mut knows_ours = false;
    while let Some(line) = read_line(source)? {
        knows_ours |= line == b"version=2";
    }
    if !knows_ours {
        return malformed("git does not offer version 2 of the protocol");
    }
    let written = write_list(sink, &["git-filter-server", "version=2"]).and_then(|()| sink.flush());
    written.map_err(ProtocolError::Write)?;
    let mut common = Vec::new();
    while let Some(line) = read_line(source)? {
        let known = Direction::ALL.iter().map(|direction| format!("capability={}", direction.word()));
        // git also offers other capabilities, which are not used.
        common.extend(known.filter(|known| known.as_bytes() == line));
    }
    let lines: Vec<_> = common.iter().map(String::as_str).collect();
    write_list(sink, &lines).and_then(|()| sink.flush()).map_err(ProtocolError::Write)
}

/// Reads the next request; `None` at the end.
pub fn read_request(source: &mut impl BufRead) -> Result<Option<Request>, ProtocolError> {
    if is_at_end(source)? {
        return Ok(None);
    }
    let (mut command, mut path) = (None, None);
    while let Some(line) = read_line(source)? {
        let Some(at) = line.iter().position(|byte| *byte == b'=') else {
            return malformed(format!("\"{}\" is no key and value", line.escape_ascii()));
        };
        let value = line[at + 1..].to_vec();
        match &line[..at] {
            b"command" => command = Some(value),
            b"pathname" => path = Some(value),
            // Other keys, such as the branch that is checked out, are ignored.
            _ => {}
        }
    }
    let (Some(command), Some(path)) = (command, path) else {
        return malformed("a request has no command or no pathname");
    };
    let Some(direction) = Direction::ALL.into_iter().find(|one| one.word().as_bytes() == command) else {
        return malformed(format!("\"{}\" is a command that was not offered", command.escape_ascii()));
    };
    Ok(Some(Request { direction, path, content: read_content(source)? }))
}

/// The response to a request, to which the content is written. A refusal before the first packet of content is the
/// whole response; a later refusal follows the content, which git then drops.
pub struct Response<'a, W: Write> {
    sink: &'a mut W,
    /// The payload of the next packet.
    payload: Vec<u8>,
    began: bool,
}

impl<'a, W: Write> Response<'a, W> {
    pub fn new(sink: &'a mut W) -> Response<'a, W> {
        Response { sink, payload: Vec::new(), began: false }
    }

    fn write_payload(&mut self) -> io::Result<()> {
        if !self.began {
            write_list(self.sink, &["status=success"])?;
            self.began = true;
        }
        if !self.payload.is_empty() {
            write_packet(self.sink, &self.payload)?;
            self.payload.clear();
        }
        Ok(())
    }

    /// Ends the response with the content, or with a refusal.
    pub fn end(mut self, is_done: bool) -> io::Result<()> {
        if is_done {
            self.write_payload()?;
            write_flush(self.sink)?;
            write_flush(self.sink)?;
        } else {
            if self.began {
                write_flush(self.sink)?;
            }
            write_list(self.sink, &["status=error"])?;
        }
        self.sink.flush()
    }
}

impl<W: Write> Write for Response<'_, W> {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        if self.payload.len() == LONGEST_PAYLOAD {
            self.write_payload()?;
        }
        let len = from.len().min(LONGEST_PAYLOAD - self.payload.len());
        self.payload.extend_from_slice(&from[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
