complete -c utfconv -l input-bom -d 'What a signature (U+FEFF first) means [default: auto]' -r -f -a "auto\t'Use, keep or drop it as the encodings demand'
keep\t'Keep it, as U+FEFF in the output'
strip\t'Remove it'
text\t'It is text (the protocol forbids signatures)'
forbid\t'It is a fault'
require\t'Its absence is a fault'
sniff\t'It decides the encoding, over -f'"
complete -c utfconv -l output-bom -d 'Whether to write a signature [default: auto]' -r -f -a "auto\t'As the encoding demands, and where the input\'s is kept'
always\t'Always, but not on empty output'
never\t'Never, not even one that was kept'"
complete -c utfconv -l byte-subst -d 'Write each ill-formed byte as printf\'s FORMAT has it, such as \'<0x%02x>\'' -r
complete -c utfconv -l unicode-subst -d 'Write each unmappable character as FORMAT has it, such as \'<U+%04X>\'' -r
complete -c utfconv -l widechar-subst -d 'Without effect, for libiconv\'s sake: no input is of wide characters' -r
complete -c utfconv -l max-faults -d 'Report at most N faults; 0 is no limit [default: 100]' -r
complete -c utfconv -l lossy-status -d 'Status after faults that did not end the run [default: 1 if -c omitted any, else 0]' -r -f -a "0\t''
1\t''"
complete -c utfconv -s o -l output -d 'Write to FILE, whole or not at all; it may be an input' -r -F
complete -c utfconv -l mmap -d 'Map regular files into memory instead of reading them [default: auto]' -r -f -a "auto\t'Where it is faster (nowhere so far)'
always\t'Every regular file'
never\t'None'"
complete -c utfconv -s f -l from-code -d 'Encoding of the input [default: UTF-8]' -r -f -a "UTF-8\t''
UTF-16\t''
UTF-16LE\t''
UTF-16BE\t''
UTF-32\t''
UTF-32LE\t''
UTF-32BE\t''
CESU-8\t''
ISO-8859-1\t''
US-ASCII\t''"
complete -c utfconv -s t -l to-code -d 'Encoding of the output [default: UTF-8]; //TRANSLIT or //IGNORE may follow' -r -f -a "UTF-8\t''
UTF-16\t''
UTF-16LE\t''
UTF-16BE\t''
UTF-32\t''
UTF-32LE\t''
UTF-32BE\t''
CESU-8\t''
ISO-8859-1\t''
US-ASCII\t''"
complete -c utfconv -l errors -d 'Sets both: a mode that both have, such as replace[=TEXT] or escape=percent' -r -f -a "stop\t''
replace\t''
omit\t''
escape\t''
surrogateescape\t''
pua\t''
c8\t''"
complete -c utfconv -l ill-formed -d 'What to do about ill-formed bytes [default: stop]' -r -f -a "stop\t''
replace\t''
omit\t''
escape\t''
fallback=\t''
surrogateescape\t''
pua\t''
c8\t''
raw\t''"
complete -c utfconv -l unmappable -d 'What to do about characters that the output lacks [default: stop]' -r -f -a "stop\t''
replace\t''
omit\t''
escape\t''
translit\t''
surrogateescape\t''
pua\t''
c8\t''"
complete -c utfconv -s l -l list -d 'List the encodings and exit'
complete -c utfconv -s c -d 'Omit what is at fault; the status is still 1 if anything was'
complete -c utfconv -l per-byte -d 'With replace: once for each ill-formed byte, not each maximal subpart'
complete -c utfconv -s s -l silent -d 'Say nothing about the data; the status is the same'
complete -c utfconv -l verbose -d 'Name each input on standard error as it is opened'
complete -c utfconv -l force-terminal -d 'Write UTF-16 and UTF-32 to a terminal too'
complete -c utfconv -s h -l help -d 'Print help (see more with \'--help\')'
complete -c utfconv -s V -l version -d 'Print version'
