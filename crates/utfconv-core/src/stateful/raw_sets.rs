//! Two-byte character sets, each as an encoding by itself.

use crate::codec::Codec;
use crate::legacy::iso_2022::{RawSet, Set, ToRawSet};
use crate::legacy::{self, Pairing};

macro_rules! sets {
    ($($id:ident = $set:ident;)+) => {
        $(pub(crate) static $id: Codec =
            Codec { decoder: || Box::new(RawSet(Set::$set)), encoder: || Box::new(ToRawSet(Set::$set)) };)+
    };
}

sets! {
    JIS_X0208 = Jis0208;
    JIS_X0212 = Jis0212;
    ISO_IR_165 = IsoIr165;
    IBM_5478 = Ibm5478;
}

/// The codec is stateful, because any byte may be the first or the second byte of a code.
pub(crate) static IBM_16684: Codec = Codec {
    decoder: || Box::new(&*legacy::IBM_16684),
    encoder: || Box::new(Pairing::new(&legacy::IBM_16684)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::IllFormed;
    use crate::legacy::testkit::{read_all, write_all};

    #[test]
    fn text_round_trips() {
        for (set, text, bytes) in [
            (Set::Jis0208, "亜 あ\n", &b"0! $\"\n"[..]),
            (Set::Jis0212, "丂", b"0!"),
            (Set::IsoIr165, "啊", b"0!"),
            (Set::Ibm5478, "啊´", b"0!#'"),
        ] {
            assert_eq!(write_all(ToRawSet(set), text).as_deref(), Some(bytes));
            assert_eq!(read_all(RawSet(set), bytes), (text.to_string(), vec![]));
        }
        for text in ["a", "é", "ｱ", "😀"] {
            assert_eq!(write_all(ToRawSet(Set::Jis0208), text), None, "{text}");
        }
    }

    #[test]
    fn faults() {
        let read = |src| read_all(RawSet(Set::Jis0208), src);
        let faulty = |text: &str, kind, len| (text.to_string(), vec![(kind, len)]);
        assert_eq!(read(b"0"), faulty("", IllFormed::Truncated, 1));
        assert_eq!(read(b"0\n"), faulty("\n", IllFormed::Truncated, 1));
        assert_eq!(read(b"-!0!"), faulty("亜", IllFormed::Unassigned, 2));
        assert_eq!(read(b"\xB0\n"), faulty("\n", IllFormed::NeverUsed, 1));
    }
}
