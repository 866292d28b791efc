#!/bin/sh
# Installs Debian's Chromium, in which the console is tested, when it is missing. Quiet, and no failure where there is no apt or no
# right to use it: then the tests say what they need.
set -u

command -v chromium >/dev/null 2>&1 && exit 0
if ! command -v apt-get >/dev/null 2>&1; then
  echo "There is no Chromium and no apt-get to install it with."
  exit 0
fi
as_root=""
[ "$(id -u)" -eq 0 ] || as_root="sudo -n"
echo "Installing Chromium from Debian …"
# shellcheck disable=SC2086 # Empty, or two words.
if $as_root apt-get update -qq >/dev/null 2>&1 &&
  DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends chromium >/dev/null 2>&1; then
  chromium --version 2>/dev/null || true
else
  echo "Chromium could not be installed."
fi
exit 0
