//! Names in tar archives: headers of V7, ustar, star, pax and GNU tar.

use std::fs::File;
use std::io::{BufReader, Read};

use super::raw_name::{Broken, Each, Origin, RawName};

/// The size of all blocks.
pub const BLOCK: usize = 512;

/// The longest extended header or long name that is read: far longer than any path.
const LONGEST: u64 = 1 << 20;

/// The longest name that is read for all files that follow: it is listed for each of them.
const LONGEST_FOR_ALL: usize = 4096;

type Block = [u8; BLOCK];

/// What an extended header has of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Extended {
    path: Option<Vec<u8>>,
    /// The name of a sparse file, whose path is another one.
    sparse: Option<Vec<u8>>,
    size: Option<u64>,
    /// Names are bytes of an encoding that is not known.
    is_binary: bool,
}

/// Whether a block is a header: its checksum shows it.
pub fn is_header(block: &[u8]) -> bool {
    let Ok(block) = <&Block>::try_from(block) else { return false };
    let Some(expected) = octal(&block[148..156]).filter(|sum| *sum > 0) else { return false };
    let as_written = |at: usize| if (148..156).contains(&at) { b' ' } else { block[at] };
    let unsigned: u64 = (0..BLOCK).map(|at| u64::from(as_written(at))).sum();
    // Some old programs added signed bytes.
    let signed: i64 = (0..BLOCK).map(|at| i64::from(as_written(at).cast_signed())).sum();
    unsigned == expected || u64::try_from(signed) == Ok(expected)
}

/// A number of octal digits, with blanks and NULs around them.
fn octal(field: &[u8]) -> Option<u64> {
    let is_blank = |byte: &u8| matches!(byte, b' ' | 0);
    let start = field.iter().position(|byte| !is_blank(byte)).unwrap_or(field.len());
    let digits = field[start..].split(is_blank).next().unwrap_or_default();
    digits.iter().try_fold(0_u64, |value, digit| {
        let digit = digit.checked_sub(b'0').filter(|digit| *digit < 8)?;
        value.checked_mul(8)?.checked_add(u64::from(digit))
    })
}

/// A size: octal digits, or the bytes of GNU tar for large ones.
fn size(field: &[u8]) -> Option<u64> {
    match field[0] {
        0x80 => {
            field[1..].iter().try_fold(0_u64, |value, byte| Some(value.checked_mul(256)? + u64::from(*byte)))
        }
        0xFF => None,
        _ => octal(field),
    }
}

/// A text up to its first NUL.
fn text(field: &[u8]) -> &[u8] {
    field.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// Calls `each` for each name in a file, which is read from its beginning.
pub fn visit(file: &mut File, each: &mut Each) -> Result<(), Broken> {
    let len = file.metadata()?.len();
    let mut reader = Reader { file: BufReader::new(file), at: 0, len };
    let (mut global, mut local, mut long) = (Extended::default(), None, None);
    while let Some(block) = reader.block()? {
        if block.iter().all(|byte| *byte == 0) {
            return Ok(());
        }
        let at = reader.at - BLOCK as u64;
        if !is_header(&block) {
            return Err(Broken::Headers(at, "there is no header of a file"));
        }
        let own_size = size(&block[124..136]).ok_or(Broken::Headers(at, "the size of a file is wrong"))?;
        match block[156] {
            b'x' | b'X' => {
                let mut extended = global.clone();
                extended.read(&reader.content(own_size)?).ok_or(Broken::Headers(at, WRONG_EXTENDED))?;
                local = Some(extended);
                continue;
            }
            b'g' => {
                let content = reader.content(own_size)?;
                global.read(&content).ok_or(Broken::Headers(at, WRONG_EXTENDED))?;
                if [&global.path, &global.sparse]
                    .into_iter()
                    .flatten()
                    .any(|name| name.len() > LONGEST_FOR_ALL)
                {
                    return Err(Broken::Headers(at, "the name for all files is longer than 4096 bytes"));
                }
                continue;
            }
            b'L' => {
                long = Some(text(&reader.content(own_size)?).to_vec());
                continue;
            }
            b'K' => reader.skip(own_size)?,
            kind => {
                let extended = local.take().unwrap_or_else(|| global.clone());
                let long = long.take();
                // The header of a volume names no file.
                if kind != b'V' {
                    each(name(&block, long, &extended))?;
                }
                if kind == b'S' {
                    reader.skip_maps(&block)?;
                }
                // A second name of a file has no content.
                let has_content = kind != b'1' || extended.size.is_some();
                reader.skip(if has_content { extended.size.unwrap_or(own_size) } else { 0 })?;
            }
        }
    }
    Ok(())
}

const WRONG_EXTENDED: &str = "the extended header is wrong";

/// Returns the name of a header, and of what came before it.
fn name(block: &Block, long: Option<Vec<u8>>, extended: &Extended) -> RawName {
    if let Some(bytes) = extended.sparse.clone().or_else(|| extended.path.clone()) {
        // GNU tar writes names there as they are.
        let is_utf8 = !extended.is_binary && std::str::from_utf8(&bytes).is_ok();
        let origin = if is_utf8 { Origin::Pax } else { Origin::Header };
        return RawName { bytes, origin };
    }
    let short = text(&block[..100]);
    let prefix = match &block[257..263] {
        b"ustar\0" if &block[508..512] == b"tar\0" => text(&block[345..476]),
        b"ustar\0" => text(&block[345..500]),
        _ => b"",
    };
    let bytes = match (long, prefix) {
        (Some(long), _) => long,
        (None, b"") => short.to_vec(),
        (None, prefix) => [prefix, b"/", short].concat(),
    };
    RawName { bytes, origin: Origin::Header }
}

impl Extended {
    /// Reads the records of an extended header; None if they are wrong.
    fn read(&mut self, mut records: &[u8]) -> Option<()> {
        while !records.is_empty() && records[0] != 0 {
            let blank = records.iter().take(20).position(|byte| *byte == b' ')?;
            let len: usize = std::str::from_utf8(&records[..blank]).ok()?.parse().ok()?;
            let record = records.get(blank + 1..len)?.strip_suffix(b"\n")?;
            records = &records[len..];
            let equals = record.iter().position(|byte| *byte == b'=')?;
            let (key, value) = (&record[..equals], &record[equals + 1..]);
            // An empty value removes one of the global header.
            let value = Some(value.to_vec()).filter(|value| !value.is_empty());
            match key {
                b"path" => self.path = value,
                b"GNU.sparse.name" => self.sparse = value,
                b"hdrcharset" => self.is_binary = value.is_some_and(|value| value == b"BINARY"),
                b"size" => {
                    let digits = value.map(String::from_utf8).transpose().ok()?;
                    self.size = digits.map(|digits| digits.parse()).transpose().ok()?;
                }
                _ => {}
            }
        }
        Some(())
    }
}

struct Reader<'a> {
    file: BufReader<&'a mut File>,
    at: u64,
    len: u64,
}

