// The line that shows how far the work is.
#include "cli/common/progress.h"

#include <gtest/gtest.h>

namespace postroom::cli {
namespace {

TEST(Progress, TheBarGrowsWithTheWork) {
  EXPECT_EQ(progress_line("sorting", 0, 10),
            "sorting   [>                                       ]   0 %");
  EXPECT_EQ(progress_line("sorting", 5, 10),
            "sorting   [====================>                   ]  50 %");
  EXPECT_EQ(progress_line("sorting", 10, 10),
            "sorting   [========================================] 100 %");
  EXPECT_EQ(progress_line("sorting", 11, 10), progress_line("sorting", 10, 10));
}

TEST(Progress, ALineFitsIntoEightyColumns) {
  const std::string line = progress_line("index: Fig. 4 with an injected start-up cost", 10, 10);
  EXPECT_EQ(line,
            "index: Fig. 4 with an injecte… [========================================] 100 %");
  EXPECT_EQ(progress_line("abcdefghijklmnopqrstuvwxyz12λλ", 0, 0),
            "abcdefghijklmnopqrstuvwxyz12… [ 0 ]");
}

TEST(Progress, WithoutATotalItCounts) {
  EXPECT_EQ(progress_line("reading", 12'000'000, 0), "reading   [ 12,000,000 ]");
}

TEST(Progress, NothingIsShownUnlessWanted) {
  ::testing::internal::CaptureStderr();
  {
    Progress progress(false);
    progress.begin("sorting", 10);
    for (int i = 0; i < 10; ++i) progress.advance(1);
    progress.set(10);
    progress.finish();
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace postroom::cli
