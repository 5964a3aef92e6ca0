//! The two faces of the legacy encodings.

use super::{
    BIG5, BIG5_HKSCS, CP932, CP936, CP949, CP950, CP51932, EUC_JP, EUC_JP_MS, EUC_KR, GB2312, GB18030, GBK,
    Judged, LEAD, MultiByte, SHIFT_JIS, SINGLE_SHIFT_3, hkscs, iso_2022_jp,
};
use crate::decode::{BLOCK, Decode, Extent, Next, Verdict, WINDOW, WellFormed, measure_bytes};
use crate::encode::{Encode, Put, WIDEST};

/// The multi-byte encodings without shift states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Legacy {
    ShiftJis,
    Cp932,
    EucJp,
    EucJpMs,
    Cp51932,
    EucKr,
    Cp949,
    Big5,
    Cp950,
    Big5Hkscs,
    Gb2312,
    Gbk,
    Cp936,
    Gb18030,
}

impl Legacy {
    /// The codec, whose tables are made when they are first asked for.
    pub fn codec(self) -> Codec {
        Codec(match self {
            Legacy::ShiftJis => &SHIFT_JIS,
            Legacy::Cp932 => &CP932,
            Legacy::EucJp => &EUC_JP,
            Legacy::EucJpMs => &EUC_JP_MS,
            Legacy::Cp51932 => &CP51932,
            Legacy::EucKr => &EUC_KR,
            Legacy::Cp949 => &CP949,
            Legacy::Big5 => &BIG5,
            Legacy::Cp950 => &CP950,
            Legacy::Big5Hkscs => &BIG5_HKSCS,
            Legacy::Gb2312 => &GB2312,
            Legacy::Gbk => &GBK,
            Legacy::Cp936 => &CP936,
            Legacy::Gb18030 => &GB18030,
        })
    }

    /// Whether the bytes 00..7F are ASCII wherever they stand: they are no trail bytes here.
    pub fn is_ascii(self) -> bool {
        use Legacy::*;
        matches!(self, EucJp | EucJpMs | Cp51932 | EucKr | Gb2312)
    }
}

/// A multi-byte encoding without shift states.
pub(crate) struct Codec(&'static MultiByte);

impl WellFormed for Codec {
    #[inline(always)]
    fn scalar(&self, window: &[u8; WINDOW]) -> Option<(char, usize)> {
        self.0.scalar(window)
    }

    #[inline(always)]
    fn ascii(&self, src: &[u8]) -> Option<[u8; BLOCK]> {
        let block: [u8; BLOCK] = src.try_into().ok()?;
        (self.0.reads_ascii && block.is_ascii()).then_some(block)
    }
}

impl From<Judged> for Next {
    fn from(judged: Judged) -> Next {
        match judged {
            Judged::Scalar(code_point, len) => Next::Scalar { code_point, len },
            Judged::Pair(code_points, len) => Next::Pair { code_points, len },
            Judged::IllFormed(kind, len) => Next::IllFormed(Verdict::whole(kind, len)),
            Judged::Incomplete => Next::Incomplete,
        }
    }
}

impl Decode for Codec {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        self.0.judge(src, last).into()
    }

    fn measure(&self, run: &[u8]) -> Extent {
        // No trail byte is a line feed.
        measure_bytes(run, b'\n', |run| self.0.count(run))
    }

    fn announced(&self, lead: u8) -> Option<usize> {
        match self.0.singles[usize::from(lead)] {
            LEAD if !self.0.quads.is_empty() => None,
            LEAD if lead == SINGLE_SHIFT_3 && !self.0.triples.is_empty() => Some(3),
            LEAD => Some(2),
            _ => Some(1),
        }
    }
}

impl Put for Codec {
    #[inline(always)]
    fn put(&self, scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        // What may share a code with the next scalar value is left to the encoder that can wait for it.
        if !self.0.pairs.is_empty() && self.0.begins_pair(scalar) {
            return None;
        }
        self.0.put(scalar, dst)
    }
}

impl Encode for hkscs::Writer {
    fn encode<'a>(&mut self, code_point: u32, room: &'a mut [u8; WIDEST]) -> Option<&'a [u8]> {
        self.put(char::from_u32(code_point)?, room)
    }

    fn has(&self, code_point: u32) -> bool {
        char::from_u32(code_point).is_some_and(|scalar| BIG5_HKSCS.put(scalar, &mut [0; WIDEST]).is_some())
    }

    fn finish<'a>(&mut self, room: &'a mut [u8; WIDEST]) -> &'a [u8] {
        self.end(room)
    }

    fn at_rest(&self) -> bool {
        !self.holds()
    }
}

impl Decode for iso_2022_jp::Reader {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        match self.judge(src, last) {
            iso_2022_jp::Found::Character(judged) => judged.into(),
            iso_2022_jp::Found::Shift(len) => Next::Shift { len },
        }
    }

    fn taken(&mut self) {
        self.commit();
    }

    fn measure(&self, run: &[u8]) -> Extent {
        // No kernel reads this form, so there are no runs.
        measure_bytes(run, b'\n', <[u8]>::len)
    }
}

impl Encode for iso_2022_jp::Writer {
    fn encode<'a>(&mut self, code_point: u32, room: &'a mut [u8; WIDEST]) -> Option<&'a [u8]> {
        self.put(char::from_u32(code_point)?, room)
    }

    fn has(&self, code_point: u32) -> bool {
        let room = &mut [0; WIDEST];
        char::from_u32(code_point).is_some_and(|scalar| self.clone().put(scalar, room).is_some())
    }

    fn finish<'a>(&mut self, room: &'a mut [u8; WIDEST]) -> &'a [u8] {
        self.end(room)
    }

    fn at_rest(&self) -> bool {
        self.is_in_ascii()
    }
}
