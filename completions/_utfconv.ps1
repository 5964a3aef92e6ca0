
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'utfconv' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'utfconv'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'utfconv' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Input encoding; ''auto'' detects it, ''auto:LIST'' among these [default: UTF-8]')
            [CompletionResult]::new('--from-code', '--from-code', [CompletionResultType]::ParameterName, 'Input encoding; ''auto'' detects it, ''auto:LIST'' among these [default: UTF-8]')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Output encoding [default: UTF-8]; //TRANSLIT or //IGNORE may follow')
            [CompletionResult]::new('--to-code', '--to-code', [CompletionResultType]::ParameterName, 'Output encoding [default: UTF-8]; //TRANSLIT or //IGNORE may follow')
            [CompletionResult]::new('--ebcdic-newline', '--ebcdic-newline', [CompletionResultType]::ParameterName, 'Map EBCDIC byte 0x15 to NEL or LF [default: nel]')
            [CompletionResult]::new('--language', '--language', [CompletionResultType]::ParameterName, 'Limit statistics to these languages and English, such as de,pt-BR')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read FILE instead of searching for utfconv.toml')
            [CompletionResult]::new('--declaration', '--declaration', [CompletionResultType]::ParameterName, 'Set how to handle text that names its own encoding, as XML does [default: keep]')
            [CompletionResult]::new('--input-bom', '--input-bom', [CompletionResultType]::ParameterName, 'Set how to handle an input BOM (U+FEFF at the start) [default: auto]')
            [CompletionResult]::new('--output-bom', '--output-bom', [CompletionResultType]::ParameterName, 'Set when to write a BOM [default: auto]')
            [CompletionResult]::new('--errors', '--errors', [CompletionResultType]::ParameterName, 'Set both modes, such as to replace[=TEXT] or escape=percent')
            [CompletionResult]::new('--byte-subst', '--byte-subst', [CompletionResultType]::ParameterName, 'Write each ill-formed byte using printf-style FORMAT, such as ''<0x%02x>''')
            [CompletionResult]::new('--unicode-subst', '--unicode-subst', [CompletionResultType]::ParameterName, 'Write each unmappable character using FORMAT, such as ''<U+%04X>''')
            [CompletionResult]::new('--widechar-subst', '--widechar-subst', [CompletionResultType]::ParameterName, 'No effect; kept for libiconv')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Report at most N errors; 0 is no limit [default: 100]')
            [CompletionResult]::new('--lossy-status', '--lossy-status', [CompletionResultType]::ParameterName, 'Set the exit status after errors that were handled [default: 1 if -c omitted any, else 0]')
            [CompletionResult]::new('--normalize', '--normalize', [CompletionResultType]::ParameterName, 'Write all text in one normalization form: nfc, nfd, nfkc or nfkd')
            [CompletionResult]::new('--newline', '--newline', [CompletionResultType]::ParameterName, 'Write all newlines as lf, crlf or cr [default: keep]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write to FILE, which may be an input; replace FILE only on success')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write to FILE, which may be an input; replace FILE only on success')
            [CompletionResult]::new('--mmap', '--mmap', [CompletionResultType]::ParameterName, 'Map regular files into memory instead of reading them [default: auto]')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Use N threads [default: as many as there are processors]')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Use N threads [default: as many as there are processors]')
            [CompletionResult]::new('--range', '--range', [CompletionResultType]::ParameterName, 'Convert only the characters that start at a byte from A to B-1 of FILE; A: and :B are ranges too')
            [CompletionResult]::new('--first-line', '--first-line', [CompletionResultType]::ParameterName, 'With --range: byte A is in line N, for the lines in messages')
            [CompletionResult]::new('--list-ranges', '--list-ranges', [CompletionResultType]::ParameterName, 'Print up to N ranges of similar length that make up FILE, and exit')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Set the format of the list of ranges [default: text]')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Convert each FILE in place; =SUFFIX keeps the old file as a backup')
            [CompletionResult]::new('--in-place', '--in-place', [CompletionResultType]::ParameterName, 'Convert each FILE in place; =SUFFIX keeps the old file as a backup')
            [CompletionResult]::new('--output-dir', '--output-dir', [CompletionResultType]::ParameterName, 'Convert each FILE to a file of the same name and directories in DIR')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Also read file names from FILE, one per line; ''-'' is standard input')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'Also read file names from FILE, each ended by NUL')
            [CompletionResult]::new('--include', '--include', [CompletionResultType]::ParameterName, 'In directories: only files that match GLOB, or one of several')
            [CompletionResult]::new('--exclude', '--exclude', [CompletionResultType]::ParameterName, 'In directories: no files and directories that match GLOB')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'With --diff: use colour [default: auto]')
            [CompletionResult]::new('--binary', '--binary', [CompletionResultType]::ParameterName, 'With -i and --output-dir: handle binary files [default: skip]')
            [CompletionResult]::new('--sync', '--sync', [CompletionResultType]::ParameterName, 'Set what must be on disk before an old file is replaced [default: file]')
            [CompletionResult]::new('--ill-formed', '--ill-formed', [CompletionResultType]::ParameterName, 'Set how to handle ill-formed (invalid) bytes [default: stop]')
            [CompletionResult]::new('--unmappable', '--unmappable', [CompletionResultType]::ParameterName, 'Set how to handle characters that cannot be encoded [default: stop]')
            [CompletionResult]::new('--accept-guess', '--accept-guess', [CompletionResultType]::ParameterName, 'With -f auto: convert even if the encoding is a guess')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Do not read utfconv.toml, .editorconfig and .gitattributes')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'List the encodings and exit')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'List the encodings and exit')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Omit what cannot be converted; exit with 1 if anything was omitted')
            [CompletionResult]::new('--per-byte', '--per-byte', [CompletionResultType]::ParameterName, 'With replace: write it once per ill-formed byte, not per maximal subpart')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Do not report errors; the exit status is the same')
            [CompletionResult]::new('--silent', '--silent', [CompletionResultType]::ParameterName, 'Do not report errors; the exit status is the same')
            [CompletionResult]::new('--stats', '--stats', [CompletionResultType]::ParameterName, 'Print statistics of the input on standard error at the end')
            [CompletionResult]::new('--final-newline', '--final-newline', [CompletionResultType]::ParameterName, 'Add a newline to output that does not end with one')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Name each input on standard error; with -i and --output-dir, report each result')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Name each input on standard error; with -i and --output-dir, report each result')
            [CompletionResult]::new('--force-terminal', '--force-terminal', [CompletionResultType]::ParameterName, 'Write UTF-16, UTF-32 and EBCDIC to a terminal too')
            [CompletionResult]::new('-0', '-0', [CompletionResultType]::ParameterName, 'With --list-ranges: end each range with NUL')
            [CompletionResult]::new('--null', '--null', [CompletionResultType]::ParameterName, 'With --list-ranges: end each range with NUL')
            [CompletionResult]::new('--count-output', '--count-output', [CompletionResultType]::ParameterName, 'Print the output length in bytes, and write nothing')
            [CompletionResult]::new('--preserve-time', '--preserve-time', [CompletionResultType]::ParameterName, 'With -i: keep the times of access and modification')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'With -i: overwrite files that cannot be replaced by a rename')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'With -i and --output-dir: convert the files in directories')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'With -i and --output-dir: convert the files in directories')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'In directories: include hidden files, except .git')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'In directories: include files that .gitignore, .ignore and .git/info/exclude exclude')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Write nothing; report what would change and what would be lost')
            [CompletionResult]::new('--diff', '--diff', [CompletionResultType]::ParameterName, 'With -i: write nothing; print what would change, as a patch for git apply')
            [CompletionResult]::new('--verify', '--verify', [CompletionResultType]::ParameterName, 'Read each new file again; keep the old one if the text differs')
            [CompletionResult]::new('--again', '--again', [CompletionResultType]::ParameterName, 'With -i and --output-dir: also convert files that seem already converted')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Report errors in files by line, column and byte; print nothing if there are none')
            [CompletionResult]::new('detect', 'detect', [CompletionResultType]::ParameterValue, 'Detect the encoding of files')
            [CompletionResult]::new('inspect', 'inspect', [CompletionResultType]::ParameterValue, 'Show the bytes of a file as characters, with code points, names and errors')
            [CompletionResult]::new('names', 'names', [CompletionResultType]::ParameterValue, 'Convert the names of files')
            [CompletionResult]::new('repair', 'repair', [CompletionResultType]::ParameterValue, 'Repair double encoding, and files that mix encodings')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the encodings and their names')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print the help of utfconv or of a command')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print a man page in roff: utfconv man check | man -l -')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completion script for a shell')
            break
        }
        'utfconv;check' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Encoding of all files [default: as configured, or UTF-8]')
            [CompletionResult]::new('--from-code', '--from-code', [CompletionResultType]::ParameterName, 'Encoding of all files [default: as configured, or UTF-8]')
            [CompletionResult]::new('--ebcdic-newline', '--ebcdic-newline', [CompletionResultType]::ParameterName, 'Map EBCDIC byte 0x15 to NEL or LF [default: nel]')
            [CompletionResult]::new('--rule', '--rule', [CompletionResultType]::ParameterName, 'Check these rules too; ''all'' means every rule')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Turn these rules off')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain a rule and exit')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read FILE instead of searching for utfconv.toml')
            [CompletionResult]::new('--show-config', '--show-config', [CompletionResultType]::ParameterName, 'Print what the configuration sets for PATH and where, and exit')
            [CompletionResult]::new('--include', '--include', [CompletionResultType]::ParameterName, 'In directories: only files that match GLOB, or one of several')
            [CompletionResult]::new('--exclude', '--exclude', [CompletionResultType]::ParameterName, 'In directories: no files and directories that match GLOB')
            [CompletionResult]::new('--binary', '--binary', [CompletionResultType]::ParameterName, 'Handle binary files [default: check if named, else skip]')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Also read file names from FILE, one per line; ''-'' is standard input')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'Also read file names from FILE, each ended by NUL')
            [CompletionResult]::new('--range', '--range', [CompletionResultType]::ParameterName, 'Check only characters that start at bytes A to B-1 of one file')
            [CompletionResult]::new('--first-line', '--first-line', [CompletionResultType]::ParameterName, 'With --range: byte A is in line N, for the lines in messages')
            [CompletionResult]::new('--stdin-filename', '--stdin-filename', [CompletionResultType]::ParameterName, 'Check standard input, and report it as NAME')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Report format [default: text]')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Stop reading a file after N errors; 0 for no limit [default: 1000]')
            [CompletionResult]::new('--max-total', '--max-total', [CompletionResultType]::ParameterName, 'List at most N errors in all; 0 for no limit [default: 100000]')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'With --stats: list characters that cannot be encoded in ENC')
            [CompletionResult]::new('--excerpt', '--excerpt', [CompletionResultType]::ParameterName, 'Show the lines with errors [default: auto]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour [default: auto]')
            [CompletionResult]::new('--baseline', '--baseline', [CompletionResultType]::ParameterName, 'Report only errors that are not in FILE, and how many of FILE are gone')
            [CompletionResult]::new('--write-baseline', '--write-baseline', [CompletionResultType]::ParameterName, 'Write all errors to FILE, to be known from now on, and report none')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Use N threads [default: as many as there are processors]')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Use N threads [default: as many as there are processors]')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Do not read utfconv.toml, .editorconfig and .gitattributes')
            [CompletionResult]::new('--config-schema', '--config-schema', [CompletionResultType]::ParameterName, 'Print the JSON schema of utfconv.toml and exit')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'In directories: include hidden files, except .git')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'In directories: include files that .gitignore, .ignore and .git/info/exclude exclude')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Print only the names of files with errors')
            [CompletionResult]::new('--files-with-errors', '--files-with-errors', [CompletionResultType]::ParameterName, 'Print only the names of files with errors')
            [CompletionResult]::new('-0', '-0', [CompletionResultType]::ParameterName, 'With -l: end each name with NUL')
            [CompletionResult]::new('--null', '--null', [CompletionResultType]::ParameterName, 'With -l: end each name with NUL')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing; exit at the first error')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing; exit at the first error')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'List all errors of files in another encoding, and binary files; always sum up')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'List all errors of files in another encoding, and binary files; always sum up')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Count the errors past --max-errors too')
            [CompletionResult]::new('--stats', '--stats', [CompletionResultType]::ParameterName, 'Print statistics: characters, scripts, newlines, BOMs, errors')
            [CompletionResult]::new('--exit-zero', '--exit-zero', [CompletionResultType]::ParameterName, 'Exit with 0 despite errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'utfconv;detect' {
            [CompletionResult]::new('--candidates', '--candidates', [CompletionResultType]::ParameterName, 'Consider these encodings only, such as windows-1252,cp850,UTF-8')
            [CompletionResult]::new('--language', '--language', [CompletionResultType]::ParameterName, 'Limit statistics to these languages and English, such as de,pt-BR')
            [CompletionResult]::new('--include', '--include', [CompletionResultType]::ParameterName, 'In directories: only files that match GLOB, or one of several')
            [CompletionResult]::new('--exclude', '--exclude', [CompletionResultType]::ParameterName, 'In directories: no files and directories that match GLOB')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Also read file names from FILE, one per line; ''-'' is standard input')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'Also read file names from FILE, each ended by NUL')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Report format [default: text]')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Use N threads [default: as many as there are processors]')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Use N threads [default: as many as there are processors]')
            [CompletionResult]::new('--allow-7bit', '--allow-7bit', [CompletionResultType]::ParameterName, 'Consider UTF-7 for ASCII files')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'In directories: include hidden files, except .git')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'In directories: include files that .gitignore, .ignore and .git/info/exclude exclude')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'utfconv;inspect' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Input encoding [default: UTF-8]')
            [CompletionResult]::new('--from-code', '--from-code', [CompletionResultType]::ParameterName, 'Input encoding [default: UTF-8]')
            [CompletionResult]::new('--input-bom', '--input-bom', [CompletionResultType]::ParameterName, 'Set how to handle an input BOM [default: auto]')
            [CompletionResult]::new('--ebcdic-newline', '--ebcdic-newline', [CompletionResultType]::ParameterName, 'Map EBCDIC byte 0x15 to NEL or LF [default: nel]')
            [CompletionResult]::new('--range', '--range', [CompletionResultType]::ParameterName, 'Show only sequences that start at bytes A to B-1')
            [CompletionResult]::new('--around', '--around', [CompletionResultType]::ParameterName, 'Show the sequence with this byte, marked, and those around it')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Show N sequences on either side, up to 65535 [default: 8, with --errors-only 3]')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Show N sequences on either side, up to 65535 [default: 8, with --errors-only 3]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Output format [default: text]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour [default: auto]')
            [CompletionResult]::new('--errors-only', '--errors-only', [CompletionResultType]::ParameterName, 'Show only errors, and the sequences around them')
            [CompletionResult]::new('-x', '-x', [CompletionResultType]::ParameterName, 'Show offsets in hexadecimal too')
            [CompletionResult]::new('--hex', '--hex', [CompletionResultType]::ParameterName, 'Show offsets in hexadecimal too')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'utfconv;names' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Encoding of the names; ''auto'' detects it for each directory [default: UTF-8]')
            [CompletionResult]::new('--from-code', '--from-code', [CompletionResultType]::ParameterName, 'Encoding of the names; ''auto'' detects it for each directory [default: UTF-8]')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'New encoding of the names [default: UTF-8]')
            [CompletionResult]::new('--to-code', '--to-code', [CompletionResultType]::ParameterName, 'New encoding of the names [default: UTF-8]')
            [CompletionResult]::new('--language', '--language', [CompletionResultType]::ParameterName, 'Limit statistics to these languages and English, such as de,pt-BR')
            [CompletionResult]::new('--normalize', '--normalize', [CompletionResultType]::ParameterName, 'Write names in one normalization form: nfc, nfd, nfkc, nfkd or mac')
            [CompletionResult]::new('--journal', '--journal', [CompletionResultType]::ParameterName, 'Write the journal to FILE, and keep it')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Report format [default: text]')
            [CompletionResult]::new('--accept-guess', '--accept-guess', [CompletionResultType]::ParameterName, 'With -f auto: also convert names whose encoding is a guess')
            [CompletionResult]::new('--repair', '--repair', [CompletionResultType]::ParameterName, 'Take back double encoding (UTF-8 decoded as another encoding), where there is proof')
            [CompletionResult]::new('--again', '--again', [CompletionResultType]::ParameterName, 'Convert names that are UTF-8 already, too')
            [CompletionResult]::new('--links', '--links', [CompletionResultType]::ParameterName, 'Also convert the names in the targets of symbolic links')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Rename; without it, only show what would change')
            [CompletionResult]::new('--in-place', '--in-place', [CompletionResultType]::ParameterName, 'Rename; without it, only show what would change')
            [CompletionResult]::new('--keep-going', '--keep-going', [CompletionResultType]::ParameterName, 'Rename the others if some names are refused; without it, none is renamed')
            [CompletionResult]::new('--undo', '--undo', [CompletionResultType]::ParameterName, 'Take back an interrupted run, or the one of --journal')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'List the names in archives (zip, tar); nothing is unpacked')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'With -i or --undo: show each name')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'With -i or --undo: show each name')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'utfconv;repair' {
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Repair each file in place; =SUFFIX keeps the old file as a backup')
            [CompletionResult]::new('--in-place', '--in-place', [CompletionResultType]::ParameterName, 'Repair each file in place; =SUFFIX keeps the old file as a backup')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'With --diff: use colour [default: auto]')
            [CompletionResult]::new('--unit', '--unit', [CompletionResultType]::ParameterName, 'What is in one encoding: line, field:SEPARATOR or run [default: line]')
            [CompletionResult]::new('--candidates', '--candidates', [CompletionResultType]::ParameterName, 'Encodings that a file may mix, such as UTF-8,windows-1252 [default: detected]')
            [CompletionResult]::new('--manifest', '--manifest', [CompletionResultType]::ParameterName, 'Record all changes in a new FILE, for --undo')
            [CompletionResult]::new('--undo', '--undo', [CompletionResultType]::ParameterName, 'Undo what MANIFEST records, in its files or in PATH')
            [CompletionResult]::new('--include', '--include', [CompletionResultType]::ParameterName, 'In directories: only files that match GLOB, or one of several')
            [CompletionResult]::new('--exclude', '--exclude', [CompletionResultType]::ParameterName, 'In directories: no files and directories that match GLOB')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Also read file names from FILE, one per line; ''-'' is standard input')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'Also read file names from FILE, each ended by NUL')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Report at most N changes per file; 0 is no limit [default: 100]')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Use N threads [default: as many as there are processors]')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Use N threads [default: as many as there are processors]')
            [CompletionResult]::new('--preserve-time', '--preserve-time', [CompletionResultType]::ParameterName, 'With -i: keep the times of access and modification')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'With -i: overwrite files that cannot be replaced by a rename')
            [CompletionResult]::new('--diff', '--diff', [CompletionResultType]::ParameterName, 'Write nothing; print what would change, as a patch for git apply')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'In directories: include hidden files, except .git')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'In directories: include files that .gitignore, .ignore and .git/info/exclude exclude')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'utfconv;list' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'List format [default: text]')
            [CompletionResult]::new('--export', '--export', [CompletionResultType]::ParameterName, 'Write the mapping of ENC instead, as a file for -f and -t')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'utfconv;help' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'utfconv;man' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'utfconv;completions' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
