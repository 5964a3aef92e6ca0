//! The list of encodings.

use utfconv::Encoding;

/// One canonical name a line; for people, with the other names behind it.
pub fn text(for_people: bool) -> String {
    let mut text = String::new();
    for encoding in Encoding::all() {
        text += encoding.name();
        if for_people {
            for alias in encoding.aliases() {
                text += " ";
                text += alias;
            }
        }
        text += "\n";
    }
    text
}
