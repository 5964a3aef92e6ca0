//! Encodings with shift states, except UTF-7 and those of East Asia.

use super::{BomMeaning, Encoding, Form, Utf8Kernels};
use crate::{legacy, stateful};

encodings! {
    /// SCSU, the Standard Compression Scheme for Unicode (UTS #6).
    SCSU = "SCSU", Form::Stateful(&stateful::SCSU), BomMeaning::Text, "csSCSU ibm-1213 ibm-1212";
    /// BOCU-1, Binary Ordered Compression for Unicode (UTN #6).
    BOCU_1 = "BOCU-1", Form::Stateful(&stateful::BOCU_1), BomMeaning::Text, "csBOCU1 csBOCU-1 ibm-1215 ibm-1214";
    /// UTF-8 as file names of Apple's HFS Plus use it: decomposed when written, composed when read.
    UTF_8_MAC = "UTF-8-MAC", Form::Stateful(&stateful::UTF_8_MAC), BomMeaning::Text, "UTF-8-HFS";
    /// TSCII 1.7, which encodes Tamil in visual order.
    TSCII = "TSCII", Form::Stateful(&legacy::TSCII), BomMeaning::None, "csTSCII";
    /// ISCII (IS 13194:1991) that begins in Devanagari.
    ISCII_DEV = "ISCII-DEV", Form::Stateful(&stateful::ISCII_DEV), BomMeaning::None, "ISCII ISCII,version=0 x-ISCII91 x-iscii-de windows-57002 ibm-4902 57002";
    /// ISCII (IS 13194:1991) that begins in Bengali and Assamese.
    ISCII_BNG = "ISCII-BNG", Form::Stateful(&stateful::ISCII_BNG), BomMeaning::None, "ISCII,version=1 x-iscii-be windows-57003 windows-57006 x-iscii-as 57003 57006";
    /// ISCII (IS 13194:1991) that begins in Gurmukhi.
    ISCII_GUR = "ISCII-GUR", Form::Stateful(&stateful::ISCII_GUR), BomMeaning::None, "ISCII,version=2 x-iscii-pa windows-57011 57011";
    /// ISCII (IS 13194:1991) that begins in Gujarati.
    ISCII_GUJ = "ISCII-GUJ", Form::Stateful(&stateful::ISCII_GUJ), BomMeaning::None, "ISCII,version=3 x-iscii-gu windows-57010 57010";
    /// ISCII (IS 13194:1991) that begins in Oriya.
    ISCII_ORI = "ISCII-ORI", Form::Stateful(&stateful::ISCII_ORI), BomMeaning::None, "ISCII,version=4 x-iscii-or windows-57007 57007";
    /// ISCII (IS 13194:1991) that begins in Tamil.
    ISCII_TML = "ISCII-TML", Form::Stateful(&stateful::ISCII_TML), BomMeaning::None, "ISCII,version=5 x-iscii-ta windows-57004 57004";
    /// ISCII (IS 13194:1991) that begins in Telugu.
    ISCII_TLG = "ISCII-TLG", Form::Stateful(&stateful::ISCII_TLG), BomMeaning::None, "ISCII,version=6 x-iscii-te windows-57005 57005";
    /// ISCII (IS 13194:1991) that begins in Kannada.
    ISCII_KND = "ISCII-KND", Form::Stateful(&stateful::ISCII_KND), BomMeaning::None, "ISCII,version=7 x-iscii-ka windows-57008 57008";
    /// ISCII (IS 13194:1991) that begins in Malayalam.
    ISCII_MLM = "ISCII-MLM", Form::Stateful(&stateful::ISCII_MLM), BomMeaning::None, "ISCII,version=8 x-iscii-ma windows-57009 57009";
    /// GSM 03.38, the default alphabet of short messages (SMS), with one septet in each byte.
    GSM_03_38 = "GSM-03.38", Form::Stateful(&stateful::GSM_03_38), BomMeaning::None,
        "GSM0338 gsm-03.38-2009 GSM7 gsm-7bit";
}
