#compdef utfconv iconv
# Completions of utfconv for zsh, printed by `utfconv completions zsh`.

# One line per encoding: its name and its aliases.
_utfconv_rows=(
@ENCODINGS@
)

# Offers each encoding by its name, or else by the first alias that begins with what was typed.
_utfconv_encodings() {
    setopt localoptions extendedglob
    local row
    local -a names found
    for row in $_utfconv_rows; do
        names=(${(M)${=row}:#(#i)${(b)PREFIX}*})
        found+=(${names[1]})
    done
    compadd -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' "$@" -a found
}

# Offers the words of an option, COMMAND:OPTION, with what they mean. _arguments puts words of its own before that.
_utfconv_words() {
    local -a values
    case ${@[-1]} in
@VALUES@
    esac
    _describe -t values value values -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}'
}

# The same, of a list with commas.
_utfconv_list() {
    compset -P '*,'
    _utfconv_words ${@[-1]}
}

# The same, of the modes for ill-formed text: an encoding follows one of them.
_utfconv_modes() {
    if compset -P 'fallback='; then
        _utfconv_encodings
    else
        _utfconv_words ${@[-1]}
    fi
}

# An encoding, which suffixes may follow.
_utfconv_targets() {
    if compset -P '*//'; then
        compadd -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' TRANSLIT IGNORE
    else
        _utfconv_encodings "$@"
    fi
}

# Whether this is utfconv under the name of iconv.
_utfconv_is_iconv() {
    [[ -n ${commands[iconv]} && ${commands[iconv]} -ef ${commands[utfconv]} ]]
}

_utfconv() {
    local curcontext=$curcontext state state_descr line command=utfconv
    local -A opt_args
    if [[ $service == iconv ]]; then
        command=iconv
        if ! _utfconv_is_iconv; then
            (( $+functions[_iconv] )) && _iconv "$@"
            return
        fi
    elif (( CURRENT > 2 )) && [[ $words[2] == (@NAMES@) ]]; then
        command=$words[2]
        shift words
        (( CURRENT-- ))
    elif (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then
        _utfconv_words commands
        _files
        return
    fi
    case $command in
@COMMANDS@
    esac
}

# The function that compinit loads from $fpath runs this text; elsewhere it is sourced.
if [[ $funcstack[1] == _utfconv ]]; then
    _utfconv "$@"
else
    compdef _utfconv utfconv
    _utfconv_is_iconv && compdef _utfconv iconv
    true
fi
