#!/usr/bin/env bash
# Converts one huge file by ranges on one machine, with xargs or GNU parallel.
#
#     xargs_convert.sh --workers 4 --ranges 64 big.txt big.utf16 -- -t UTF-16
#
# The ways (--with):
#     xargs     a part for each range, and cat joins them; needs the room of OUTPUT twice
#     parallel  GNU parallel joins the outputs, which wait in temporary files; OUTPUT.joblog has the times
#     places    each output goes to its place in OUTPUT; converts twice, the first time for the lengths alone
#
# OUTPUT gets its name when it is complete. Exit status: 0 if so, and with --compare, if it is that of the whole
# conversion; else another. -c has to be given with --lossy-status=0, or what it omits is a failure. Needs the GNU
# coreutils.
#
# shellcheck disable=SC2016  # what is in single quotes is for the shells of the ranges
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
# No name may be taken for a placeholder.
convert_quoted=$(printf '%q ' "${convert[@]}")

scratch=$(mktemp -d -- "$output.XXXXXX")
trap 'rm -rf -- "$scratch"' EXIT

list_ranges() { "${convert[@]}" --list-ranges "$ranges"; }

# Converts a range with one thread, because $workers conversions run at once. for_each passes this function to the
# shells that xargs starts.
convert_range() { "${convert[@]}" -j1 --range "$@"; }
export scratch convert_quoted

# Runs a script for every line of standard input, which it finds in $line, as soon as a worker is free. 255 is the status
# at which xargs starts no more.
for_each() {
    local functions script
    functions=$(declare -f convert_range)
    script='set -o pipefail; line=$1; eval "convert=($convert_quoted)"; '"$functions
        $1"' || { echo "range ${line% *} failed: status $?" >&2; exit 255; }'
    xargs -P "$workers" -d '\n' -n 1 bash -c "$script" bash
}

# The parts have names in the order of the ranges.
with_xargs() {
    list_ranges | for_each 'convert_range "$line" -o "$scratch/part-$(printf %015d "${line%:*}")"'
    cat "$scratch"/part-* >"$scratch/joined"
}

with_parallel() {
    if [[ $(parallel --version 2>&1) != "GNU parallel"* ]]; then
        echo "xargs_convert.sh: --with parallel needs GNU parallel; that of the moreutils is another program" >&2
        exit 2
    fi
    # Messages go past parallel, which drops those of a job that fails while it waits for its turn to be printed.
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
    # The errors were reported with the lengths.
    for_each 'convert_range "${line% *}" -s |
        dd of="$scratch/joined" seek="${line#* }" oflag=seek_bytes bs=1M iflag=fullblock conv=notrunc status=none' \
        <"$scratch/places"
}

# Ranges of two states of a file make up neither.
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
