# Shared by the scripts of this folder, which source it. Needs bash and what every Debian has.
#
#   root                   the clone, as an absolute path
#   note TEXT              one line on stderr
#   die CODE TEXT          the same, then the end
#   print_head             prints the words at the head of the script that calls it
#   ensure_packages SET…   installs what is missing of these sets of packages.txt, or says how to
#   state_folder           prints the folder for what is built, and makes it
#   run_bazel ARGS…        Bazel in the clone, whatever the user's environment
#   read_cpu               puts into $cpu what -march=native depends on
#   native_options         prints Bazel's options for this CPU, one a line
#   source_files PATTERN…  prints the project's own files of these patterns, one a line

unset CDPATH # by which `cd tools/..` may lead elsewhere
root=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd -P)

note() { printf 'postroom: %s\n' "$*" >&2; }

die() {
  note "${@:2}"
  exit "$1"
}

print_head() { sed -n '2,/^set/{/^set/!s/^# \{0,1\}//p}' "${BASH_SOURCE[1]}"; }

# ---- packages ------------------------------------------------------------------------------------

# The packages of the named sets, one a line.
package_names() {
  local set name wanted
  while read -r set name _; do
    for wanted in "$@"; do
      if [[ $set == "$wanted" ]]; then echo "$name"; fi
    done
  done <"$root/tools/packages.txt"
}

# Those of the given packages that are not installed, one a line.
missing_packages() {
  local installed name
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  for name in "$@"; do
    if [[ $'\n'$installed$'\n' != *$'\n'"installed $name"$'\n'* ]]; then echo "$name"; fi
  done
}

# patiently COMMAND…: runs apt-get again, for ten minutes, while another one holds a lock for which it does not wait by
# itself: those of the lists and of what is fetched, as a box that has just booted does.
patiently() {
  local output status=0 i
  for ((i = 0; i < 600 / ${APT_PAUSE:-5}; ++i)); do
    status=0
    output=$("$@" 2>&1) || status=$?
    printf '%s\n' "$output"
    if ((status == 0)) || [[ $output != *"Could not get lock"* ]]; then break; fi
    sleep "${APT_PAUSE:-5}"
  done
  return "$status"
}

# apt_install PREFIX PACKAGE…: PREFIX is "" as root, else "sudo -n". The package lists are fetched
# only where apt-get does not know the packages, or no longer finds them at the place it knows. One list that cannot be
# fetched may be of no account: whether the packages can be installed is seen by trying.
apt_install() {
  local -a apt
  read -r -a apt <<<"$1"
  shift
  apt+=(env DEBIAN_FRONTEND=noninteractive LC_ALL=C) # patiently reads what it says, also through sudo
  local proxy
  for proxy in http_proxy https_proxy ftp_proxy no_proxy; do # which sudo keeps to itself
    if [[ -n ${!proxy:-} ]]; then apt+=("$proxy=${!proxy}"); fi
  done
  apt+=(apt-get -q -y -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0)
  local -a install=("${apt[@]}" install --no-install-recommends "$@")
  if ! apt-get -q -s install --no-install-recommends "$@" >/dev/null 2>&1; then
    patiently "${apt[@]}" update || true
  fi
  patiently "${install[@]}" || { patiently "${apt[@]}" update || true; patiently "${install[@]}"; }
}

# Whether Bazel 4 can do with a path: no blanks, no letters beyond ASCII.
is_plain_path() {
  local LC_ALL=C
  [[ $1 != *[^!-~]* ]]
}

