//! Encodings of Latin letters in which an accent is a byte of its own.

use super::{BomMeaning, Encoding, Form, Utf8Kernels};
use crate::legacy::{self, Tables};

encodings! {
    /// ITU-T T.61 (teletex), which writes the accent of a Latin letter as a byte before the letter.
    T_61 = "T.61-8bit", Form::MultiByte(Tables(&legacy::T_61)), BomMeaning::None, "T.61 iso-ir-103 csISO103T618bit";
    /// ISO 6937 of 1992, which writes the accent of a Latin letter as a byte before the letter.
    ISO_6937 = "ISO_6937", Form::MultiByte(Tables(&legacy::ISO_6937)), BomMeaning::None,
        "ISO-IR-156 ISO_6937:1992 ISO6937";
    /// ISO 6937-2 of 1983, which writes the accent of a Latin letter as a byte before the letter.
    ISO_6937_2 = "ISO_6937-2", Form::MultiByte(Tables(&legacy::ISO_6937_2)), BomMeaning::None,
        "iso-ir-90 csISO90 ISO_6937-2:1983";
    /// ANSI X3.110, the character set of videotex.
    ANSI_X3_110 = "ANSI_X3.110-1983", Form::MultiByte(Tables(&legacy::ANSI_X3_110)), BomMeaning::None,
        "iso-ir-99 CSA_T500-1983 NAPLPS csISO99NAPLPS ANSI_X3.110 CSA_T500";
}
