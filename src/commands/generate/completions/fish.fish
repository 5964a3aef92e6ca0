# Completions of utfconv for fish, printed by `utfconv completions fish`.

# One line per encoding: its name and its aliases.
set -g __utfconv_rows \
@ENCODINGS@

# True if the command line is that of one of the commands $argv; `utfconv` stands for a conversion.
function __utfconv_is
    set -l given (commandline -opc)
    set -l command utfconv
    if contains -- "$given[2]" @NAMES@
        set command $given[2]
    end
    contains -- $command $argv
end

# True if the first word after the program is being typed.
function __utfconv_is_first
    test (count (commandline -opc)) -eq 1
end

# Offers each encoding by its name, or else by the first alias that begins with the typed text. $argv[1] precedes the
# encoding in its word, as in `fallback=`.
function __utfconv_encodings
    set -l word (commandline -ct)
    set -l lead (string match -r -- '^(?:--[^=]*=|-[a-z])' $word)
    set -l typed (string sub -s (math (string length -- "$lead") + 1) -- $word)
    if set -q argv[1]
        string match -q -i -- "$argv[1]*" $typed
        or return
        set typed (string sub -s (math (string length -- $argv[1]) + 1) -- $typed)
    end
    for row in $__utfconv_rows
        set -l names (string split ' ' -- $row)
        set -l found (string match -i -- "$typed*" $names)
        or continue
        # In a word that begins with its option, the typed text is kept, because fish would replace the option, too.
        if test -n "$lead"
            set found[1] $typed(string sub -s (math (string length -- $typed) + 1) -- $found[1])
        end
        if test $found[1] = $names[1]
            echo "$argv[1]"$found[1]
        else
            printf '%s\t%s\n' "$argv[1]"$found[1] $names[1]
        end
    end
end

# Offers the suffixes of an encoding.
function __utfconv_suffixes
    set -l typed (commandline -ct | string replace -r -- '^(--[^=]*=|-[a-z])' '')
    set -l named (string match -r -- '^.*//' $typed)
    and printf '%s\n' $named{TRANSLIT,IGNORE}
end

# Offers the values of the option $argv[1], which is given as COMMAND:OPTION, with their meanings.
function __utfconv_words
    switch $argv[1]
@VALUES@
    end
end

# Offers the next value in a list with commas, for the option COMMAND:OPTION.
function __utfconv_list
    set -l typed (commandline -ct | string replace -r -- '^--[^=]*=' '')
    set -l listed (string match -r -- '^.*,' $typed)
    __utfconv_words $argv[1] | string replace -r -- '^' "$listed"
end

complete -c utfconv -n __utfconv_is_first -a '(__utfconv_words commands)'
@COMMANDS@

# Completes iconv, too, if iconv is a link to utfconv.
if command -sq iconv; and command -sq utfconv
    and test (realpath (command -s iconv)) = (realpath (command -s utfconv))
@ICONV@
end
