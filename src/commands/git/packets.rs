//! Packets in git's pkt-line format: a length in four hexadecimal digits, which includes the digits, and the payload. A
//! length of 0 is a flush packet, which ends a list or content.

use std::io::{self, BufRead, ErrorKind, Read, Write};

/// Maximum length of a packet in bytes.
const LONGEST: usize = 65520;
/// Maximum length of a payload in bytes.
pub const LONGEST_PAYLOAD: usize = LONGEST - DIGITS;

/// Number of hexadecimal digits of a packet's length.
const DIGITS: usize = 4;

/// Why a run of git cannot be served any longer.
#[derive(Debug)]
pub enum ProtocolError {
    Read(io::Error),
    Write(io::Error),
    /// The peer does not speak the protocol, or the input ended within a packet.
    Malformed(String),
}

/// Reads the length of the payload of the next packet; `None` for a flush packet.
fn payload_len(source: &mut impl Read) -> Result<Option<usize>, ProtocolError> {
    let mut digits = [0; DIGITS];
    read_exact(source, &mut digits)?;
    let text = std::str::from_utf8(&digits).ok().filter(|text| text.bytes().all(|b| b.is_ascii_hexdigit()));
    let len = text.and_then(|text| usize::from_str_radix(text, 16).ok());
    match len {
        Some(0) => Ok(None),
        Some(len @ DIGITS..=LONGEST) => Ok(Some(len - DIGITS)),
        _ => Err(ProtocolError::Malformed(format!("\"{}\" is no packet length", digits.escape_ascii()))),
    }
}

fn read_exact(source: &mut impl Read, into: &mut [u8]) -> Result<(), ProtocolError> {
    source.read_exact(into).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => ProtocolError::Malformed("the input ends in the middle".to_string()),
        _ => ProtocolError::Read(error),
    })
}

/// Whether the input has ended.
pub fn is_at_end(source: &mut impl BufRead) -> Result<bool, ProtocolError> {
    source.fill_buf().map(<[u8]>::is_empty).map_err(ProtocolError::Read)
}

/// Reads a packet of a list, without the newline at its end; `None` at the end of the list.
pub fn read_line(source: &mut impl Read) -> Result<Option<Vec<u8>>, ProtocolError> {
    let Some(len) = payload_len(source)? else { return Ok(None) };
    let mut line = vec![0; len];
    read_exact(source, &mut line)?;
    line.pop_if(|byte| *byte == b'\n');
    Ok(Some(line))
}

/// Reads content to its end. Returns `None` if there is not enough memory for all of it.
pub fn read_content(source: &mut impl Read) -> Result<Option<Vec<u8>>, ProtocolError> {
    let (mut content, mut fits) = (Vec::new(), true);
    while let Some(len) = payload_len(source)? {
        if !fits || content.try_reserve(len).is_err() {
            fits = false;
            // Keep reading, because git reads a response only after it has sent all content.
            content = Vec::new();
        }
        let start = content.len();
        content.resize(start + len, 0);
        read_exact(source, &mut content[start..])?;
    }
    Ok(fits.then_some(content))
}

/// Writes a packet with a payload, which must not be empty.
pub fn write_packet(sink: &mut impl Write, payload: &[u8]) -> io::Result<()> {
    write!(sink, "{:04x}", payload.len() + DIGITS)?;
    sink.write_all(payload)
}

pub fn write_flush(sink: &mut impl Write) -> io::Result<()> {
    sink.write_all(b"0000")
}

/// Writes a list, and the flush packet that ends it.
pub fn write_list(sink: &mut impl Write, lines: &[&str]) -> io::Result<()> {
    for line in lines {
        write_packet(sink, format!("{line}\n").as_bytes())?;
    }
    write_flush(sink)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_are_read_as_they_were_written() {
        let mut written = Vec::new();
        let long = vec![b'x'; LONGEST_PAYLOAD];
        for payload in [&b"a"[..], b"line\n", b"two\n\n", &long] {
            write_packet(&mut written, payload).expect("memory");
        }
        write_flush(&mut written).expect("memory");
        assert!(written.starts_with(b"0005a0009line\n0009two\n\nfff0xxx"));
        let source = &mut &written[..];
        assert_eq!(read_line(source).expect("a packet"), Some(b"a".to_vec()));
        assert_eq!(read_line(source).expect("a packet"), Some(b"line".to_vec()));
        assert_eq!(read_line(source).expect("a packet"), Some(b"two\n".to_vec()));
        assert_eq!(read_content(source).expect("packets"), Some(long));
        assert!(is_at_end(source).expect("memory"));
    }

    #[test]
    fn what_is_no_packet_is_refused() {
        for wrong in
            [&b""[..], b"000", b"0005", b"0001", b"0003", b"fff1", b"ffff", b"+005a", b"text", b"\xFF\0\n "]
        {
            assert!(matches!(read_line(&mut &wrong[..]), Err(ProtocolError::Malformed(_))), "{wrong:?}");
        }
        assert_eq!(read_line(&mut &b"0004"[..]).expect("an empty packet"), Some(Vec::new()));
        assert_eq!(read_line(&mut &b"000AabcdeF"[..]).expect("a packet"), Some(b"abcdeF".to_vec()));
    }
}