impl Reader<'_> {
    /// Returns the next block; None at the end.
    fn block(&mut self) -> Result<Option<Block>, Broken> {
        if self.at == self.len {
            return Ok(None);
        }
        if self.len - self.at < BLOCK as u64 {
            return Err(self.cut());
        }
        let mut block = [0; BLOCK];
        self.file.read_exact(&mut block)?;
        self.at += BLOCK as u64;
        Ok(Some(block))
    }

    fn cut(&self) -> Broken {
        Broken::Headers(self.at, "the archive is cut")
    }

    /// Returns the content of a header, which fills whole blocks.
    fn content(&mut self, size: u64) -> Result<Vec<u8>, Broken> {
        if size > LONGEST {
            return Err(Broken::Headers(self.at, "the extended header is longer than 1 MiB"));
        }
        let start = self.at;
        if size > self.len - start {
            return Err(self.cut());
        }
        let mut content = vec![0; size as usize];
        self.file.read_exact(&mut content)?;
        self.at += size;
        self.to(start + size.next_multiple_of(BLOCK as u64))?;
        Ok(content)
    }

    /// Skips the content of a file.
    fn skip(&mut self, size: u64) -> Result<(), Broken> {
        let padded = size.checked_next_multiple_of(BLOCK as u64);
        let end = padded.and_then(|size| self.at.checked_add(size)).ok_or(self.cut())?;
        self.to(end)
    }

    fn to(&mut self, end: u64) -> Result<(), Broken> {
        if end > self.len {
            return Err(self.cut());
        }
        self.file.seek_relative((end - self.at).cast_signed())?;
        self.at = end;
        Ok(())
    }

    /// Skips the blocks after the header of a sparse file that have more of its map.
    fn skip_maps(&mut self, header: &Block) -> Result<(), Broken> {
        let mut is_more = header[482] != 0;
        while is_more {
            let block = self.block()?.ok_or(self.cut())?;
            is_more = block[504] != 0;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_bounded() {
        for (field, expected) in [
            (&b"0000644\0"[..], Some(0o644)),
            (b"   12 \0", Some(10)),
            (b"\0\0\0", Some(0)),
            (b"9", None),
            (b"7777777777777777777777777", None),
        ] {
            assert_eq!(octal(field), expected, "{field:?}");
        }
        assert_eq!(size(b"\x80\0\0\0\0\0\0\0\0\0\x01\0"), Some(256));
        assert_eq!(size(b"\x80\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"), None);
        assert_eq!(size(b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"), None);
    }

    #[test]
    fn extended_headers_are_read() {
        let mut extended = Extended::default();
        let records = "18 path=d\u{FC}/a=b\nc\n21 hdrcharset=BINARY\n11 size=42\n";
        assert_eq!(extended.read(records.as_bytes()), Some(()));
        let path = Some("d\u{FC}/a=b\nc".as_bytes().to_vec());
        assert_eq!(extended, Extended { path, size: Some(42), is_binary: true, sparse: None });
        for wrong in [
            "5 a=b",
            "99 a=b\n",
            "6 a=b\n\n",
            "x a=b\n",
            "5 abc\n",
            "0 a=b\n",
            "3 \n",
            "99999999999999999999999 a=b\n",
        ] {
            assert_eq!(Extended::default().read(wrong.as_bytes()), None, "{wrong:?}");
        }
    }
}
