#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Prints the path of helm, for the tests that install charts. All else goes to stderr.
#
#   HELM="$(framework-test-server/real-apiserver/helm.sh)"
#
# Builds the version below from its Go module, once, into a cache outside the checkout:
# ${XDG_CACHE_HOME:-$HOME/.cache}/windlass/helm-<version>. Needs Go only for that.

set -euo pipefail

readonly VERSION=v3.19.5
readonly CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/windlass/helm-$VERSION"

say() { printf 'helm.sh: %s\n' "$*" >&2; }

mkdir -p "$CACHE"

# Two runs at once: the second waits, then finds the work done. Without flock (macOS) both build, and
# the rename keeps the result whole.
exec 9>"$CACHE/lock"
if command -v flock >/dev/null; then flock 9; fi

if [[ ! -x "$CACHE/helm" ]]; then
  command -v go >/dev/null || {
    say "Go is needed to build Helm $VERSION, and there is no go on PATH"
    exit 1
  }
  say "building Helm $VERSION with $(cd / && go env GOVERSION); this takes a minute or two, once"
  temporary="$(mktemp -d "$CACHE/build.XXXXXX")"
  trap 'rm -rf -- "$temporary"' EXIT
  # Outside of the checkout, so that no go.mod is in the way.
  (cd / && GOBIN="$temporary" CGO_ENABLED=0 GOWORK=off GOFLAGS=-buildvcs=false \
    go install -trimpath -ldflags "-s -w -X helm.sh/helm/v3/internal/version.version=$VERSION" \
    "helm.sh/helm/v3/cmd/helm@$VERSION") >&2
  mv -f -- "$temporary/helm" "$CACHE/helm"
fi
printf '%s\n' "$CACHE/helm"
