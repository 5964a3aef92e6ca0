#compdef utfconv iconv
# Completions of utfconv for zsh, printed by `utfconv completions zsh`.

# One line per encoding: its name and its aliases.
_utfconv_rows=(
@ENCODINGS@
)

# Offers each encoding by its name, or else by the first alias that begins with the typed text.
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

# Offers the values of an option, with their meanings. The option is the last argument, as COMMAND:OPTION, because
# _arguments puts its own arguments first.
_utfconv_words() {
    local -a values
    case ${@[-1]} in
@VALUES@
    esac
    _describe -t values value values -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}'
}

# Offers the next value in a list with commas.
_utfconv_list() {
    compset -P '*,'
    _utfconv_words ${@[-1]}
}

# Offers the modes for ill-formed text, or an encoding after `fallback=`.
_utfconv_modes() {
    if compset -P 'fallback='; then
        _utfconv_encodings
    else
        _utfconv_words ${@[-1]}
    fi
}

# Offers encodings or, after `//`, suffixes of an encoding.
_utfconv_targets() {
    if compset -P '*//'; then
        compadd -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' TRANSLIT IGNORE
    else
        _utfconv_encodings "$@"
    fi
}

# True if the command iconv is utfconv.
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

# If compinit loaded this file from $fpath, the file is the body of the function _utfconv; otherwise it is sourced.
if [[ $funcstack[1] == _utfconv ]]; then
    _utfconv "$@"
else
    compdef _utfconv utfconv
    _utfconv_is_iconv && compdef _utfconv iconv
    true
fi
