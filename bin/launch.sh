# Read by the launchers beside it, with their real path in $self; it starts no process but Node.

# launch <bundle> [argument...]: becomes Node with this bundle, or returns 1 when that cannot be.
# The Node that the build was made for is taken, since nodegit loads in no other, else the one on PATH.
launch() {
  dist=${self%/*}/../dist
  bundle=$dist/$1.js
  shift
  if [ ! -f "$bundle" ]; then
    echo "${self##*/}: the build is missing; run ./setup in the folder of gstack-skill-gates" >&2
    return 1
  fi

  node=
  [ -r "$dist/node-path" ] && IFS= read -r node <"$dist/node-path"
  [ -x "$node" ] || node=$(command -v node) || {
    echo "${self##*/}: there is no Node on PATH, and the one of the build is gone; run ./setup again" >&2
    return 1
  }
  exec "$node" "$bundle" "$@"
}
