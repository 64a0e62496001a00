"""The rule built into Bazel, under the place where newer versions keep it."""

sh_test = native.sh_test
