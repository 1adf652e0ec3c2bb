#!/usr/bin/env bash
# Builds the image's root file system without a container engine, from the Dockerfile's own lines, and runs it with runc
# under the very options of docker-compose.yml. As root on Debian, with debootstrap, runc and npm:
#
#   apt-get install debootstrap runc && npm ci
#   deploy/check-image.sh [directory]      # a new directory, which is kept; without one nothing is left
#
# What stands for node:24-bookworm-slim is Debian's minimal bookworm with this repository's Node and this machine's npm.
# An instruction that is not understood here is an error, so that nothing in the Dockerfile goes unchecked.
set -euo pipefail

repository=$(cd "$(dirname "$0")/.." && pwd)
base_image=node:24-bookworm-slim
node=$repository/node_modules/node/bin/node
for program in debootstrap runc npm unshare "$node"; do
  command -v "$program" >/dev/null || { echo "missing: $program" >&2; exit 2; }
done
[ "$(id -u)" = 0 ] || { echo "needs root" >&2; exit 2; }

work=${1:-$(mktemp -d)}
[ $# -gt 0 ] || trap 'rm -rf --one-file-system "$work"' EXIT
mkdir -p "$work"
# mktemp closes it to others, and root in a pod's user namespace is one of them.
chmod 755 "$work"
base=$work/base
megabytes() { du -sm --one-file-system "$1" | cut -f1; }
fail() { echo "Dockerfile: $*" >&2; exit 1; }

make_base() {
  debootstrap --variant=minbase bookworm "$base" >"$work/debootstrap.log" 2>&1 || { tail "$work/debootstrap.log" >&2; exit 1; }
  install -D "$node" "$base/usr/local/bin/node"
  mkdir -p "$base/usr/local/lib/node_modules"
  cp -a "$(realpath "$(dirname "$(realpath "$(command -v npm)")")/..")" "$base/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$base/usr/local/bin/npm"
  chroot "$base" useradd --uid 1000 --create-home node
  rm -rf "$base"/var/lib/apt/lists/* "$base"/var/cache/apt/*
}

# The build context: an allow-list is all that .dockerignore is.
make_context() {
  local line
  mkdir "$work/context"
  while IFS= read -r line; do
    case $line in
      '' | '#'* | '*') ;;
      '!'*) cp -a "$repository/${line#!}" "$work/context/" ;;
      *) fail ".dockerignore has more than an allow-list: $line" ;;
    esac
  done <"$repository/.dockerignore"
}

# Instructions, one on a line: without comments, continued lines joined.
instructions() {
  sed -e '/^[[:space:]]*#/d' -e '/^[[:space:]]*$/d' "$repository/Dockerfile" | sed -e ':a' -e '/\\$/{N;s/\\\n[[:space:]]*/ /;ba' -e '}'
}

# In the stage's root, with mounts that end with the command.
run_step() {
  local ca=/etc/ssl/certs/ca-certificates.crt
  # shellcheck disable=SC2016
  unshare --mount --propagation private -- sh -eu -c '
    root=$1 directory=$2 ca=$3 command=$4
    shift 4
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    touch "$root/etc/resolv.conf" "$root/run/ca.crt"
    mount --bind /etc/resolv.conf "$root/etc/resolv.conf"
    [ ! -e "$ca" ] || mount --bind "$ca" "$root/run/ca.crt"
    exec chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
      DEBIAN_FRONTEND=noninteractive NODE_EXTRA_CA_CERTS=/run/ca.crt "$@" sh -c "cd $directory && $command"
  ' sh "$stage" "$workdir" "$ca" "$1" "${env[@]}" >>"$work/steps.log" 2>&1 || { tail -20 "$work/steps.log" >&2; fail "RUN failed: $1"; }
  rm -f "$stage/run/ca.crt"
}

copy_step() {
  local from=$work/context words target source
  read -ra words <<<"$1"
  if [[ ${words[0]} == --from=* ]]; then
    from=$work/${words[0]#--from=}
    words=("${words[@]:1}")
  fi
  target=${words[-1]}
  [[ $target == /* ]] || target=$workdir/$target
  unset 'words[-1]'
  for source in "${words[@]}"; do
    [ -e "$from/$source" ] || fail "COPY finds no $source"
    mkdir -p "$stage$(dirname "$target/.")"
    # A directory's contents go into the target, a file goes there by its name.
    if [ -d "$from/$source" ]; then cp -a --no-preserve=ownership "$from/$source/." "$stage$target"
    else cp --preserve=mode "$from/$source" "$stage$target"; fi
  done
}

build() {
  local line word rest as number=0
  while IFS= read -r line; do
    word=${line%% *} rest=${line#* }
    echo "  $word ${rest:0:90}"
    case $word in
      FROM)
        read -r image as rest <<<"$rest"
        [ "$image" = "$base_image" ] || fail "FROM $image: only $base_image is known here"
        stage=$work/${rest:-final} workdir=/ env=() user=0:0
        cp -a "$base" "$stage"
        ;;
      WORKDIR) workdir=$rest; mkdir -p "$stage$workdir" ;;
      COPY) copy_step "$rest" ;;
      RUN) run_step "$rest" ;;
      ENV) [[ $rest != *[\"\']* ]] || fail "ENV with quotes"; read -ra pairs <<<"$rest"; env+=("${pairs[@]}") ;;
      USER) user=$rest ;;
      VOLUME) volume=$rest ;;
      ENTRYPOINT) entrypoint=$rest ;;
      CMD) command=$rest ;;
      HEALTHCHECK) health=${rest#*CMD } ;;
      LABEL | EXPOSE | STOPSIGNAL) ;;
      *) fail "unknown instruction $word" ;;
    esac
  done < <(instructions)
}

echo "A base that stands for $base_image"
make_base
make_context
echo "The Dockerfile's steps"
build
root=$work/final
echo "Sizes in MB: base $(megabytes "$base"), image $(megabytes "$root"); above the base $(($(megabytes "$root") - $(megabytes "$base"))), of that $(megabytes "$root/app/node_modules") production packages and $(megabytes "$root/app/src") sources"

printf '%s\n' "${env[@]}" >"$work/environment"
export IMAGE_WORK=$work IMAGE_USER=$user IMAGE_VOLUME=$volume IMAGE_WORKDIR=$workdir
export IMAGE_ENTRYPOINT=$entrypoint IMAGE_CMD=$command IMAGE_HEALTH=$health
"$node" "$repository/deploy/check-image/checks.js"
