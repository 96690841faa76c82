#!/bin/sh
# Draws docs/figures/base_stiffness.svg: the block of docs/examples/block_on_beam.toml on beams of four stiffnesses, each with
# three time steps. From the checkout:   docs/figures/base_stiffness.sh [TOPPLE] [OUT.svg]
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
topple=${1:-$root/build/release/hil/topple}
out=${2:-$root/docs/figures/base_stiffness.svg}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

panel() { # NAME MODULUS_PA TITLE
    for step in 1e-4 3e-5 1e-5; do
        sed -e "s/^time_step_s = .*/time_step_s = $step/" -e "s/modulus_pa = [0-9.e+]*/modulus_pa = $2/" \
            "$root/docs/examples/block_on_beam.toml" > "$work/$1_$step.toml"
        # A history every 2 ms is enough for a figure; "not confirmed" is what the figure is about.
        "$topple" predict "$work/$1_$step.toml" --history "$work/$1_$step.csv" > "$work/log" 2>&1 || {
            cat "$work/log" >&2
            exit 1
        }
    done
    cat >> "$work/figure.gp" <<EOF
set title '$3'
plot for [i=1:3] '$work/$1_'.word('1e-4 3e-5 1e-5', i).'.csv' skip 1 every 3 using 1:(57.2957795*\$3) \\
    with lines lw 1.2 lc rgb word('#9e9e9e #1565c0 #d84315', i) title 'Δt = '.word('1e-4 3e-5 1e-5', i).' s'
EOF
}

cat > "$work/figure.gp" <<EOF
set encoding utf8
set terminal svg size 900,640 enhanced background '#ffffff' font 'Helvetica,12'
set output '$work/figure.svg'
set datafile separator ','
set multiplot layout 2,2
set grid
set xrange [0:1.5]
set yrange [-12:18]
set xlabel 'time  t / s'
set ylabel 'rotation  θ / °'
EOF
panel e6 3.0e18 '10^6 E (rigid to .003°)'
panel e4 3.0e16 '10^4 E'
panel e2 3.0e14 '10^2 E'
panel e0 3.0e12 'E: sags by span/2500; only peak 1 converges'
echo 'unset multiplot' >> "$work/figure.gp"
gnuplot "$work/figure.gp"
mv "$work/figure.svg" "$out"
echo "written: $out"
