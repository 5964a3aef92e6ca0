_utfconv() {
    local i cur prev opts cmd
    COMPREPLY=()
    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
        cur="$2"
    else
        cur="${COMP_WORDS[COMP_CWORD]}"
    fi
    prev="$3"
    cmd=""
    opts=""

    for i in "${COMP_WORDS[@]:0:COMP_CWORD}"
    do
        case "${cmd},${i}" in
            ",$1")
                cmd="utfconv"
                ;;
            *)
                ;;
        esac
    done

    case "${cmd}" in
        utfconv)
            opts="-l -c -s -o -f -t -h -V --list --input-bom --output-bom --byte-subst --unicode-subst --widechar-subst --per-byte --max-faults --lossy-status --silent --output --verbose --mmap --force-terminal --from-code --to-code --errors --ill-formed --unmappable --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 1 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --input-bom)
                    COMPREPLY=($(compgen -W "auto keep strip text forbid require sniff" -- "${cur}"))
                    return 0
                    ;;
                --output-bom)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --byte-subst)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --unicode-subst)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --widechar-subst)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-faults)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lossy-status)
                    COMPREPLY=($(compgen -W "0 1" -- "${cur}"))
                    return 0
                    ;;
                --output)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                -o)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --mmap)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --from-code)
                    COMPREPLY=($(compgen -W "UTF-8 UTF-16 UTF-16LE UTF-16BE UTF-32 UTF-32LE UTF-32BE CESU-8 ISO-8859-1 US-ASCII" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "UTF-8 UTF-16 UTF-16LE UTF-16BE UTF-32 UTF-32LE UTF-32BE CESU-8 ISO-8859-1 US-ASCII" -- "${cur}"))
                    return 0
                    ;;
                --to-code)
                    COMPREPLY=($(compgen -W "UTF-8 UTF-16 UTF-16LE UTF-16BE UTF-32 UTF-32LE UTF-32BE CESU-8 ISO-8859-1 US-ASCII" -- "${cur}"))
                    return 0
                    ;;
                -t)
                    COMPREPLY=($(compgen -W "UTF-8 UTF-16 UTF-16LE UTF-16BE UTF-32 UTF-32LE UTF-32BE CESU-8 ISO-8859-1 US-ASCII" -- "${cur}"))
                    return 0
                    ;;
                --errors)
                    COMPREPLY=($(compgen -W "stop replace omit escape surrogateescape pua c8" -- "${cur}"))
                    return 0
                    ;;
                --ill-formed)
                    COMPREPLY=($(compgen -W "stop replace omit escape fallback= surrogateescape pua c8 raw" -- "${cur}"))
                    return 0
                    ;;
                --unmappable)
                    COMPREPLY=($(compgen -W "stop replace omit escape translit surrogateescape pua c8" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
    esac
}

if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _utfconv -o nosort -o bashdefault -o default utfconv
else
    complete -F _utfconv -o bashdefault -o default utfconv
fi
