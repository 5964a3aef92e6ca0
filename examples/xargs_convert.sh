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
# conversion; else another. Needs the GNU coreutils.
#
# shellcheck disable=SC2016  # what is in single quotes is for the shells of the ranges
set -euo pipefail

usage() {
    echo "usage: xargs_convert.sh [--with xargs|parallel|places] [--workers N] [--ranges N] [--utfconv PATH]" \
        "[--compare] FILE OUTPUT [-- -f ENC -t ENC ...]" >&2
    exit 2
}

with=xargs workers=$(nproc) ranges=16 utfconv=utfconv compare=false
while [[ ${1-} == --* ]]; do
    case $1 in
    --compare) compare=true && shift ;;
    --with | --workers | --ranges | --utfconv) declare "${1#--}=${2?"$1 needs a value"}" && shift 2 ;;
    *) usage ;;
    esac
done
[[ $# -ge 2 && ${3---} == -- && $with =~ ^(xargs|parallel|places)$ ]] || usage
file=$(realpath -- "$1") output=$(realpath -m -- "$2")
convert=("$utfconv" "${@:4}" "$file")

scratch=$(mktemp -d -- "$output.XXXXXX")
trap 'rm -rf -- "$scratch"' EXIT

list_ranges() { "${convert[@]}" --list-ranges "$ranges"; }

# Runs a script for every line of standard input: $1 is the line, $2 the scratch directory, the rest a conversion with
# one thread, as there are as many at a time as workers. 255 is the status at which xargs starts no more.
for_each() {
    local script="set -o pipefail; $1"' || { echo "range ${1% *} failed: status $?" >&2; exit 255; }'
    xargs -P "$workers" -d '\n' -I @LINE@ bash -c "$script" bash @LINE@ "$scratch" "${convert[@]}" -j1
}

# The parts have names in the order of the ranges.
with_xargs() {
    list_ranges | for_each '"${@:3}" --range "$1" -o "$2/part-$(printf %015d "${1%:*}")"'
    cat "$scratch"/part-* >"$scratch/joined"
}

with_parallel() {
    list_ranges |
        parallel -q -k -P "$workers" -I @LINE@ --halt now,fail=1 --joblog "$output.joblog" --tmpdir "$scratch" \
            "${convert[@]}" -j1 --range @LINE@ >"$scratch/joined"
}

with_places() {
    list_ranges | for_each 'length=$("${@:3}" --count-output --range "$1") && echo "$1 $length"' |
        sort -n >"$scratch/lengths"
    local place=0 range length
    while read -r range length; do
        echo "$range $place"
        place=$((place + length))
    done <"$scratch/lengths" >"$scratch/places"
    # What is at fault was told with the lengths.
    for_each '"${@:3}" -s --range "${1% *}" |
        dd of="$2/joined" seek="${1#* }" oflag=seek_bytes bs=1M iflag=fullblock conv=notrunc status=none' \
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
