# Completions of utfconv for bash, printed by `utfconv completions bash`.

# One line per encoding: its name and its aliases.
_utfconv_encodings='
@ENCODINGS@
'

# Prints a line NAMES|KIND|WORDS per option of the command $1, and a line for its operands, whose name is -.
_utfconv_table() {
    case $1 in
@COMMANDS@
    esac
}

# Sets `kind` and `words` to those of the value of the option $2 of the command $1; - stands for the operands.
_utfconv_find() {
    local names
    while IFS='|' read -r names kind words; do
        [[ " $names " == *" $2 "* ]] && return
    done < <(_utfconv_table "$1" 2>/dev/null)
    kind='' words=''
}

# Offers each of the words $2, $3, ... that begins with $1, without regard to case if nocasematch is set.
_utfconv_offer() {
    local typed=$1 word
    shift
    for word; do
        [[ $word == "$typed"* ]] && COMPREPLY+=("$word")
    done
}

# Offers each encoding by its name, or else by the first alias that begins with $1; after a slash, mapping files.
_utfconv_offer_encodings() {
    local names name path
    if [[ $1 == */* ]]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen -f -- "$1")
        return
    fi
    while read -ra names; do
        for name in "${names[@]}"; do
            [[ $name == "$1"* ]] && COMPREPLY+=("$name") && break
        done
    done <<<"$_utfconv_encodings"
}

# Offers the values of the kind $1, with the words $2, that begin with $3. `lead` has the text before the value.
_utfconv_offer_values() {
    local kind=$1 words=$2 value=$3 path i
    case $kind in
    words | encodings)
        _utfconv_offer "$value" $words
        [[ $kind == encodings ]] && _utfconv_offer_encodings "$value"
        ;;
    targets)
        if [[ $value == *//* ]]; then
            lead+=${value%//*}//
            _utfconv_offer "${value##*//}" TRANSLIT IGNORE
        else
            _utfconv_offer_encodings "$value"
        fi
        ;;
    modes)
        if [[ $value == fallback=* ]]; then
            lead+=${value%%=*}=
            _utfconv_offer_encodings "${value#*=}"
        else
            _utfconv_offer "$value" $words
        fi
        ;;
    list)
        lead+=${value%"${value##*,}"}
        _utfconv_offer "${value##*,}" $words
        ;;
    files | directories)
        compopt -o filenames 2>/dev/null
        [[ $kind == files ]] && path=-f || path=-d
        while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen $path -- "$value")
        ;;
    esac
    for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=$lead${COMPREPLY[i]}; done
}

_utfconv() {
    local line=${COMP_LINE:0:COMP_POINT} command=utfconv kind words lead='' was_off cut i
    # bash cuts words at = and :, so the words are taken from the line.
    local typed=${line##*[[:space:]]}
    local before=${line%"$typed"}
    local -a given
    read -ra given <<<"$before"
    COMPREPLY=()
    # Only file names need quotes, and bash completes file names itself.
    if [[ ${COMP_WORDS[COMP_CWORD]} == *[\\\'\"]* ]]; then
        compopt -o bashdefault -o default 2>/dev/null
        return
    fi
    if [[ ${given[0]##*/} == iconv ]]; then
        command=iconv
    elif ((${#given[@]} > 1)); then
        case ${given[1]} in @NAMES@) command=${given[1]} ;; esac
    fi
    shopt -q nocasematch || was_off=1
    shopt -s nocasematch
    _utfconv_complete
    [[ -n $was_off ]] && shopt -u nocasematch
    # bash replaces only the part after the last = or :, so the part before is cut off.
    local breaks=${COMP_WORDBREAKS//[^=:]/}
    [[ -n $breaks ]] && cut=${typed%"${typed##*[$breaks]}"}
    for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]:${#cut}}; done
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    return 0
}

_utfconv_complete() {
    local previous=${given[${#given[@]}-1]} options
    shopt -u nocasematch
    if [[ " ${given[*]} " != *' -- '* ]]; then
        if [[ $typed == --*=* ]]; then
            _utfconv_find "$command" "${typed%%=*}"
            lead=${typed%%=*}=
            shopt -s nocasematch
            _utfconv_offer_values "$kind" "$words" "${typed#*=}"
            return
        fi
        case $previous in
        --*=*) ;;
        --*) _utfconv_find "$command" "$previous" ;;
        # Only the last letter of a cluster can take the next word as its value.
        -?*) _utfconv_find "$command" "-${previous: -1}" ;;
        esac
        if [[ -n $kind && $kind != flag ]]; then
            shopt -s nocasematch
            _utfconv_offer_values "$kind" "$words" "$typed"
            return
        fi
        if [[ $typed == -* ]]; then
            while IFS='|' read -r options kind words; do
                [[ $options != - ]] && _utfconv_offer "$typed" $options
            done < <(_utfconv_table "$command")
            return
        fi
    fi
    [[ $command != iconv ]] && ((${#given[@]} == 1)) && _utfconv_offer "$typed" @WORDS@
    _utfconv_find "$command" -
    shopt -s nocasematch
    _utfconv_offer_values "$kind" "$words" "$typed"
}

complete -F _utfconv utfconv
# Completes iconv, too, if iconv is a link to utfconv.
[[ $(type -P iconv) -ef $(type -P utfconv) ]] && complete -F _utfconv iconv
true
