#!/usr/bin/env bash
# Makes a copy of the system's ICU data library that has only what paraprint reads: normalisation, word and sentence
# boundaries of all scripts, internationalised domain names. Names of languages and currencies, collations and charset
# converters, nine tenths of the data, are left out.
#
# usage: tools/wheel/reduce_icu_data.sh FOLDER    (gets libicudata.so.NN)
# The library's data is one constant, icudtNN_dat, which is taken out, reduced by ICU's own icupkg, and put back.
set -euo pipefail
mkdir -p "$1"
cd "$1"
fail() { echo "reduce_icu_data.sh: $1" >&2; exit 1; }
command -v icupkg >/dev/null || fail "no icupkg; install icu-devtools"
library=$(ldconfig -p | sed -n 's/^[[:space:]]*libicudata\.so\.[0-9]* .*x86-64.* => //p;
                                 s/^[[:space:]]*libicudata\.so\.[0-9]* .*AArch64.* => //p' | head -n 1)
[ -n "$library" ] || fail "no libicudata in the linker's cache; install libicu-dev"
soname=$(basename "$library")
major=${soname##*.}
data=icudt${major}l.dat  # icupkg derives the prefix of all names from that of the file; l: little-endian
rm -f "$soname"

# Offset and size of the constant in the file: its address less that of its section, plus the section's offset.
read -r address size section < <(readelf --dyn-syms -W "$library" \
                                 | awk -v name="icudt${major}_dat" '$8 == name {print "0x" $2, $3, $7}')
[ -n "${section:-}" ] || fail "$library does not define icudt${major}_dat"
read -r section_address section_offset < <(readelf -SW "$library" | sed 's/^ *\[ *//; s/\]//' \
                                           | awk -v number="$section" '$1 == number {print "0x" $4, "0x" $5}')
tail -c +$((address - section_address + section_offset + 1)) "$library" | head -c $((size)) > "$data" || true
[ "$(stat -c %s "$data")" = $((size)) ] || fail "$library is truncated"

icupkg -l "$data" > items.txt
kept='^brkitr/|^[^/]*\.(nrm|icu|spp|cfu)$'
kept+='|^(root|pool|icuver|res_index|supplementalData|likelySubtags|langInfo|keyTypeData|metadata)\.res$'
grep -Ev "$kept" items.txt > removed.txt
mkdir -p reduced
icupkg -r removed.txt "$data" "reduced/$data"
cat > data.S <<END
  .section .rodata
  .balign 16
  .globl icudt${major}_dat
  .type icudt${major}_dat, %object
icudt${major}_dat:
  .incbin "reduced/$data"
  .size icudt${major}_dat, . - icudt${major}_dat
  .section .note.GNU-stack,"",%progbits
END
${CC:-cc} -shared -nostdlib -Wl,-s "-Wl,-soname,$soname" -o "$soname" data.S
rm -rf "$data" reduced data.S
