
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
            [CompletionResult]::new('--ebcdic-newline', '--ebcdic-newline', [CompletionResultType]::ParameterName, 'What byte 15 of EBCDIC is [default: nel]')
            [CompletionResult]::new('--input-bom', '--input-bom', [CompletionResultType]::ParameterName, 'What a signature (U+FEFF first) means [default: auto]')
            [CompletionResult]::new('--output-bom', '--output-bom', [CompletionResultType]::ParameterName, 'Whether to write a signature [default: auto]')
            [CompletionResult]::new('--byte-subst', '--byte-subst', [CompletionResultType]::ParameterName, 'Write each ill-formed byte as printf''s FORMAT has it, such as ''<0x%02x>''')
            [CompletionResult]::new('--unicode-subst', '--unicode-subst', [CompletionResultType]::ParameterName, 'Write each unmappable character as FORMAT has it, such as ''<U+%04X>''')
            [CompletionResult]::new('--widechar-subst', '--widechar-subst', [CompletionResultType]::ParameterName, 'Without effect, for libiconv''s sake: no input is of wide characters')
            [CompletionResult]::new('--max-faults', '--max-faults', [CompletionResultType]::ParameterName, 'Report at most N faults; 0 is no limit [default: 100]')
            [CompletionResult]::new('--lossy-status', '--lossy-status', [CompletionResultType]::ParameterName, 'Status after faults that did not end the run [default: 1 if -c omitted any, else 0]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write to FILE, whole or not at all; it may be an input')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write to FILE, whole or not at all; it may be an input')
            [CompletionResult]::new('--mmap', '--mmap', [CompletionResultType]::ParameterName, 'Map regular files into memory instead of reading them [default: auto]')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Encoding of the input [default: UTF-8]')
            [CompletionResult]::new('--from-code', '--from-code', [CompletionResultType]::ParameterName, 'Encoding of the input [default: UTF-8]')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Encoding of the output [default: UTF-8]; //TRANSLIT or //IGNORE may follow')
            [CompletionResult]::new('--to-code', '--to-code', [CompletionResultType]::ParameterName, 'Encoding of the output [default: UTF-8]; //TRANSLIT or //IGNORE may follow')
            [CompletionResult]::new('--errors', '--errors', [CompletionResultType]::ParameterName, 'Sets both: a mode that both have, such as replace[=TEXT] or escape=percent')
            [CompletionResult]::new('--ill-formed', '--ill-formed', [CompletionResultType]::ParameterName, 'What to do about ill-formed bytes [default: stop]')
            [CompletionResult]::new('--unmappable', '--unmappable', [CompletionResultType]::ParameterName, 'What to do about characters that the output lacks [default: stop]')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'List the encodings and exit')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'List the encodings and exit')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Omit what is at fault; the status is still 1 if anything was')
            [CompletionResult]::new('--per-byte', '--per-byte', [CompletionResultType]::ParameterName, 'With replace: once for each ill-formed byte, not each maximal subpart')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Say nothing about the data; the status is the same')
            [CompletionResult]::new('--silent', '--silent', [CompletionResultType]::ParameterName, 'Say nothing about the data; the status is the same')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Name each input on standard error as it is opened')
            [CompletionResult]::new('--force-terminal', '--force-terminal', [CompletionResultType]::ParameterName, 'Write UTF-16, UTF-32 and EBCDIC to a terminal too')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
