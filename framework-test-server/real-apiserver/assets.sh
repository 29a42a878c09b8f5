#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Prints the directory to use as KUBEBUILDER_ASSETS: it holds etcd, kube-apiserver and
# kube-controller-manager, and kubectl if there is one on PATH. All else goes to stderr.
#
#   export KUBEBUILDER_ASSETS="$(framework-test-server/real-apiserver/assets.sh)"
#
# What KUBEBUILDER_ASSETS already holds is used as it is. What is missing gets built from Go modules,
# once, into a cache outside the checkout: ${XDG_CACHE_HOME:-$HOME/.cache}/windlass/assets. Delete
# that folder to start afresh. Needs Go (version: see go.mod) only when something has to be built.

set -euo pipefail

readonly REQUIRED=(etcd kube-apiserver kube-controller-manager)
SOURCE="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)"
readonly SOURCE

say() { printf 'assets.sh: %s\n' "$*" >&2; }
die() {
  say "$*"
  exit 1
}

# The first 12 hex digits of the SHA-256 of stdin.
digest() {
  if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | cut -c1-12
}

is_program() { [[ -f "$1" && -x "$1" ]]; }

# The version of a module that go.mod requires.
required_version() { awk -v module="$1" '$1 == module { print $2; exit }' "$SOURCE/go.mod"; }

check_go() {
  local wanted have
  wanted="$(awk '$1 == "go" { print $2; exit }' "$SOURCE/go.mod")"
  command -v go >/dev/null || die "Go $wanted or newer is needed to build ${missing[*]}, and there is no go on PATH." \
    "Install Go, or set KUBEBUILDER_ASSETS to a directory that holds ${REQUIRED[*]}."
  have="$(cd / && GOTOOLCHAIN=local go env GOVERSION)"
  have="${have#go}"
  have="${have%% *}"
  [[ "$(printf '%s\n%s\n' "$wanted" "$have" | sort -V | head -n 1)" == "$wanted" ]] ||
    die "Go $wanted or newer is needed to build ${missing[*]}; $(command -v go) is $have."
}

# Builds the program at path $1 unless it is there. A rename makes it appear whole or not at all.
build() {
  local target="$1" flags="-s -w" package temporary
  if is_program "$target"; then return; fi
  check_go
  for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
    flags+=" -X $package.gitVersion=$version -X $package.gitMajor=$(cut -d. -f1 <<<"${version#v}")"
    flags+=" -X $package.gitMinor=$(cut -d. -f2 <<<"$version") -X $package.gitTreeState=clean"
  done
  say "building etcd $(required_version go.etcd.io/etcd/server/v3) and Kubernetes $version with" \
    "$(go env GOVERSION); this takes some minutes, once"
  temporary="$(mktemp "$target.XXXXXX")"
  # shellcheck disable=SC2064 # the name is meant to be expanded now
  trap "rm -f -- '$temporary'" EXIT
  (cd "$SOURCE" && CGO_ENABLED=0 GOWORK=off GOFLAGS='-mod=readonly -buildvcs=false' \
    go build -trimpath -ldflags "$flags" -o "$temporary" .) >&2 ||
    die "go build failed; its messages stand above."
  chmod 755 "$temporary"
  mv -f -- "$temporary" "$target"
}

# Makes $2 a link to $1. Leaves a right one alone, for a server may be starting from it.
link() {
  [[ -L "$2" && "$(readlink -- "$2")" == "$1" ]] || ln -sfn -- "$1" "$2"
}

given="${KUBEBUILDER_ASSETS:-}"
if [[ -n "$given" && -d "$given" ]]; then given="$(cd -- "$given" && pwd)"; fi
missing=()
for name in "${REQUIRED[@]}"; do
  if [[ -z "$given" ]] || ! is_program "$given/$name"; then missing+=("$name"); fi
done
if ((${#missing[@]} == 0)); then
  printf '%s\n' "$given"
  exit
fi
if [[ -n "$given" ]]; then say "KUBEBUILDER_ASSETS=$given lacks ${missing[*]}"; fi

version="$(required_version k8s.io/kubernetes)"
sources="$(cd "$SOURCE" && cat go.mod go.sum ./*.go | digest)"
cache="${XDG_CACHE_HOME:-$HOME/.cache}/windlass/assets/$version-$sources"
assets="$cache/all"
if ((${#missing[@]} < ${#REQUIRED[@]})); then assets="$cache/with-$(digest <<<"$given")"; fi
mkdir -p "$assets"

# Two runs at once: the second waits, then finds the work done. Without flock (macOS) both build, and
# the renames keep the result whole.
exec 9>"$cache/lock"
if command -v flock >/dev/null; then flock 9; fi

build "$cache/real-apiserver"
for name in "${REQUIRED[@]}"; do
  if [[ " ${missing[*]} " == *" $name "* ]]; then
    link "$cache/real-apiserver" "$assets/$name"
  else
    link "$given/$name" "$assets/$name"
  fi
done
if kubectl="$(command -v kubectl)"; then link "$kubectl" "$assets/kubectl"; fi
printf '%s\n' "$assets"
