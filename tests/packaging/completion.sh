#!/bin/bash
# What bash offers: commands, all options of --help, the words that an option takes, devices; files are left to bash.
# usage: completion.sh TOPPLE SCRIPT
set -eu
TOPPLE=$1
. "$(dirname "$0")/help.sh"
. "$2"
fail() { echo "FAILED: $*"; exit 1; }

# offered LINE: what is offered at the end of LINE, sorted, in one line.
offered() {
    COMP_LINE=$1 COMP_POINT=${#1}
    _topple
    printf '%s\n' "${COMPREPLY[@]}" | sort | xargs
}
expect() {  # LINE WORDS
    local found wanted
    found=$(offered "$1")
    wanted=$(printf '%s\n' $2 | sort | xargs)
    [ "$found" = "$wanted" ] || fail "\"$1\" offers \"$found\", not \"$wanted\""
}

check_command() {
    local line="topple${*:+ }$* "
    expect "$line-" "$(options_of "$@")"
    local below
    below=$(commands_of "$@")
    [ -z "$below" ] || for name in $below; do
        [[ " $(offered "$line") " == *" $name "* ]] || fail "\"$line\" does not offer $name"
    done
}
for_each_command check_command

expect 'topple pr' predict
expect 'topple table id' identify
expect 'topple run --dev' --device
expect 'topple run file.toml --out' --out
expect 'topple map x.toml --amplitude-by ' 'tan alpha'
expect 'topple map x.toml --amplitude-by=a' alpha
expect 'topple mark runs/a --outcome ' 'T S R O P D'
expect 'topple predict --after-validity ' contact_dynamics
models=$("$TOPPLE" predict --help | sed -n 's/.*--model NAME *One of: \([^;]*\); all.*/\1 all/p' | tr -d ,)
[ -n "$models" ] || fail 'the help of predict names no models'
expect 'topple predict --model ' "$models"
expect 'topple run --device se' serial:
for device in sim: serial: tcp:; do
    [[ " $(offered 'topple run --device ') " == *" $device "* ]] || fail "the device $device is not offered"
done
# The value of an option is no command, and what is an option's value is not completed as a command.
expect 'topple --version predict --out table --a' '--after-validity --all-impacts'
expect 'topple table --help home --device table --y' --yes
# Files are bash's part: nothing is offered, and bash was told to go on.
expect 'topple predict docs/' ''
expect 'topple run --out ' ''
complete -p topple | grep -q -- '-o default' || fail 'bash does not complete the names of files'
cd "$(mktemp -d)"
mkdir some_run
[ "$(offered 'topple fit ')" = 'free-rocking some_run' ] || fail 'fit takes a run or a command'
rmdir "$PWD/some_run" "$PWD"
