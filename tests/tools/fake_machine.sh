# Sourced after testing.sh: a clone in $clone, on a machine whose dpkg-query, apt-get, sudo, id and Bazel only
# write down how they were called ($calls) and act on files in $work:
#   installed     the installed packages, one a line
#   bazel_status  the exit code of the next builds
#   query_status  that of the next questions about targets
# The user's number is $FAKE_UID; sudo wants a password unless SUDO_OPEN is set.
clone="$work/the clone"
calls="$work/calls"
mkdir -p "$clone/cli" "$clone/tools" "$work/bin" "$work/home" "$work/output/cli"
touch "$clone/WORKSPACE" "$clone/cli/BUILD" "$clone/cli/main.cc" "$calls"
cp -L tools/* "$clone/tools/"
awk '/^build|^test/ { print $2 }' "$clone/tools/packages.txt" >"$work/installed"
echo 0 >"$work/bazel_status"
echo 0 >"$work/query_status"
export work calls FAKE_UID=0 HOME="$work/home" BAZEL="$work/bin/bazel" PATH="$work/bin:$PATH"

# The program that Bazel "builds".
cat >"$work/program" <<'END'
#!/usr/bin/env bash
case ${1:-} in
  cat) cat ;;
  exit) exit "$2" ;;
  pid) echo $$ ;;
  *) printf '<%s>' "$PWD" "$@" ;;
esac
END

cat >"$work/bin/bazel" <<'END'
#!/usr/bin/env bash
echo "bazel $*${CC:+ CC=$CC}${BAZEL_CXXOPTS:+ BAZEL_CXXOPTS=$BAZEL_CXXOPTS}" >>"$calls"
cat >/dev/null # what it reads is not the user's stdin
case " $* " in
  *" build "*)
    echo "words of bazel"
    cat "$work/program" >"$work/output/cli/postroom"
    exit "$(<"$work/bazel_status")"
    ;;
  *" info "*) echo "$work/output" ;;
  *" query "*)
    printf '//runtime:%s\n' parker headers_alone
    exit "$(<"$work/query_status")"
    ;;
  *" test "*)
    echo "words of bazel"
    for arg in "$@"; do
      case $arg in --build_event_json_file=*) cp "$work/events" "${arg#*=}" ;; esac
    done
    exit "$(<"$work/bazel_status")"
    ;;
esac
END

cat >"$work/bin/dpkg-query" <<'END'
#!/usr/bin/env bash
for arg in "$@"; do
  case $arg in
    -*) ;;
    *) if grep -qxF "$arg" "$work/installed"; then echo "installed $arg"; else unknown=1; fi ;;
  esac
done
exit "${unknown:-0}"
END

cat >"$work/bin/apt-get" <<'END'
#!/usr/bin/env bash
echo "apt-get $*" >>"$calls"
cat >/dev/null # what it reads is not the user's stdin
case " $* " in
  *" -s "*) [[ ! -e $work/lists_are_missing ]] ;;
  *" update "*)
    rm -f "$work/lists_are_missing"
    if [[ -e $work/a_list_fails ]]; then echo "E: no such list" && exit 100; fi
    ;;
  *" install "*)
    if [[ -e $work/apt_fails ]]; then echo "E: no network" && exit 100; fi
    if [[ -e $work/locked ]]; then
      mv "$work/locked" "$work/locked_no_more"
      echo "E: Could not get lock /var/cache/apt/archives/lock" && exit 100
    fi
    for arg in "$@"; do echo "$arg" >>"$work/installed"; done
    ;;
esac
END

cat >"$work/bin/sudo" <<'END'
#!/usr/bin/env bash
if [[ -z ${SUDO_OPEN:-} ]]; then exit 1; fi
shift # -n
echo "sudo $*" >>"$calls"
exec "$@"
END

cat >"$work/bin/id" <<'END'
#!/usr/bin/env bash
echo "$FAKE_UID"
END
chmod +x "$work"/bin/*

remove_package() { sed -i "/^$1$/d" "$work/installed"; }
forget_calls() { : >"$calls"; }
# How often a command was called since then.
called() { grep -c "^$1 " "$calls"; }
