//! UTF-7 (RFC 2152), and its variant for names of mailboxes in IMAP.

use crate::codec::Codec;
use crate::decode::Utf7;
use crate::decode::utf7::Variant;
use crate::encode::ToUtf7;

pub(crate) static UTF_7: Codec = Codec {
    decoder: || Box::new(Utf7::new(Variant::Rfc2152)),
    encoder: || Box::new(ToUtf7::new(Variant::Rfc2152)),
};

pub(crate) static UTF_7_IMAP: Codec = Codec {
    decoder: || Box::new(Utf7::new(Variant::Imap)),
    encoder: || Box::new(ToUtf7::new(Variant::Imap)),
};
