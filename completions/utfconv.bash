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
            utfconv,check)
                cmd="utfconv__subcmd__check"
                ;;
            utfconv,completions)
                cmd="utfconv__subcmd__completions"
                ;;
            utfconv,detect)
                cmd="utfconv__subcmd__detect"
                ;;
            utfconv,help)
                cmd="utfconv__subcmd__help"
                ;;
            utfconv,inspect)
                cmd="utfconv__subcmd__inspect"
                ;;
            utfconv,list)
                cmd="utfconv__subcmd__list"
                ;;
            utfconv,man)
                cmd="utfconv__subcmd__man"
                ;;
            *)
                ;;
        esac
    done

    case "${cmd}" in
        utfconv)
            opts="-l -c -s -o -v -j -0 -i -r -f -t -h -V --ebcdic-newline --accept-guess --list --input-bom --output-bom --byte-subst --unicode-subst --widechar-subst --per-byte --max-errors --lossy-status --silent --stats --normalize --newline --final-newline --output --verbose --mmap --threads --force-terminal --range --first-line --list-ranges --null --format --count-output --in-place --preserve-time --force --output-dir --recursive --files-from --files0-from --hidden --no-ignore --include --exclude --dry-run --verify --again --sync --from-code --to-code --errors --ill-formed --unmappable --help --version check detect inspect list help man completions"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 1 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --ebcdic-newline)
                    COMPREPLY=($(compgen -W "nel lf" -- "${cur}"))
                    return 0
                    ;;
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
                --max-errors)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lossy-status)
                    COMPREPLY=($(compgen -W "0 1" -- "${cur}"))
                    return 0
                    ;;
                --normalize)
                    COMPREPLY=($(compgen -W "nfc nfd nfkc nfkd" -- "${cur}"))
                    return 0
                    ;;
                --newline)
                    COMPREPLY=($(compgen -W "keep lf crlf cr" -- "${cur}"))
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
                --threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -j)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --range)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --first-line)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --list-ranges)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --format)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                --in-place)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -i)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output-dir)
                    COMPREPLY=()
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o plusdirs
                    fi
                    return 0
                    ;;
                --files-from)
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
                --files0-from)
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
                --include)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --exclude)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --sync)
                    COMPREPLY=($(compgen -W "file batch none" -- "${cur}"))
                    return 0
                    ;;
                --from-code)
                    COMPREPLY=($(compgen -W "UTF-8 UTF-16 UTF-16LE UTF-16BE UTF-32 UTF-32LE UTF-32BE UCS-2 UCS-2LE UCS-2BE UCS-2-SWAPPED UNICODE UCS-4 UCS-4LE UCS-4-INTERNAL UCS-4-SWAPPED CESU-8 MUTF-8 WTF-8 UTF-8-2279 UTF-1 UTF-7 UTF-7-IMAP ISO-8859-1 US-ASCII Shift_JIS windows-31j EUC-JP EUC-JP-MS CP51932 ISO-2022-JP EUC-KR CP949 Big5 CP950 Big5-HKSCS GB2312 GBK CP936 GB18030 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 ISO-8859-9 ISO-8859-9E ISO-8859-10 ISO-8859-11 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 KOI8-R KOI8-U KOI8-RU KOI8-T KOI-8 macintosh MAC-CENTRALEUROPE MAC-IS MacIceland MAC-UK CP10007 MAC-SAMI MacArabic MacCroatian MacFarsi MacGreek MacHebrew MacRomania MacThai MacTurkish Adobe-Standard-Encoding ARMSCII-8 ATARIST BRF CP770 CP771 CP772 CP773 CP774 CSN_369103 CWI DEC-MCS ECMA-cyrillic GEORGIAN-ACADEMY GEORGIAN-PS GOST_19768-74 HP-GREEK8 hp-roman8 HP-ROMAN9 HP-THAI8 HP-TURKISH8 IEC_P27-1 ISIRI-3342 ISO-IR-197 ISO-IR-209 ISO_10367-box ISO-11548-1 JIS_X0201 KZ-1048 MIK MULELAO-1 NEXTSTEP palmos PTCP154 RISCOS-LATIN1 TDS565 TIS-620 VISCII WIN-SAMI-2 ASMO_449 BS_4730 CSA_Z243.4-1985-1 CSA_Z243.4-1985-2 DIN_66003 DS_2089 ES ES2 GB_1988-80 greek-ccitt greek7 greek7-old INIS INIS-8 INIS-cyrillic INVARIANT ISO_2033-1983 ISO_5427 ISO_5427:1981 ISO_5428:1980 ISO_646.basic:1983 ISO_646.irv:1983 IT JIS_C6220-1969-ro JIS_C6229-1984-b JUS_I.B1.002 KSC5636 latin-greek Latin-greek-1 MSZ_7795.3 NATS-DANO NATS-SEFI NC_NC00-10:81 NF_Z_62-010 NF_Z_62-010_(1973) NS_4551-1 NS_4551-2 PT PT2 SEN_850200_B SEN_850200_C IBM437 IBM720 IBM737 IBM775 IBM850 IBM851 IBM852 IBM853 IBM855 IBM856 IBM857 IBM00858 IBM860 IBM861 IBM862 IBM863 IBM864 IBM865 IBM866 IBM866NAV IBM867 IBM868 IBM869 IBM891 IBM901 IBM902 IBM903 IBM904 IBM921 IBM922 IBM1004 IBM1006 IBM1008 IBM1046 IBM1098 IBM1124 IBM1125 IBM1129 IBM1131 IBM1133 IBM1161 IBM1162 IBM1163 IBM1167 IBM4909 IBM5347 IBM9066 IBM9448 IBM037 IBM038 IBM256 IBM273 IBM274 IBM275 IBM277 IBM278 IBM280 IBM281 IBM282 IBM284 IBM285 IBM290 IBM297 IBM420 IBM423 IBM424 IBM425 IBM500 IBM803 IBM-Thai IBM870 IBM871 IBM875 IBM880 IBM905 IBM918 IBM00924 IBM1025 IBM1026 IBM1047 IBM1097 IBM1112 IBM1122 IBM1123 IBM1130 IBM1132 IBM1137 IBM01140 IBM01141 IBM01142 IBM01143 IBM01144 IBM01145 IBM01146 IBM01147 IBM01148 IBM01149 IBM1153 IBM1154 IBM1155 IBM1156 IBM1157 IBM1158 IBM1160 IBM1164 IBM1165 IBM1166 IBM4517 IBM4899 IBM4971 IBM5123 IBM8482 IBM9030 IBM9067 IBM12712 IBM16804 EBCDIC-AT-DE EBCDIC-AT-DE-A EBCDIC-CA-FR EBCDIC-DK-NO EBCDIC-DK-NO-A EBCDIC-ES EBCDIC-ES-A EBCDIC-ES-S EBCDIC-FI-SE EBCDIC-FI-SE-A EBCDIC-FR EBCDIC-IS-FRISS EBCDIC-IT EBCDIC-PT EBCDIC-UK EBCDIC-US" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "UTF-8 UTF-16 UTF-16LE UTF-16BE UTF-32 UTF-32LE UTF-32BE UCS-2 UCS-2LE UCS-2BE UCS-2-SWAPPED UNICODE UCS-4 UCS-4LE UCS-4-INTERNAL UCS-4-SWAPPED CESU-8 MUTF-8 WTF-8 UTF-8-2279 UTF-1 UTF-7 UTF-7-IMAP ISO-8859-1 US-ASCII Shift_JIS windows-31j EUC-JP EUC-JP-MS CP51932 ISO-2022-JP EUC-KR CP949 Big5 CP950 Big5-HKSCS GB2312 GBK CP936 GB18030 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 ISO-8859-9 ISO-8859-9E ISO-8859-10 ISO-8859-11 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 KOI8-R KOI8-U KOI8-RU KOI8-T KOI-8 macintosh MAC-CENTRALEUROPE MAC-IS MacIceland MAC-UK CP10007 MAC-SAMI MacArabic MacCroatian MacFarsi MacGreek MacHebrew MacRomania MacThai MacTurkish Adobe-Standard-Encoding ARMSCII-8 ATARIST BRF CP770 CP771 CP772 CP773 CP774 CSN_369103 CWI DEC-MCS ECMA-cyrillic GEORGIAN-ACADEMY GEORGIAN-PS GOST_19768-74 HP-GREEK8 hp-roman8 HP-ROMAN9 HP-THAI8 HP-TURKISH8 IEC_P27-1 ISIRI-3342 ISO-IR-197 ISO-IR-209 ISO_10367-box ISO-11548-1 JIS_X0201 KZ-1048 MIK MULELAO-1 NEXTSTEP palmos PTCP154 RISCOS-LATIN1 TDS565 TIS-620 VISCII WIN-SAMI-2 ASMO_449 BS_4730 CSA_Z243.4-1985-1 CSA_Z243.4-1985-2 DIN_66003 DS_2089 ES ES2 GB_1988-80 greek-ccitt greek7 greek7-old INIS INIS-8 INIS-cyrillic INVARIANT ISO_2033-1983 ISO_5427 ISO_5427:1981 ISO_5428:1980 ISO_646.basic:1983 ISO_646.irv:1983 IT JIS_C6220-1969-ro JIS_C6229-1984-b JUS_I.B1.002 KSC5636 latin-greek Latin-greek-1 MSZ_7795.3 NATS-DANO NATS-SEFI NC_NC00-10:81 NF_Z_62-010 NF_Z_62-010_(1973) NS_4551-1 NS_4551-2 PT PT2 SEN_850200_B SEN_850200_C IBM437 IBM720 IBM737 IBM775 IBM850 IBM851 IBM852 IBM853 IBM855 IBM856 IBM857 IBM00858 IBM860 IBM861 IBM862 IBM863 IBM864 IBM865 IBM866 IBM866NAV IBM867 IBM868 IBM869 IBM891 IBM901 IBM902 IBM903 IBM904 IBM921 IBM922 IBM1004 IBM1006 IBM1008 IBM1046 IBM1098 IBM1124 IBM1125 IBM1129 IBM1131 IBM1133 IBM1161 IBM1162 IBM1163 IBM1167 IBM4909 IBM5347 IBM9066 IBM9448 IBM037 IBM038 IBM256 IBM273 IBM274 IBM275 IBM277 IBM278 IBM280 IBM281 IBM282 IBM284 IBM285 IBM290 IBM297 IBM420 IBM423 IBM424 IBM425 IBM500 IBM803 IBM-Thai IBM870 IBM871 IBM875 IBM880 IBM905 IBM918 IBM00924 IBM1025 IBM1026 IBM1047 IBM1097 IBM1112 IBM1122 IBM1123 IBM1130 IBM1132 IBM1137 IBM01140 IBM01141 IBM01142 IBM01143 IBM01144 IBM01145 IBM01146 IBM01147 IBM01148 IBM01149 IBM1153 IBM1154 IBM1155 IBM1156 IBM1157 IBM1158 IBM1160 IBM1164 IBM1165 IBM1166 IBM4517 IBM4899 IBM4971 IBM5123 IBM8482 IBM9030 IBM9067 IBM12712 IBM16804 EBCDIC-AT-DE EBCDIC-AT-DE-A EBCDIC-CA-FR EBCDIC-DK-NO EBCDIC-DK-NO-A EBCDIC-ES EBCDIC-ES-A EBCDIC-ES-S EBCDIC-FI-SE EBCDIC-FI-SE-A EBCDIC-FR EBCDIC-IS-FRISS EBCDIC-IT EBCDIC-PT EBCDIC-UK EBCDIC-US" -- "${cur}"))
                    return 0
                    ;;
                --to-code)
                    COMPREPLY=($(compgen -W "UTF-8 UTF-16 UTF-16LE UTF-16BE UTF-32 UTF-32LE UTF-32BE UCS-2 UCS-2LE UCS-2BE UCS-2-SWAPPED UNICODE UCS-4 UCS-4LE UCS-4-INTERNAL UCS-4-SWAPPED CESU-8 MUTF-8 WTF-8 UTF-8-2279 UTF-1 UTF-7 UTF-7-IMAP ISO-8859-1 US-ASCII Shift_JIS windows-31j EUC-JP EUC-JP-MS CP51932 ISO-2022-JP EUC-KR CP949 Big5 CP950 Big5-HKSCS GB2312 GBK CP936 GB18030 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 ISO-8859-9 ISO-8859-9E ISO-8859-10 ISO-8859-11 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 KOI8-R KOI8-U KOI8-RU KOI8-T KOI-8 macintosh MAC-CENTRALEUROPE MAC-IS MacIceland MAC-UK CP10007 MAC-SAMI MacArabic MacCroatian MacFarsi MacGreek MacHebrew MacRomania MacThai MacTurkish Adobe-Standard-Encoding ARMSCII-8 ATARIST BRF CP770 CP771 CP772 CP773 CP774 CSN_369103 CWI DEC-MCS ECMA-cyrillic GEORGIAN-ACADEMY GEORGIAN-PS GOST_19768-74 HP-GREEK8 hp-roman8 HP-ROMAN9 HP-THAI8 HP-TURKISH8 IEC_P27-1 ISIRI-3342 ISO-IR-197 ISO-IR-209 ISO_10367-box ISO-11548-1 JIS_X0201 KZ-1048 MIK MULELAO-1 NEXTSTEP palmos PTCP154 RISCOS-LATIN1 TDS565 TIS-620 VISCII WIN-SAMI-2 ASMO_449 BS_4730 CSA_Z243.4-1985-1 CSA_Z243.4-1985-2 DIN_66003 DS_2089 ES ES2 GB_1988-80 greek-ccitt greek7 greek7-old INIS INIS-8 INIS-cyrillic INVARIANT ISO_2033-1983 ISO_5427 ISO_5427:1981 ISO_5428:1980 ISO_646.basic:1983 ISO_646.irv:1983 IT JIS_C6220-1969-ro JIS_C6229-1984-b JUS_I.B1.002 KSC5636 latin-greek Latin-greek-1 MSZ_7795.3 NATS-DANO NATS-SEFI NC_NC00-10:81 NF_Z_62-010 NF_Z_62-010_(1973) NS_4551-1 NS_4551-2 PT PT2 SEN_850200_B SEN_850200_C IBM437 IBM720 IBM737 IBM775 IBM850 IBM851 IBM852 IBM853 IBM855 IBM856 IBM857 IBM00858 IBM860 IBM861 IBM862 IBM863 IBM864 IBM865 IBM866 IBM866NAV IBM867 IBM868 IBM869 IBM891 IBM901 IBM902 IBM903 IBM904 IBM921 IBM922 IBM1004 IBM1006 IBM1008 IBM1046 IBM1098 IBM1124 IBM1125 IBM1129 IBM1131 IBM1133 IBM1161 IBM1162 IBM1163 IBM1167 IBM4909 IBM5347 IBM9066 IBM9448 IBM037 IBM038 IBM256 IBM273 IBM274 IBM275 IBM277 IBM278 IBM280 IBM281 IBM282 IBM284 IBM285 IBM290 IBM297 IBM420 IBM423 IBM424 IBM425 IBM500 IBM803 IBM-Thai IBM870 IBM871 IBM875 IBM880 IBM905 IBM918 IBM00924 IBM1025 IBM1026 IBM1047 IBM1097 IBM1112 IBM1122 IBM1123 IBM1130 IBM1132 IBM1137 IBM01140 IBM01141 IBM01142 IBM01143 IBM01144 IBM01145 IBM01146 IBM01147 IBM01148 IBM01149 IBM1153 IBM1154 IBM1155 IBM1156 IBM1157 IBM1158 IBM1160 IBM1164 IBM1165 IBM1166 IBM4517 IBM4899 IBM4971 IBM5123 IBM8482 IBM9030 IBM9067 IBM12712 IBM16804 EBCDIC-AT-DE EBCDIC-AT-DE-A EBCDIC-CA-FR EBCDIC-DK-NO EBCDIC-DK-NO-A EBCDIC-ES EBCDIC-ES-A EBCDIC-ES-S EBCDIC-FI-SE EBCDIC-FI-SE-A EBCDIC-FR EBCDIC-IS-FRISS EBCDIC-IT EBCDIC-PT EBCDIC-UK EBCDIC-US" -- "${cur}"))
                    return 0
                    ;;
                -t)
                    COMPREPLY=($(compgen -W "UTF-8 UTF-16 UTF-16LE UTF-16BE UTF-32 UTF-32LE UTF-32BE UCS-2 UCS-2LE UCS-2BE UCS-2-SWAPPED UNICODE UCS-4 UCS-4LE UCS-4-INTERNAL UCS-4-SWAPPED CESU-8 MUTF-8 WTF-8 UTF-8-2279 UTF-1 UTF-7 UTF-7-IMAP ISO-8859-1 US-ASCII Shift_JIS windows-31j EUC-JP EUC-JP-MS CP51932 ISO-2022-JP EUC-KR CP949 Big5 CP950 Big5-HKSCS GB2312 GBK CP936 GB18030 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 ISO-8859-9 ISO-8859-9E ISO-8859-10 ISO-8859-11 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 KOI8-R KOI8-U KOI8-RU KOI8-T KOI-8 macintosh MAC-CENTRALEUROPE MAC-IS MacIceland MAC-UK CP10007 MAC-SAMI MacArabic MacCroatian MacFarsi MacGreek MacHebrew MacRomania MacThai MacTurkish Adobe-Standard-Encoding ARMSCII-8 ATARIST BRF CP770 CP771 CP772 CP773 CP774 CSN_369103 CWI DEC-MCS ECMA-cyrillic GEORGIAN-ACADEMY GEORGIAN-PS GOST_19768-74 HP-GREEK8 hp-roman8 HP-ROMAN9 HP-THAI8 HP-TURKISH8 IEC_P27-1 ISIRI-3342 ISO-IR-197 ISO-IR-209 ISO_10367-box ISO-11548-1 JIS_X0201 KZ-1048 MIK MULELAO-1 NEXTSTEP palmos PTCP154 RISCOS-LATIN1 TDS565 TIS-620 VISCII WIN-SAMI-2 ASMO_449 BS_4730 CSA_Z243.4-1985-1 CSA_Z243.4-1985-2 DIN_66003 DS_2089 ES ES2 GB_1988-80 greek-ccitt greek7 greek7-old INIS INIS-8 INIS-cyrillic INVARIANT ISO_2033-1983 ISO_5427 ISO_5427:1981 ISO_5428:1980 ISO_646.basic:1983 ISO_646.irv:1983 IT JIS_C6220-1969-ro JIS_C6229-1984-b JUS_I.B1.002 KSC5636 latin-greek Latin-greek-1 MSZ_7795.3 NATS-DANO NATS-SEFI NC_NC00-10:81 NF_Z_62-010 NF_Z_62-010_(1973) NS_4551-1 NS_4551-2 PT PT2 SEN_850200_B SEN_850200_C IBM437 IBM720 IBM737 IBM775 IBM850 IBM851 IBM852 IBM853 IBM855 IBM856 IBM857 IBM00858 IBM860 IBM861 IBM862 IBM863 IBM864 IBM865 IBM866 IBM866NAV IBM867 IBM868 IBM869 IBM891 IBM901 IBM902 IBM903 IBM904 IBM921 IBM922 IBM1004 IBM1006 IBM1008 IBM1046 IBM1098 IBM1124 IBM1125 IBM1129 IBM1131 IBM1133 IBM1161 IBM1162 IBM1163 IBM1167 IBM4909 IBM5347 IBM9066 IBM9448 IBM037 IBM038 IBM256 IBM273 IBM274 IBM275 IBM277 IBM278 IBM280 IBM281 IBM282 IBM284 IBM285 IBM290 IBM297 IBM420 IBM423 IBM424 IBM425 IBM500 IBM803 IBM-Thai IBM870 IBM871 IBM875 IBM880 IBM905 IBM918 IBM00924 IBM1025 IBM1026 IBM1047 IBM1097 IBM1112 IBM1122 IBM1123 IBM1130 IBM1132 IBM1137 IBM01140 IBM01141 IBM01142 IBM01143 IBM01144 IBM01145 IBM01146 IBM01147 IBM01148 IBM01149 IBM1153 IBM1154 IBM1155 IBM1156 IBM1157 IBM1158 IBM1160 IBM1164 IBM1165 IBM1166 IBM4517 IBM4899 IBM4971 IBM5123 IBM8482 IBM9030 IBM9067 IBM12712 IBM16804 EBCDIC-AT-DE EBCDIC-AT-DE-A EBCDIC-CA-FR EBCDIC-DK-NO EBCDIC-DK-NO-A EBCDIC-ES EBCDIC-ES-A EBCDIC-ES-S EBCDIC-FI-SE EBCDIC-FI-SE-A EBCDIC-FR EBCDIC-IS-FRISS EBCDIC-IT EBCDIC-PT EBCDIC-UK EBCDIC-US" -- "${cur}"))
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
        utfconv__subcmd__check)
            opts="-l -0 -q -v -j -f -h -V --ebcdic-newline --no-config --hidden --no-ignore --include --exclude --binary --files-from --files0-from --range --first-line --stdin-filename --format --files-with-errors --null --quiet --verbose --max-errors --max-total --count --stats --target --excerpt --color --exit-zero --threads --from-code --rule --allow --explain --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --ebcdic-newline)
                    COMPREPLY=($(compgen -W "nel lf" -- "${cur}"))
                    return 0
                    ;;
                --include)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --exclude)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --binary)
                    COMPREPLY=($(compgen -W "skip check error" -- "${cur}"))
                    return 0
                    ;;
                --files-from)
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
                --files0-from)
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
                --range)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --first-line)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --stdin-filename)
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
                --format)
                    COMPREPLY=($(compgen -W "text json github gitlab sarif junit" -- "${cur}"))
                    return 0
                    ;;
                --max-errors)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-total)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --target)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --excerpt)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -j)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --from-code)
                    COMPREPLY=($(compgen -W "UTF-8 UTF-16 UTF-16LE UTF-16BE UTF-32 UTF-32LE UTF-32BE UCS-2 UCS-2LE UCS-2BE UCS-2-SWAPPED UNICODE UCS-4 UCS-4LE UCS-4-INTERNAL UCS-4-SWAPPED CESU-8 MUTF-8 WTF-8 UTF-8-2279 UTF-1 UTF-7 UTF-7-IMAP ISO-8859-1 US-ASCII Shift_JIS windows-31j EUC-JP EUC-JP-MS CP51932 ISO-2022-JP EUC-KR CP949 Big5 CP950 Big5-HKSCS GB2312 GBK CP936 GB18030 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 ISO-8859-9 ISO-8859-9E ISO-8859-10 ISO-8859-11 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 KOI8-R KOI8-U KOI8-RU KOI8-T KOI-8 macintosh MAC-CENTRALEUROPE MAC-IS MacIceland MAC-UK CP10007 MAC-SAMI MacArabic MacCroatian MacFarsi MacGreek MacHebrew MacRomania MacThai MacTurkish Adobe-Standard-Encoding ARMSCII-8 ATARIST BRF CP770 CP771 CP772 CP773 CP774 CSN_369103 CWI DEC-MCS ECMA-cyrillic GEORGIAN-ACADEMY GEORGIAN-PS GOST_19768-74 HP-GREEK8 hp-roman8 HP-ROMAN9 HP-THAI8 HP-TURKISH8 IEC_P27-1 ISIRI-3342 ISO-IR-197 ISO-IR-209 ISO_10367-box ISO-11548-1 JIS_X0201 KZ-1048 MIK MULELAO-1 NEXTSTEP palmos PTCP154 RISCOS-LATIN1 TDS565 TIS-620 VISCII WIN-SAMI-2 ASMO_449 BS_4730 CSA_Z243.4-1985-1 CSA_Z243.4-1985-2 DIN_66003 DS_2089 ES ES2 GB_1988-80 greek-ccitt greek7 greek7-old INIS INIS-8 INIS-cyrillic INVARIANT ISO_2033-1983 ISO_5427 ISO_5427:1981 ISO_5428:1980 ISO_646.basic:1983 ISO_646.irv:1983 IT JIS_C6220-1969-ro JIS_C6229-1984-b JUS_I.B1.002 KSC5636 latin-greek Latin-greek-1 MSZ_7795.3 NATS-DANO NATS-SEFI NC_NC00-10:81 NF_Z_62-010 NF_Z_62-010_(1973) NS_4551-1 NS_4551-2 PT PT2 SEN_850200_B SEN_850200_C IBM437 IBM720 IBM737 IBM775 IBM850 IBM851 IBM852 IBM853 IBM855 IBM856 IBM857 IBM00858 IBM860 IBM861 IBM862 IBM863 IBM864 IBM865 IBM866 IBM866NAV IBM867 IBM868 IBM869 IBM891 IBM901 IBM902 IBM903 IBM904 IBM921 IBM922 IBM1004 IBM1006 IBM1008 IBM1046 IBM1098 IBM1124 IBM1125 IBM1129 IBM1131 IBM1133 IBM1161 IBM1162 IBM1163 IBM1167 IBM4909 IBM5347 IBM9066 IBM9448 IBM037 IBM038 IBM256 IBM273 IBM274 IBM275 IBM277 IBM278 IBM280 IBM281 IBM282 IBM284 IBM285 IBM290 IBM297 IBM420 IBM423 IBM424 IBM425 IBM500 IBM803 IBM-Thai IBM870 IBM871 IBM875 IBM880 IBM905 IBM918 IBM00924 IBM1025 IBM1026 IBM1047 IBM1097 IBM1112 IBM1122 IBM1123 IBM1130 IBM1132 IBM1137 IBM01140 IBM01141 IBM01142 IBM01143 IBM01144 IBM01145 IBM01146 IBM01147 IBM01148 IBM01149 IBM1153 IBM1154 IBM1155 IBM1156 IBM1157 IBM1158 IBM1160 IBM1164 IBM1165 IBM1166 IBM4517 IBM4899 IBM4971 IBM5123 IBM8482 IBM9030 IBM9067 IBM12712 IBM16804 EBCDIC-AT-DE EBCDIC-AT-DE-A EBCDIC-CA-FR EBCDIC-DK-NO EBCDIC-DK-NO-A EBCDIC-ES EBCDIC-ES-A EBCDIC-ES-S EBCDIC-FI-SE EBCDIC-FI-SE-A EBCDIC-FR EBCDIC-IS-FRISS EBCDIC-IT EBCDIC-PT EBCDIC-UK EBCDIC-US" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "UTF-8 UTF-16 UTF-16LE UTF-16BE UTF-32 UTF-32LE UTF-32BE UCS-2 UCS-2LE UCS-2BE UCS-2-SWAPPED UNICODE UCS-4 UCS-4LE UCS-4-INTERNAL UCS-4-SWAPPED CESU-8 MUTF-8 WTF-8 UTF-8-2279 UTF-1 UTF-7 UTF-7-IMAP ISO-8859-1 US-ASCII Shift_JIS windows-31j EUC-JP EUC-JP-MS CP51932 ISO-2022-JP EUC-KR CP949 Big5 CP950 Big5-HKSCS GB2312 GBK CP936 GB18030 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 ISO-8859-9 ISO-8859-9E ISO-8859-10 ISO-8859-11 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 KOI8-R KOI8-U KOI8-RU KOI8-T KOI-8 macintosh MAC-CENTRALEUROPE MAC-IS MacIceland MAC-UK CP10007 MAC-SAMI MacArabic MacCroatian MacFarsi MacGreek MacHebrew MacRomania MacThai MacTurkish Adobe-Standard-Encoding ARMSCII-8 ATARIST BRF CP770 CP771 CP772 CP773 CP774 CSN_369103 CWI DEC-MCS ECMA-cyrillic GEORGIAN-ACADEMY GEORGIAN-PS GOST_19768-74 HP-GREEK8 hp-roman8 HP-ROMAN9 HP-THAI8 HP-TURKISH8 IEC_P27-1 ISIRI-3342 ISO-IR-197 ISO-IR-209 ISO_10367-box ISO-11548-1 JIS_X0201 KZ-1048 MIK MULELAO-1 NEXTSTEP palmos PTCP154 RISCOS-LATIN1 TDS565 TIS-620 VISCII WIN-SAMI-2 ASMO_449 BS_4730 CSA_Z243.4-1985-1 CSA_Z243.4-1985-2 DIN_66003 DS_2089 ES ES2 GB_1988-80 greek-ccitt greek7 greek7-old INIS INIS-8 INIS-cyrillic INVARIANT ISO_2033-1983 ISO_5427 ISO_5427:1981 ISO_5428:1980 ISO_646.basic:1983 ISO_646.irv:1983 IT JIS_C6220-1969-ro JIS_C6229-1984-b JUS_I.B1.002 KSC5636 latin-greek Latin-greek-1 MSZ_7795.3 NATS-DANO NATS-SEFI NC_NC00-10:81 NF_Z_62-010 NF_Z_62-010_(1973) NS_4551-1 NS_4551-2 PT PT2 SEN_850200_B SEN_850200_C IBM437 IBM720 IBM737 IBM775 IBM850 IBM851 IBM852 IBM853 IBM855 IBM856 IBM857 IBM00858 IBM860 IBM861 IBM862 IBM863 IBM864 IBM865 IBM866 IBM866NAV IBM867 IBM868 IBM869 IBM891 IBM901 IBM902 IBM903 IBM904 IBM921 IBM922 IBM1004 IBM1006 IBM1008 IBM1046 IBM1098 IBM1124 IBM1125 IBM1129 IBM1131 IBM1133 IBM1161 IBM1162 IBM1163 IBM1167 IBM4909 IBM5347 IBM9066 IBM9448 IBM037 IBM038 IBM256 IBM273 IBM274 IBM275 IBM277 IBM278 IBM280 IBM281 IBM282 IBM284 IBM285 IBM290 IBM297 IBM420 IBM423 IBM424 IBM425 IBM500 IBM803 IBM-Thai IBM870 IBM871 IBM875 IBM880 IBM905 IBM918 IBM00924 IBM1025 IBM1026 IBM1047 IBM1097 IBM1112 IBM1122 IBM1123 IBM1130 IBM1132 IBM1137 IBM01140 IBM01141 IBM01142 IBM01143 IBM01144 IBM01145 IBM01146 IBM01147 IBM01148 IBM01149 IBM1153 IBM1154 IBM1155 IBM1156 IBM1157 IBM1158 IBM1160 IBM1164 IBM1165 IBM1166 IBM4517 IBM4899 IBM4971 IBM5123 IBM8482 IBM9030 IBM9067 IBM12712 IBM16804 EBCDIC-AT-DE EBCDIC-AT-DE-A EBCDIC-CA-FR EBCDIC-DK-NO EBCDIC-DK-NO-A EBCDIC-ES EBCDIC-ES-A EBCDIC-ES-S EBCDIC-FI-SE EBCDIC-FI-SE-A EBCDIC-FR EBCDIC-IS-FRISS EBCDIC-IT EBCDIC-PT EBCDIC-UK EBCDIC-US" -- "${cur}"))
                    return 0
                    ;;
                --rule)
                    COMPREPLY=($(compgen -W "ill-formed wrong-encoding bom nul replacement-character noncharacter control bidi inner-bom mixed-newlines final-newline not-nfc double-encoded" -- "${cur}"))
                    return 0
                    ;;
                --allow)
                    COMPREPLY=($(compgen -W "ill-formed wrong-encoding bom nul replacement-character noncharacter control bidi inner-bom mixed-newlines final-newline not-nfc double-encoded" -- "${cur}"))
                    return 0
                    ;;
                --explain)
                    COMPREPLY=($(compgen -W "ill-formed wrong-encoding bom nul replacement-character noncharacter control bidi inner-bom mixed-newlines final-newline not-nfc double-encoded" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utfconv__subcmd__completions)
            opts="-h -V --help --version bash elvish fish powershell zsh"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utfconv__subcmd__detect)
            opts="-j -h -V --format --allow-7bit --hidden --no-ignore --include --exclude --files-from --files0-from --threads --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --format)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                --include)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --exclude)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files-from)
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
                --files0-from)
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
                --threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -j)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utfconv__subcmd__help)
            opts="-h -V --help --version check detect inspect list help man completions"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utfconv__subcmd__inspect)
            opts="-C -x -f -h -V --input-bom --ebcdic-newline --range --around --errors-only --context --format --hex --color --from-code --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --input-bom)
                    COMPREPLY=($(compgen -W "auto text forbid require sniff" -- "${cur}"))
                    return 0
                    ;;
                --ebcdic-newline)
                    COMPREPLY=($(compgen -W "nel lf" -- "${cur}"))
                    return 0
                    ;;
                --range)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --around)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --context)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -C)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --format)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --from-code)
                    COMPREPLY=($(compgen -W "UTF-8 UTF-16 UTF-16LE UTF-16BE UTF-32 UTF-32LE UTF-32BE UCS-2 UCS-2LE UCS-2BE UCS-2-SWAPPED UNICODE UCS-4 UCS-4LE UCS-4-INTERNAL UCS-4-SWAPPED CESU-8 MUTF-8 WTF-8 UTF-8-2279 UTF-1 UTF-7 UTF-7-IMAP ISO-8859-1 US-ASCII Shift_JIS windows-31j EUC-JP EUC-JP-MS CP51932 ISO-2022-JP EUC-KR CP949 Big5 CP950 Big5-HKSCS GB2312 GBK CP936 GB18030 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 ISO-8859-9 ISO-8859-9E ISO-8859-10 ISO-8859-11 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 KOI8-R KOI8-U KOI8-RU KOI8-T KOI-8 macintosh MAC-CENTRALEUROPE MAC-IS MacIceland MAC-UK CP10007 MAC-SAMI MacArabic MacCroatian MacFarsi MacGreek MacHebrew MacRomania MacThai MacTurkish Adobe-Standard-Encoding ARMSCII-8 ATARIST BRF CP770 CP771 CP772 CP773 CP774 CSN_369103 CWI DEC-MCS ECMA-cyrillic GEORGIAN-ACADEMY GEORGIAN-PS GOST_19768-74 HP-GREEK8 hp-roman8 HP-ROMAN9 HP-THAI8 HP-TURKISH8 IEC_P27-1 ISIRI-3342 ISO-IR-197 ISO-IR-209 ISO_10367-box ISO-11548-1 JIS_X0201 KZ-1048 MIK MULELAO-1 NEXTSTEP palmos PTCP154 RISCOS-LATIN1 TDS565 TIS-620 VISCII WIN-SAMI-2 ASMO_449 BS_4730 CSA_Z243.4-1985-1 CSA_Z243.4-1985-2 DIN_66003 DS_2089 ES ES2 GB_1988-80 greek-ccitt greek7 greek7-old INIS INIS-8 INIS-cyrillic INVARIANT ISO_2033-1983 ISO_5427 ISO_5427:1981 ISO_5428:1980 ISO_646.basic:1983 ISO_646.irv:1983 IT JIS_C6220-1969-ro JIS_C6229-1984-b JUS_I.B1.002 KSC5636 latin-greek Latin-greek-1 MSZ_7795.3 NATS-DANO NATS-SEFI NC_NC00-10:81 NF_Z_62-010 NF_Z_62-010_(1973) NS_4551-1 NS_4551-2 PT PT2 SEN_850200_B SEN_850200_C IBM437 IBM720 IBM737 IBM775 IBM850 IBM851 IBM852 IBM853 IBM855 IBM856 IBM857 IBM00858 IBM860 IBM861 IBM862 IBM863 IBM864 IBM865 IBM866 IBM866NAV IBM867 IBM868 IBM869 IBM891 IBM901 IBM902 IBM903 IBM904 IBM921 IBM922 IBM1004 IBM1006 IBM1008 IBM1046 IBM1098 IBM1124 IBM1125 IBM1129 IBM1131 IBM1133 IBM1161 IBM1162 IBM1163 IBM1167 IBM4909 IBM5347 IBM9066 IBM9448 IBM037 IBM038 IBM256 IBM273 IBM274 IBM275 IBM277 IBM278 IBM280 IBM281 IBM282 IBM284 IBM285 IBM290 IBM297 IBM420 IBM423 IBM424 IBM425 IBM500 IBM803 IBM-Thai IBM870 IBM871 IBM875 IBM880 IBM905 IBM918 IBM00924 IBM1025 IBM1026 IBM1047 IBM1097 IBM1112 IBM1122 IBM1123 IBM1130 IBM1132 IBM1137 IBM01140 IBM01141 IBM01142 IBM01143 IBM01144 IBM01145 IBM01146 IBM01147 IBM01148 IBM01149 IBM1153 IBM1154 IBM1155 IBM1156 IBM1157 IBM1158 IBM1160 IBM1164 IBM1165 IBM1166 IBM4517 IBM4899 IBM4971 IBM5123 IBM8482 IBM9030 IBM9067 IBM12712 IBM16804 EBCDIC-AT-DE EBCDIC-AT-DE-A EBCDIC-CA-FR EBCDIC-DK-NO EBCDIC-DK-NO-A EBCDIC-ES EBCDIC-ES-A EBCDIC-ES-S EBCDIC-FI-SE EBCDIC-FI-SE-A EBCDIC-FR EBCDIC-IS-FRISS EBCDIC-IT EBCDIC-PT EBCDIC-UK EBCDIC-US" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "UTF-8 UTF-16 UTF-16LE UTF-16BE UTF-32 UTF-32LE UTF-32BE UCS-2 UCS-2LE UCS-2BE UCS-2-SWAPPED UNICODE UCS-4 UCS-4LE UCS-4-INTERNAL UCS-4-SWAPPED CESU-8 MUTF-8 WTF-8 UTF-8-2279 UTF-1 UTF-7 UTF-7-IMAP ISO-8859-1 US-ASCII Shift_JIS windows-31j EUC-JP EUC-JP-MS CP51932 ISO-2022-JP EUC-KR CP949 Big5 CP950 Big5-HKSCS GB2312 GBK CP936 GB18030 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 ISO-8859-9 ISO-8859-9E ISO-8859-10 ISO-8859-11 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 KOI8-R KOI8-U KOI8-RU KOI8-T KOI-8 macintosh MAC-CENTRALEUROPE MAC-IS MacIceland MAC-UK CP10007 MAC-SAMI MacArabic MacCroatian MacFarsi MacGreek MacHebrew MacRomania MacThai MacTurkish Adobe-Standard-Encoding ARMSCII-8 ATARIST BRF CP770 CP771 CP772 CP773 CP774 CSN_369103 CWI DEC-MCS ECMA-cyrillic GEORGIAN-ACADEMY GEORGIAN-PS GOST_19768-74 HP-GREEK8 hp-roman8 HP-ROMAN9 HP-THAI8 HP-TURKISH8 IEC_P27-1 ISIRI-3342 ISO-IR-197 ISO-IR-209 ISO_10367-box ISO-11548-1 JIS_X0201 KZ-1048 MIK MULELAO-1 NEXTSTEP palmos PTCP154 RISCOS-LATIN1 TDS565 TIS-620 VISCII WIN-SAMI-2 ASMO_449 BS_4730 CSA_Z243.4-1985-1 CSA_Z243.4-1985-2 DIN_66003 DS_2089 ES ES2 GB_1988-80 greek-ccitt greek7 greek7-old INIS INIS-8 INIS-cyrillic INVARIANT ISO_2033-1983 ISO_5427 ISO_5427:1981 ISO_5428:1980 ISO_646.basic:1983 ISO_646.irv:1983 IT JIS_C6220-1969-ro JIS_C6229-1984-b JUS_I.B1.002 KSC5636 latin-greek Latin-greek-1 MSZ_7795.3 NATS-DANO NATS-SEFI NC_NC00-10:81 NF_Z_62-010 NF_Z_62-010_(1973) NS_4551-1 NS_4551-2 PT PT2 SEN_850200_B SEN_850200_C IBM437 IBM720 IBM737 IBM775 IBM850 IBM851 IBM852 IBM853 IBM855 IBM856 IBM857 IBM00858 IBM860 IBM861 IBM862 IBM863 IBM864 IBM865 IBM866 IBM866NAV IBM867 IBM868 IBM869 IBM891 IBM901 IBM902 IBM903 IBM904 IBM921 IBM922 IBM1004 IBM1006 IBM1008 IBM1046 IBM1098 IBM1124 IBM1125 IBM1129 IBM1131 IBM1133 IBM1161 IBM1162 IBM1163 IBM1167 IBM4909 IBM5347 IBM9066 IBM9448 IBM037 IBM038 IBM256 IBM273 IBM274 IBM275 IBM277 IBM278 IBM280 IBM281 IBM282 IBM284 IBM285 IBM290 IBM297 IBM420 IBM423 IBM424 IBM425 IBM500 IBM803 IBM-Thai IBM870 IBM871 IBM875 IBM880 IBM905 IBM918 IBM00924 IBM1025 IBM1026 IBM1047 IBM1097 IBM1112 IBM1122 IBM1123 IBM1130 IBM1132 IBM1137 IBM01140 IBM01141 IBM01142 IBM01143 IBM01144 IBM01145 IBM01146 IBM01147 IBM01148 IBM01149 IBM1153 IBM1154 IBM1155 IBM1156 IBM1157 IBM1158 IBM1160 IBM1164 IBM1165 IBM1166 IBM4517 IBM4899 IBM4971 IBM5123 IBM8482 IBM9030 IBM9067 IBM12712 IBM16804 EBCDIC-AT-DE EBCDIC-AT-DE-A EBCDIC-CA-FR EBCDIC-DK-NO EBCDIC-DK-NO-A EBCDIC-ES EBCDIC-ES-A EBCDIC-ES-S EBCDIC-FI-SE EBCDIC-FI-SE-A EBCDIC-FR EBCDIC-IS-FRISS EBCDIC-IT EBCDIC-PT EBCDIC-UK EBCDIC-US" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utfconv__subcmd__list)
            opts="-h -V --format --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --format)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utfconv__subcmd__man)
            opts="-h -V --help --version check detect inspect list iconv encodings"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
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
