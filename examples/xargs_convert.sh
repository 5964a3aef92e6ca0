#!/usr/bin/env bash
# Converts one huge file by ranges on one machine, with xargs or GNU parallel.
#
#     xargs_convert.sh --workers 4 --ranges 64 big.txt big.utf16 -- -t UTF-16
#
# The ways to join the outputs (--with):
#     xargs     writes a part for each range, then joins the parts with cat; needs twice the space of OUTPUT
#     parallel  GNU parallel joins the outputs, which wait in temporary files; OUTPUT.joblog has the times
#     places    writes each output at its offset in OUTPUT; converts twice, the first time only for the lengths
#
# OUTPUT gets its name only when it is complete. Exit status: 0 if OUTPUT is complete and, with --compare, equals the
# output of the whole conversion; another status otherwise. Give -c together with --lossy-status=0, because omitted
# characters would otherwise be a failure. Needs the GNU coreutils.
#
# shellcheck disable=SC2016  # the shells that convert the ranges expand the single-quoted variables
set -euo pipefail

usage() {
    echo "usage: xargs_convert.sh [--with xargs|parallel|places] [--workers N] [--ranges N] [--utfconv PATH]" \
        "[--compare] FILE OUTPUT [-- -f ENC -t ENC ...]" >&2
    exit 2
}

with=xargs workers=$(nproc) ranges=16 utfconv=utfconv compare=false
while [[ ${1-} == -* ]]; do
    case $1 in
    -h | --help) sed -n '2,/^# shellcheck/{/^# shellcheck/!s/^# \{0,1\}//p}' -- "$0" && exit ;;
    --compare) compare=true && shift ;;
    --with | --workers | --ranges | --utfconv) declare "${1#--}=${2?"$1 needs a value"}" && shift 2 ;;
    *) usage ;;
    esac
done
[[ $# -ge 2 && ${3---} == -- && $with =~ ^(xargs|parallel|places)$ ]] || usage
file=$(realpath -- "$1") output=$(realpath -m -- "$2")
convert=("$utfconv" "${@:4}" "$file")
# The command is quoted and evaluated by each shell, so that xargs and parallel cannot take a file name for a
# placeholder.
convert_quoted=$(printf '%q ' "${convert[@]}")

scratch=$(mktemp -d -- "$output.XXXXXX")
trap 'rm -rf -- "$scratch"' EXIT

list_ranges() { "${convert[@]}" --list-ranges "$ranges"; }

# Converts a range with one thread, because $workers conversions run at once. for_each passes this function to the
# shells that xargs starts.
convert_range() { "${convert[@]}" -j1 --range "$@"; }
export scratch convert_quoted

# for_each SCRIPT: runs SCRIPT for each line of standard input, with the line in $line, as soon as a worker is free. A
# failing script exits with 255, the status at which xargs starts no more processes.
for_each() {
    local functions script
    functions=$(declare -f convert_range)
    script='set -o pipefail; line=$1; eval "convert=($convert_quoted)"; '"$functions
        $1"' || { echo "range ${line% *} failed: status $?" >&2; exit 255; }'
    xargs -P "$workers" -d '\n' -n 1 bash -c "$script" bash
}

# The names of the parts sort in the order of the ranges.
with_xargs() {
    list_ranges | for_each 'convert_range "$line" -o "$scratch/part-$(printf %015d "${line%:*}")"'
    cat "$scratch"/part-* >"$scratch/joined"
}

with_parallel() {
    if [[ $(parallel --version 2>&1) != "GNU parallel"* ]]; then
        echo "xargs_convert.sh: --with parallel needs GNU parallel; that of the moreutils is another program" >&2
        exit 2
    fi
    # Messages bypass parallel (2>&3), because it drops the messages of a job that fails while it waits for its turn to
    # be printed.
    list_ranges |
        PARALLEL_SHELL=$BASH parallel -k -P "$workers" --halt now,fail=1 --joblog "$output.joblog" --tmpdir "$scratch" \
            'eval "$convert_quoted -j1 --range {} 2>&3"' 3>&2 >"$scratch/joined"
}

with_places() {
    list_ranges | for_each 'length=$(convert_range "$line" --count-output) && echo "$line $length"' |
        sort -n >"$scratch/lengths"
    local place=0 range length
    while read -r range length; do
        echo "$range $place"
        place=$((place + length))
    done <"$scratch/lengths" >"$scratch/places"
    # Suppress the errors (-s), because the first conversion, for the lengths, has already reported them.
    for_each 'convert_range "${line% *}" -s |
        dd of="$scratch/joined" seek="${line#* }" oflag=seek_bytes bs=1M iflag=fullblock conv=notrunc status=none' \
        <"$scratch/places"
}

# Prints the file's identity, size and modification time. They must not change, because ranges of two states of a file
# do not fit together.
state() { stat -c '%d %i %s %y' -- "$file"; }

before=$(state)
"with_$with"
if [[ $(state) != "$before" ]]; then
    echo "xargs_convert.sh: $file has changed while it was converted" >&2
    exit 2
fi
if $compare; then
    "${convert[@]}" -s | cmp - "$scratch/joined"
    echo "the same as the whole: $(stat -c %s "$scratch/joined") bytes"
fi
mv -- "$scratch/joined" "$output"
