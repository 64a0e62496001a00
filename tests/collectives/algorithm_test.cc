#include "collectives/algorithm.h"

#include <gtest/gtest.h>

#include <array>
#include <sstream>

#include "tests/collectives/testing.h"

namespace postroom {
namespace {

constexpr std::array kAll{
    Algorithm::automatic,
    Algorithm::binomial,
    Algorithm::linear,
    Algorithm::ring,
    Algorithm::circulant(),
    Algorithm::circulant(3),
    Algorithm::recursive_doubling,
    Algorithm::gather_broadcast,
    Algorithm::bruck(2),
    Algorithm::bruck(17),
    Algorithm::bruck(4, 3),
    Algorithm::pairwise,
    Algorithm::halving_doubling,
    Algorithm::reduce_broadcast,
    Algorithm::scatter_allgather,
    Algorithm::hillis_steele,
    Algorithm::machine,
    Algorithm::dissemination,
    Algorithm::shared,
    Algorithm::tiled,
    Algorithm::lambda_tree(),
    Algorithm::lambda_tree(Rational(9, 5)),
    Algorithm::postal_combine(1),
    Algorithm::block_circulant(),
    Algorithm::block_circulant(12),
    Algorithm::repeat(3),
    Algorithm::pack(3, Rational(5, 2)),
    Algorithm::pipeline(3, 1),
    Algorithm::d_tree(3, 17),
    Algorithm::circulant_least_bytes(3),
    Algorithm::circulant_unrotated(),
    Algorithm::bruck_unrotated(3, 2),
    Algorithm::farthest_first,
    Algorithm::flooding,
    Algorithm::level_tree,
    Algorithm::queueless,
    Algorithm::fat_tree,
    Algorithm::two_transpose,
    Algorithm::one_phase,
    Algorithm::direct,
    Algorithm::slots,
    Algorithm::turns,
    Algorithm::teams,
};

TEST(Algorithm, IsWrittenWithItsParameters) {
  EXPECT_EQ(to_string(Algorithm::automatic), "automatic");
  EXPECT_EQ(to_string(Algorithm::bruck(4)), "bruck(radix=4)");
  EXPECT_EQ(to_string(Algorithm::bruck(4, 2)), "bruck(radix=4, ports=2)");
  EXPECT_EQ(to_string(Algorithm::circulant()), "circulant");
  EXPECT_EQ(to_string(Algorithm::circulant(3)), "circulant(ports=3)");
  EXPECT_EQ(to_string(Algorithm::lambda_tree(Rational(9, 5))), "lambda_tree(lambda=9/5)");
  EXPECT_EQ(to_string(Algorithm::pipeline(8, 3)), "pipeline(blocks=8, lambda=3)");
  EXPECT_EQ(to_string(Algorithm::d_tree(2, 8)), "d_tree(radix=2, blocks=8)");
  std::ostringstream out;
  out << Algorithm::ring;
  EXPECT_EQ(out.str(), "ring");
}

TEST(Algorithm, IsReadAsItIsWritten) {
  for (const Algorithm& algorithm : kAll)
    EXPECT_EQ(parse_algorithm(to_string(algorithm)), algorithm);
  EXPECT_EQ(parse_algorithm("bruck"), Algorithm::bruck(2));
  EXPECT_EQ(parse_algorithm(" bruck( ports = 3,radix=5 ) "), Algorithm::bruck(5, 3));
  EXPECT_EQ(parse_algorithm("circulant(ports=1)"), Algorithm::circulant());
  EXPECT_EQ(parse_algorithm("ring()"), Algorithm::ring);
  EXPECT_EQ(parse_algorithm("lambda_tree"), Algorithm::lambda_tree(2));
  EXPECT_EQ(parse_algorithm("pack(lambda=1.8, blocks=4)"), Algorithm::pack(4, Rational(9, 5)));
}

TEST(Algorithm, DiffersInNameAndParameters) {
  for (std::size_t a = 0; a < kAll.size(); ++a) {
    for (std::size_t b = 0; b < kAll.size(); ++b) EXPECT_EQ(kAll[a] == kAll[b], a == b);
  }
}

TEST(Algorithm, RefusesWhatThereIsNot) {
  const std::string names =
      "automatic, binomial, linear, ring, circulant, recursive_doubling, gather_broadcast, bruck, "
      "pairwise, halving_doubling, reduce_broadcast, hillis_steele, machine, dissemination, "
      "shared, tiled, "
      "lambda_tree, "
      "level_tree, postal_combine, scatter_allgather, block_circulant, repeat, pack, pipeline, "
      "d_tree, "
      "circulant_least_bytes, "
      "circulant_unrotated, bruck_unrotated, farthest_first, flooding, queueless, fat_tree, "
      "two_transpose, one_phase, direct, slots, turns, teams";
  const auto said = [](const char* text) { return refusal([&] { (void)parse_algorithm(text); }); };
  EXPECT_EQ(said("star"), "algorithm: \"star\" is not allowed; " + names);
  EXPECT_EQ(said(""), "algorithm: \"\" is not allowed; " + names);
  EXPECT_EQ(said("ring(radix=3)"),
            "algorithm: \"ring(radix=3)\" is not allowed; it has no parameters");
  EXPECT_EQ(said("circulant(radix=3)"),
            "algorithm: \"circulant(radix=3)\" is not allowed; ports=NUMBER is its parameter");
  for (const char* text : {"bruck(radix)", "bruck(radix=)", "bruck(radix=x)", "bruck(radix=3x)",
                           "bruck(3)", "bruck(radix=99999999999)", "bruck(radix=2)(ports=2)"}) {
    EXPECT_EQ(said(text),
              "algorithm: \"" + std::string(text) +
                  "\" is not allowed; radix=NUMBER and ports=NUMBER are its parameters");
  }
  for (const char* text :
       {"lambda_tree(lambda=0/0)", "lambda_tree(lambda=)", "lambda_tree(ports=2)"}) {
    EXPECT_EQ(said(text), "algorithm: \"" + std::string(text) +
                              "\" is not allowed; lambda=NUMBER is its parameter");
  }
  EXPECT_EQ(said("bruck(radix=4, radix=5)"),
            "algorithm: \"bruck(radix=4, radix=5)\" is not allowed; radix once");
  for (const char* text : {"bruck(radix=2", "bruck)", "ring(", ")"}) {
    EXPECT_EQ(said(text), "algorithm: \"" + std::string(text) +
                              "\" is not allowed; NAME or NAME(PARAMETER=NUMBER, ...)");
  }
}

TEST(Algorithm, IsNamedTogetherWithWhatAnOperationHas) {
  const std::array has{Algorithm::bruck(2), Algorithm::pairwise};
  EXPECT_EQ(refusal([&] { throw_unknown_algorithm("alltoall", Algorithm::circulant(2), has); }),
            "alltoall: circulant(ports=2) is not allowed; automatic, bruck, pairwise");
}

}  // namespace
}  // namespace postroom
