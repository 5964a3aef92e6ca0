complete -c utfconv -s f -l from-code -d 'Encoding of the input [default: UTF-8]' -r
complete -c utfconv -s t -l to-code -d 'Encoding of the output [default: UTF-8]' -r
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
complete -c utfconv -l ill-formed -d 'What to do about ill-formed bytes' -r
complete -c utfconv -l unmappable -d 'What to do about characters that the output\'s encoding lacks' -r
complete -c utfconv -l errors -d 'Both: stop, replace[=TEXT], omit, escape[=percent] or surrogateescape' -r
complete -c utfconv -l max-faults -d 'Report at most N faults; 0 is no limit [default: 100]' -r
complete -c utfconv -l lossy-status -d 'Exit status where faults were dealt with and not fatal [default: 1 after -c, else 0]' -r -f -a "0\t''
1\t''"
complete -c utfconv -s o -l output -d 'Write to FILE, whole or not at all; it may be an input' -r -F
complete -c utfconv -l mmap -d 'Map regular files into memory instead of reading them [default: auto]' -r -f -a "auto\t'Where it is faster (nowhere so far)'
always\t'Every regular file'
never\t'None'"
complete -c utfconv -l buffer-size -d 'Size of the buffers, for tests' -r
complete -c utfconv -l generate -d 'Print the man page or a shell\'s completions' -r -f -a "man\t''
bash\t''
zsh\t''
fish\t''
powershell\t''
elvish\t''"
complete -c utfconv -s l -l list -d 'List the encodings and their other names, and exit'
complete -c utfconv -s c -d 'Omit what is at fault; the status is still 1 if anything was'
complete -c utfconv -l per-byte -d 'Replace each ill-formed byte, not each maximal subpart'
complete -c utfconv -s s -l silent -d 'Say nothing about the data; the status is the same'
complete -c utfconv -l verbose -d 'Name each input on standard error'
complete -c utfconv -l force-terminal -d 'Write UTF-16 and UTF-32 to a terminal too'
complete -c utfconv -s h -l help -d 'Print help (see more with \'--help\')'
complete -c utfconv -s V -l version -d 'Print version'
