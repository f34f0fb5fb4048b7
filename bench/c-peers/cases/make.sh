# Sourced by every `make DIRECTORY`: $packages is where `install` put the packages, $case the folder of the case, and $input the
# beginning of the name under which the input is to be written.
set -eu
case=$(cd "$(dirname "$0")" && pwd)
packages=$case/../../work/packages
headers=$packages/usr/include
crates=$packages/crates/vendor
input=$1/input
