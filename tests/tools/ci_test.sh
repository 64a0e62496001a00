#!/usr/bin/env bash
# .ci/run: the sum of its stages, and that nothing that fails goes unnoticed.
source tests/tools/testing.sh
mkdir -p "$work/tools" "$work/.ci"
cp -L .ci/run "$work/.ci/"
cp -L tools/lib.sh "$work/tools/"
export BAZEL=/bin/true HOME="$work"

# stages TEST ASAN TSAN CHECK: what each command runs as a shell script. Without vectors one test passes; with AVX2,
# which not every CPU tests, none.
stages() {
  cat >"$work/tools/test" <<END
#!/usr/bin/env bash
case "\$*" in
  *POSTROOM_VECTORS=avx2*) echo "0 passed, 0 failed" ;;
  *POSTROOM_VECTORS=none*) echo "1 passed, 0 failed" ;;
  --asan*) $2 ;;
  --tsan*) $3 ;;
  *) $1 ;;
esac
END
  printf '#!/usr/bin/env bash\n%s\n' "$4" >"$work/tools/check"
  chmod +x "$work"/tools/{test,check}
  run "$work/.ci/run"
  last=${out##*$'\n'}
}

stages 'echo noise; echo "10 passed, 0 failed, 2 skipped"' 'echo "5 passed, 0 failed"' \
  'echo "3 passed, 0 failed"' 'echo "4 passed, 0 failed"'
expect "last line" "$last" "23 passed, 0 failed, 2 skipped"
expect "exit code" "$code" 0
expect "what each took" "$out" "*test *s   10 passed*none *asan *tsan *checks *"

stages 'echo "10 passed, 0 failed"' 'echo "4 passed, 1 failed"; exit 1' \
  'echo "3 passed, 0 failed"' 'echo "4 passed, 0 failed"'
expect "last line" "$last" "22 passed, 1 failed"
expect "exit code" "$code" 1

# A stage that passes all and yet fails; one that is killed; one that says nothing.
stages 'echo "10 passed, 0 failed"; exit 1' 'echo "1 passed, 0 failed"; kill -9 $$' 'true' 'echo "4 passed, 0 failed"'
expect "last line" "$last" "16 passed, 3 failed"
expect "exit code" "$code" 1

finish