ensure_packages() {
  if [[ -z ${BAZEL:-} ]] && ! is_plain_path "$root"; then
    die 2 "Bazel 4 does not build where a path has blanks or letters beyond ASCII; move the clone from '$root'"
  fi
  if ! command -v dpkg-query >/dev/null; then
    if [[ -x $bazel ]]; then return; fi
    die 2 "no dpkg here: install by hand what tools/packages.txt names, and set BAZEL=/path/of/bazel"
  fi
  local -a wanted missing
  mapfile -t wanted < <(package_names "$@")
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  if ((${#missing[@]} == 0)); then return; fi

  local prefix="" become="su -c"
  if command -v sudo >/dev/null; then become="sudo sh -c"; fi
  if [[ $(id -u) != 0 ]]; then
    prefix="sudo -n"
    if ! $prefix true >/dev/null 2>&1 </dev/null; then
      die 2 "packages are missing; type this, then try again:
$become 'apt-get update; apt-get install -y --no-install-recommends ${missing[*]}'"
    fi
  fi

  note "installing with apt-get: ${missing[*]}"
  local log
  log=$(mktemp) || exit 2
  if ! apt_install "$prefix" "${missing[@]}" >"$log" 2>&1 </dev/null; then
    tail -n 30 "$log" >&2
    rm -f "$log"
    die 2 "apt-get could not install ${missing[*]} (its last words are above)"
  fi
  rm -f "$log"
}

# ---- folders and Bazel ---------------------------------------------------------------------------

bazel=${BAZEL:-/usr/bin/bazel}

# In the clone, else in the user's cache, else below TMPDIR; the user's own, so that nobody else can
# put something there to be run.
state_folder() {
  local clone folder
  clone=$(cksum <<<"$root")
  clone=${clone%% *}
  for folder in "$root/.build" "${HOME:-/nowhere}/.cache/postroom/$clone" \
    "${TMPDIR:-/tmp}/postroom-$(id -u)-$clone"; do
    if mkdir -p -m 700 "$folder" 2>/dev/null && [[ -O $folder && -w $folder ]]; then
      echo "$folder"
      return
    fi
  done
  die 2 "no folder to build in: neither $root nor HOME nor TMPDIR can be written"
}

# Bazel keeps its files in HOME/.cache/bazel; where that cannot be written, or is no path for it, in the state folder.
# A user's settings for another Bazel, Java or compiler do not reach it; what is meant for this clone
# belongs in user.bazelrc.
run_bazel() (
  startup=(--nohome_rc)
  if [[ -z ${HOME:-} ]] || ! is_plain_path "$HOME" || ! mkdir -p "$HOME/.cache/bazel" 2>/dev/null || [[ ! -w $HOME/.cache/bazel ]]; then
    HOME=$(state_folder) || exit
    startup+=(--output_user_root="$HOME/bazel")
  fi
  export HOME USER=${USER:-$(id -un 2>/dev/null || echo postroom)}
  # Debian's own Bazel is a wrapper that takes the newest one beside it, or what this says.
  if [[ $bazel == /usr/bin/bazel ]]; then export USE_BAZEL_VERSION=4; else unset USE_BAZEL_VERSION; fi
  unset JAVA_HOME JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS CC CXX CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH GCOV "${!BAZEL_@}"
  cd "$root"
  PATH=/usr/sbin:/usr/bin:/sbin:/bin exec "$bazel" "${startup[@]}" "$@" </dev/null
)

read_cpu() {
  local line
  cpu=""
  while IFS= read -r line && [[ -n $line ]]; do
    case $line in "model name"* | flags* | Features* | "CPU "*) cpu+="$line;" ;; esac
  done </proc/cpuinfo
}

# Each CPU and each set of package versions gets an output folder of its own: Bazel itself would take
# what another CPU's -march=native, or the headers of an older library, gave for up to date.
native_options() {
  local -a packages
  mapfile -t packages < <(package_names build)
  read_cpu
  echo --config=native
  { echo "$cpu" && dpkg-query -W "${packages[@]}" 2>/dev/null || true; } |
    cksum | sed 's/^\([0-9]*\) .*/--platform_suffix=native-\1/'
}

# ---- sources -------------------------------------------------------------------------------------

# Tracked files, and new ones that Git does not ignore; where Git does not answer for the clone (an unpacked archive,
# another user's clone), all there are. A pattern is for the whole path, and its stars stand for slashes, too.
source_files() (
  cd "$root"
  if git ls-files --error-unmatch WORKSPACE >/dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard -- "$@" | while IFS= read -r file; do
      if [[ -f $file ]]; then echo "$file"; fi
    done
  else
    local -a names=()
    for pattern in "$@"; do names+=(-o -path "./$pattern"); done
    find . \( -path './bazel-*' -o -path ./.build -o -path ./.git \) -prune \
      -o -type f \( -false "${names[@]}" \) -printf '%P\n'
  fi | sort -u
)
