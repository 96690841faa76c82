# Sourced: what `topple --help` and every `topple COMMAND --help` say. TOPPLE is the program.

# commands_of [WORDS OF A COMMAND]: the names of the commands below it.
commands_of() { "$TOPPLE" "$@" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z-]*\)  .*/\1/p'; }

# options_of [WORDS OF A COMMAND]: "-h" "--help" ..., one a line.
options_of() {
    "$TOPPLE" "$@" --help | sed -n '/^Options:/,/^$/s/^  \(-[^ {=:]*\).*/\1/p' | tr ',' '\n'
}

# for_each_command ACTION: runs ACTION with the words of every command, first with none.
for_each_command() {
    "$1"
    for first in $(commands_of); do
        "$1" "$first"
        for second in $(commands_of "$first"); do "$1" "$first" "$second"; done
    done
}
