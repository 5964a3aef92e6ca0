
use builtin;
use str;

set edit:completion:arg-completer[utfconv] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'utfconv'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'utfconv'= {
            cand -f 'Encoding of the input [default: UTF-8]'
            cand --from-code 'Encoding of the input [default: UTF-8]'
            cand -t 'Encoding of the output [default: UTF-8]'
            cand --to-code 'Encoding of the output [default: UTF-8]'
            cand --input-bom 'What a signature (U+FEFF first) means [default: auto]'
            cand --output-bom 'Whether to write a signature [default: auto]'
            cand --ill-formed 'What to do about ill-formed bytes'
            cand --unmappable 'What to do about characters that the output''s encoding lacks'
            cand --errors 'Both: stop, replace[=TEXT], omit, escape[=percent] or surrogateescape'
            cand --max-faults 'Report at most N faults; 0 is no limit [default: 100]'
            cand --lossy-status 'Exit status where faults were dealt with and not fatal [default: 1 after -c, else 0]'
            cand -o 'Write to FILE, whole or not at all; it may be an input'
            cand --output 'Write to FILE, whole or not at all; it may be an input'
            cand --mmap 'Map regular files into memory instead of reading them [default: auto]'
            cand --buffer-size 'Size of the buffers, for tests'
            cand --generate 'Print the man page or a shell''s completions'
            cand -l 'List the encodings and their other names, and exit'
            cand --list 'List the encodings and their other names, and exit'
            cand -c 'Omit what is at fault; the status is still 1 if anything was'
            cand --per-byte 'Replace each ill-formed byte, not each maximal subpart'
            cand -s 'Say nothing about the data; the status is the same'
            cand --silent 'Say nothing about the data; the status is the same'
            cand --verbose 'Name each input on standard error'
            cand --force-terminal 'Write UTF-16 and UTF-32 to a terminal too'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
    ]
    $completions[$command]
}
