// sort_into, beside the standard library.
#include "sort/sort_into.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tests/sort/some_records.h"
#include "tests/sort/sorting.h"
#include "tests/thrown.h"

namespace postroom {
namespace {

TEST(SortInto, LeavesTheSourceAlone) {
  for_records([](const Records& records, const Records& expected, const SortOptions& options,
                 const std::string& what) {
    const Records before = records;
    Records target(records.size());
    sort_into(records, target, kKey, options);
    EXPECT_TRUE(same_records(target, expected)) << what;
    EXPECT_TRUE(same_records(records, before)) << what;
    const auto keys = keys_in(records);
    std::vector<std::int32_t> sorted(keys.size());
    sort_into(keys, sorted, options);
    EXPECT_EQ(sorted, keys_in(expected)) << what;
  });
  std::vector<int> keys{3, 1, 2, 4};
  std::vector<int> fewer(3);
  EXPECT_EQ(refusal([&] { sort_into(keys, fewer); }),
            "target: 3 elements are not allowed; as many as the source has, 4");
  EXPECT_EQ(refusal([&] { sort_into(std::span(keys).first(2), std::span(keys).subspan(1, 2)); }),
            "memory: sources, targets, values and scratch that overlap by 4 bytes are not allowed");
  EXPECT_EQ(keys, (std::vector<int>{3, 1, 2, 4}));
}

}  // namespace
}  // namespace postroom
