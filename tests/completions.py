"""Asks an interactive shell for completions, on a terminal: completions.py bash|zsh DIRECTORY LINES...

DIRECTORY has the completion scripts, and each of LINES is a command line. At the end of a line, all completions that the
shell offers are inserted, and the line is run. `utfconv` and `iconv` are shell functions that print their arguments. Prints
for each line the arguments, separated by |.
"""

import os
import pty
import re
import select
import sys

SETUP = {
    "bash": (
        ["bash", "--norc", "--noprofile", "-i"],
        "source {dir}/utfconv.bash; bind '\"\\C-t\": insert-completions'; bind 'set enable-bracketed-paste off'",
    ),
    "zsh": (
        ["zsh", "-f", "-i"],
        "fpath=({dir} $fpath); autoload -Uz compinit; compinit -u -D; zle -C every complete-word _generic; "
        "bindkey '^T' every; zstyle ':completion:every:*' completer _all_matches _complete; "
        "zstyle ':completion:*' insert yes; zstyle ':completion:*' old-matches false; unsetopt zle_bracketed_paste",
    ),
}


def read(terminal, end):
    """Reads until the text matches `end`, or until no output arrives for a minute."""
    text = ""
    while not re.search(end, text) and select.select([terminal], [], [], 60)[0]:
        text += os.read(terminal, 65536).decode(errors="replace")
    return text


def main(shell, directory, lines):
    argv, setup = SETUP[shell]
    child, terminal = pty.fork()
    if child == 0:
        environment = dict(os.environ, TERM="dumb", PS1="$ ", LC_ALL="C.UTF-8", COLUMNS="20000")
        os.execvpe(argv[0], argv, environment)

    def run(line):
        os.write(terminal, line.encode() + b"\n")
        return read(terminal, "\nREADY")

    run("stty cols 20000; " + setup.format(dir=directory) + "; echo; echo READY")
    for name in ["utfconv", "iconv"]:
        run(name + "() { printf '\\n<<'; printf '%s|' \"$@\"; printf '>>\\nREADY\\n'; }; echo; echo READY")
    for line in lines:
        answer = re.search(r"\n<<(.*?)\|?>>", run(line + "\x14"), re.S)
        print(answer.group(1) if answer else "(no answer)")
    os.write(terminal, b"exit\n")


main(sys.argv[1], sys.argv[2], sys.argv[3:])
