/** A commit of a million files, all of one blob, as a script for `shellRepo`. */
export const MILLION_FILES = `
new_repo
{
  printf 'blob\\nmark :1\\ndata 2\\nx\\n\\ncommit refs/heads/main\\ncommitter Dev <dev@example.invalid> 1767600000 +0000\\ndata 4\\nbase\\n'
  seq 0 999999 | awk '{ printf "M 100644 :1 d%d/f%d.js\\n", int($1 / 1000), $1 }'
  echo
} | git fast-import --quiet
git reset -q --hard
`
