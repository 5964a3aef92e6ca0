
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
            cand --ebcdic-newline 'What byte 15 of EBCDIC is [default: nel]'
            cand --input-bom 'What a BOM (U+FEFF first) means [default: auto]'
            cand --output-bom 'Whether to write a BOM [default: auto]'
            cand --byte-subst 'Write each ill-formed byte as printf''s FORMAT has it, such as ''<0x%02x>'''
            cand --unicode-subst 'Write each unmappable character as FORMAT has it, such as ''<U+%04X>'''
            cand --widechar-subst 'Without effect, for libiconv''s sake: no input is of wide characters'
            cand --max-errors 'Report at most N errors; 0 is no limit [default: 100]'
            cand --lossy-status 'Status after errors that did not end the run [default: 1 if -c omitted any, else 0]'
            cand --normalize 'Write all text in one normalization form'
            cand --newline 'Write all newlines in one form [default: keep]'
            cand -o 'Write to FILE, whole or not at all; it may be an input'
            cand --output 'Write to FILE, whole or not at all; it may be an input'
            cand --mmap 'Map regular files into memory instead of reading them [default: auto]'
            cand -j 'Use N threads [default: as many as there are processors]'
            cand --threads 'Use N threads [default: as many as there are processors]'
            cand --range 'Convert only the characters that start at a byte from A to B-1 of a file; A: and :B are ranges, too'
            cand --first-line 'With --range: byte A is in line N, so that messages can tell lines'
            cand --list-ranges 'Print up to N ranges of about the same length that make up FILE, and exit'
            cand --format 'Form of the list of ranges [default: text]'
            cand -i 'Convert each FILE to itself; with =SUFFIX, keep the old one under its name and SUFFIX'
            cand --in-place 'Convert each FILE to itself; with =SUFFIX, keep the old one under its name and SUFFIX'
            cand --output-dir 'Convert each FILE to one of the same name in DIR, directories and all'
            cand --files-from 'The files named in FILE too, one per line; ''-'' is standard input'
            cand --files0-from 'The same, each name ended by a NUL'
            cand --include 'In directories: only files that match GLOB, or one of several'
            cand --exclude 'In directories: no files and directories that match GLOB'
            cand --sync 'What has to be on the disk before an old file goes [default: file]'
            cand -f 'Encoding of the input; ''auto'' finds out [default: UTF-8]'
            cand --from-code 'Encoding of the input; ''auto'' finds out [default: UTF-8]'
            cand -t 'Encoding of the output [default: UTF-8]; //TRANSLIT or //IGNORE may follow'
            cand --to-code 'Encoding of the output [default: UTF-8]; //TRANSLIT or //IGNORE may follow'
            cand --errors 'Sets both: a mode that both have, such as replace[=TEXT] or escape=percent'
            cand --ill-formed 'What to do about ill-formed bytes [default: stop]'
            cand --unmappable 'What to do about characters that the output lacks [default: stop]'
            cand --accept-guess 'With -f auto: convert also what is no more than a guess'
            cand -l 'List the encodings and exit'
            cand --list 'List the encodings and exit'
            cand -c 'Omit what cannot be converted; the status is still 1 if anything was omitted'
            cand --per-byte 'With replace: once for each ill-formed byte, not each maximal subpart'
            cand -s 'Say nothing about the data; the status is the same'
            cand --silent 'Say nothing about the data; the status is the same'
            cand --stats 'Tell at the end, on standard error, what the input is made of and what the output lacks'
            cand --final-newline 'Add a newline to output that does not end with one'
            cand -v 'Name each input on standard error; with -i and --output-dir, say what became of each'
            cand --verbose 'Name each input on standard error; with -i and --output-dir, say what became of each'
            cand --force-terminal 'Write UTF-16, UTF-32 and EBCDIC to a terminal too'
            cand -0 'With --list-ranges: end each by a NUL'
            cand --null 'With --list-ranges: end each by a NUL'
            cand --count-output 'Print how many bytes would be written, and write none'
            cand --preserve-time 'With -i: keep the times of access and modification'
            cand --force 'With -i: write over a file that cannot be replaced by a rename'
            cand -r 'With -i and --output-dir: go through directories'
            cand --recursive 'With -i and --output-dir: go through directories'
            cand --hidden 'In directories: hidden files too, but not those of .git'
            cand --no-ignore 'In directories: also what .gitignore, .ignore and .git/info/exclude leave out'
            cand --dry-run 'Write nothing, and say what would change and what would be lost'
            cand --verify 'Read each new file again; if its text is not that of the old one, nothing is replaced'
            cand --again 'With -i and --output-dir: convert also what is in the output''s encoding already'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand check 'Say whether files are well-formed, and follow the rules selection for; silent if all is well'
            cand detect 'Say what encoding files seem to be in, why, and how sure that is'
            cand inspect 'Show bytes as sequences: where each begins, what it stands for, and what is wrong with it'
            cand list 'List the encodings: for people on a terminal, elsewhere one canonical name a line'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'utfconv;check'= {
            cand --ebcdic-newline 'What byte 15 of EBCDIC is [default: nel]'
            cand --include 'In directories: only files that match GLOB, or one of several'
            cand --exclude 'In directories: no files and directories that match GLOB'
            cand --binary 'What becomes of binary files [default: skip those met, check those named]'
            cand --files-from 'The files named in FILE too, one per line; ''-'' is standard input'
            cand --files0-from 'The same, each name ended by a NUL'
            cand --range 'Check only the characters that start in this range, A to B-1, of the bytes of one file'
            cand --first-line 'With --range: byte A is in line N, so that messages can tell lines'
            cand --stdin-filename 'Check standard input, and call it NAME in reports'
            cand --format 'Form of the report [default: text]'
            cand --max-errors 'List at most N errors of a file, and end its reading there; 0 is no limit [default: 1000]'
            cand --max-total 'List at most N errors in all; 0 is no limit [default: 100000]'
            cand --target 'With --stats: tell which characters are not in ENC, how often they occur and where first'
            cand --excerpt 'Show the lines with errors [default: auto]'
            cand --color 'Use colour [default: auto]'
            cand -j 'Use N threads [default: as many as there are processors]'
            cand --threads 'Use N threads [default: as many as there are processors]'
            cand -f 'Encoding of all files [default: what the configuration claims, or UTF-8]'
            cand --from-code 'Encoding of all files [default: what the configuration claims, or UTF-8]'
            cand --rule 'Hold files to these rules too; ''all'' is all of them'
            cand --allow 'Turn these rules off'
            cand --explain 'Explain a rule and exit'
            cand --no-config 'Do not read .editorconfig and .gitattributes'
            cand --hidden 'In directories: hidden files too, but not those of .git'
            cand --no-ignore 'In directories: also what .gitignore, .ignore and .git/info/exclude leave out'
            cand -l 'Print only the names of files with errors'
            cand --files-with-errors 'Print only the names of files with errors'
            cand -0 'With -l: end each name by a NUL'
            cand --null 'With -l: end each name by a NUL'
            cand -q 'No report; end at the first error. The status tells'
            cand --quiet 'No report; end at the first error. The status tells'
            cand -v 'List the binary files that were skipped, and sum up even if all is well'
            cand --verbose 'List the binary files that were skipped, and sum up even if all is well'
            cand --count 'Read on past the limit, and count'
            cand --stats 'Tell what the files are made of: characters, scripts, newlines, BOMs, errors'
            cand --exit-zero 'Status 0 in spite of errors'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'utfconv;detect'= {
            cand --format 'Form of the report [default: text]'
            cand --include 'In directories: only files that match GLOB, or one of several'
            cand --exclude 'In directories: no files and directories that match GLOB'
            cand --files-from 'The files named in FILE too, one per line; ''-'' is standard input'
            cand --files0-from 'The same, each name ended by a NUL'
            cand -j 'Use N threads [default: as many as there are processors]'
            cand --threads 'Use N threads [default: as many as there are processors]'
            cand --allow-7bit 'Look for ISO-2022-JP and UTF-7 in what is ASCII otherwise'
            cand --hidden 'In directories: hidden files too, but not those of .git'
            cand --no-ignore 'In directories: also what .gitignore, .ignore and .git/info/exclude leave out'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'utfconv;inspect'= {
            cand --input-bom 'What a BOM (U+FEFF first) means [default: auto]'
            cand --ebcdic-newline 'What byte 15 of EBCDIC is [default: nel]'
            cand --range 'Only what begins in this range, A to B-1, of the bytes of the input'
            cand --around 'Only the sequence that holds this byte, marked, and those around it'
            cand -C 'Show N sequences on either side, up to 65535 [default: 8, with --errors-only 3]'
            cand --context 'Show N sequences on either side, up to 65535 [default: 8, with --errors-only 3]'
            cand --format 'Form of what is shown [default: text]'
            cand --color 'Use colour [default: auto]'
            cand -f 'Encoding of the input [default: UTF-8]'
            cand --from-code 'Encoding of the input [default: UTF-8]'
            cand --errors-only 'Only errors, and the sequences around them'
            cand -x 'Give offsets in hexadecimal, too'
            cand --hex 'Give offsets in hexadecimal, too'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'utfconv;list'= {
            cand --format 'Form of the list [default: text]'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'utfconv;help'= {
            cand check 'Say whether files are well-formed, and follow the rules selection for; silent if all is well'
            cand detect 'Say what encoding files seem to be in, why, and how sure that is'
            cand inspect 'Show bytes as sequences: where each begins, what it stands for, and what is wrong with it'
            cand list 'List the encodings: for people on a terminal, elsewhere one canonical name a line'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'utfconv;help;check'= {
        }
        &'utfconv;help;detect'= {
        }
        &'utfconv;help;inspect'= {
        }
        &'utfconv;help;list'= {
        }
        &'utfconv;help;help'= {
        }
    ]
    $completions[$command]
}
