//! EBCDIC with two-byte codes for East Asia.

use super::{BomMeaning, Encoding, Form, Utf8Kernels};
use crate::legacy::{self, Tables};
use crate::stateful;

encodings! {
    /// Japanese EBCDIC with katakana, which is IBM290 with two-byte codes.
    IBM930 = "IBM930", Form::Host(Tables(&legacy::IBM930)), BomMeaning::None, "CP930 CSIBM930 ibm-5026 930 x-IBM930 x-IBM930A";
    /// Korean EBCDIC with two-byte codes.
    IBM933 = "IBM933", Form::Host(Tables(&legacy::IBM933)), BomMeaning::None, "CP933 CSIBM933 933 x-IBM933";
    /// Simplified Chinese EBCDIC with two-byte codes.
    IBM935 = "IBM935", Form::Host(Tables(&legacy::IBM935)), BomMeaning::None, "CP935 CSIBM935 935 x-IBM935";
    /// Traditional Chinese EBCDIC with two-byte codes.
    IBM937 = "IBM937", Form::Host(Tables(&legacy::IBM937)), BomMeaning::None, "CP937 CSIBM937 937 x-IBM937";
    /// Japanese EBCDIC with Latin letters.
    IBM939 = "IBM939", Form::Host(Tables(&legacy::IBM939)), BomMeaning::None, "CP939 CSIBM939 ibm-931 ibm-5035 939 x-IBM939 x-IBM939A";
    /// Korean EBCDIC with all Hangul syllables of Unicode.
    IBM1364 = "IBM1364", Form::Host(Tables(&legacy::IBM1364)), BomMeaning::None, "CP1364 CSIBM1364 x-IBM1364";
    /// Traditional Chinese EBCDIC with the euro sign.
    IBM1371 = "IBM1371", Form::Host(Tables(&legacy::IBM1371)), BomMeaning::None, "CP1371 CSIBM1371 x-IBM1371";
    /// Simplified Chinese EBCDIC with the characters of GB 18030.
    IBM1388 = "IBM1388", Form::Host(Tables(&legacy::IBM1388)), BomMeaning::None, "CP1388 CSIBM1388 ibm-9580 x-IBM1388";
    /// Japanese EBCDIC with katakana, the euro sign and JIS X 0213.
    IBM1390 = "IBM1390", Form::Host(Tables(&legacy::IBM1390)), BomMeaning::None, "CP1390 CSIBM1390 x-IBM1390";
    /// The two-byte codes of Japanese EBCDIC alone.
    IBM_16684 = "ibm-16684", Form::Stateful(&stateful::IBM_16684), BomMeaning::None,
        "ibm-16684_P110-2003 ibm-20780";
    /// Japanese EBCDIC with Latin letters, the euro sign and JIS X 0213.
    IBM1399 = "IBM1399", Form::Host(Tables(&legacy::IBM1399)), BomMeaning::None, "CP1399 CSIBM1399 x-IBM1399";
}
