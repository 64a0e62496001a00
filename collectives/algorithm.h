// The name of an algorithm with its parameters, as a value.
//
// Every collective takes an Algorithm and defaults to Algorithm::automatic, which leaves the choice
// to the operation. A name says nothing about the operation: `binomial` is a way to broadcast, to
// gather and to reduce. An operation that does not have what was asked for throws
// std::invalid_argument before any message is sent, naming what it has.
//
// Written and read as "ring", "bruck(radix=4)", "bruck(radix=4, ports=2)",
// "lambda_tree(lambda=9/5)".
//
//   alltoall(self, send, receive, Algorithm::bruck(4));
//   const Algorithm same = parse_algorithm("bruck(radix=4)");
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

#include "runtime/rational.h"

namespace postroom {

struct Algorithm {
  enum class Name : std::uint8_t {
    kAutomatic,            ///< what the operation finds best for the sizes at hand
    kBinomial,             ///< along a binomial tree
    kLinear,               ///< the root with each of the others, one after another
    kRing,                 ///< from neighbour to neighbour
    kCirculant,            ///< [I], section 4: doubling, for any number of processors
    kRecursiveDoubling,    ///< with the processor whose number differs in one bit, bit by bit
    kGatherBroadcast,      ///< gather to processor 0, then broadcast, both on binomial trees
    kBruck,                ///< [I], section 3: by the digits of the distance
    kPairwise,             ///< a direct message for each pair, a permutation in each round
    kHalvingDoubling,      ///< halves of the list with such a processor, then back (Rabenseifner)
    kReduceBroadcast,      ///< reduce to processor 0, then broadcast, both on binomial trees
    kHillisSteele,         ///< prefix sums over windows that double
    kMachine,              ///< what the machine itself offers
    kDissemination,        ///< to the processor 1, 2, 4, … further
    kShared,               ///< with all at the same time, in their memory where it is shared
    kTiled,                ///< in shared memory, a square of the matrix of blocks for each
    kLambdaTree,           ///< [P], section 2: on a tree made for the latency
    kLevelTree,            ///< on a tree made for a latency that depends on the level
    kPostalCombine,        ///< [P], section 3: the global combine
    kScatterAllgather,     ///< a block to each, then all blocks to all (van de Geijn)
    kBlockCirculant,       ///< in blocks over a circulant graph (Träff)
    kRepeat,               ///< block after block, each on its own tree for the latency
    kPack,                 ///< all blocks in one message, on the tree for its latency
    kPipeline,             ///< blocks in streams, on a tree for the latency of a stream
    kDTree,                ///< block after block down one tree of a given degree
    kCirculantLeastBytes,  ///< kCirculant with a round more where that saves bytes
    kCirculantUnrotated,   ///< kCirculant straight into place
    kBruckUnrotated,       ///< kBruck by index arithmetic, without its first and last phase
    kFarthestFirst,        ///< [F], section 3: the root with each, the farthest in the tree first
    kFlooding,             ///< [F], sections 2.1 and 4: to all at once
    kQueueless,            ///< [F], section 4.1: from half to half of a fat tree, one at a time
    kFatTree,              ///< [F], section 5: between the halves of a fat tree, from the root down
    kTwoTranspose,         ///< [H], section 3: two transposes of blocks of one size
    kOnePhase,             ///< [H], section 3.2: a direct message for each pair, after its size
    kDirect,               ///< straight into the memory of the others, after the sizes
    kSlots,                ///< through memory of threads that processors share, list by list
    kTurns,                ///< one processor of each such thread works for all of it
    kTeams,                ///< from leader to leader of those that are near each other in the box
  };

  Name name = Name::kAutomatic;
  int radix = 0;   ///< of kBruck; of kDTree, how many children; 0 for the others
  int ports = 0;   ///< of kBruck and kCirculant: messages out, and in, in a round; 0 for the others
  int blocks = 0;  ///< into how many a list is cut; 0 for those that do not cut it
  /// λ of the postal model: how many messages a processor can send while one arrives; 0 for those
  /// that do not depend on it. A message is the list, or the block where lists are cut.
  Rational latency = 0;

  static const Algorithm automatic;
  static const Algorithm binomial;
  static const Algorithm linear;
  static const Algorithm ring;
  static const Algorithm recursive_doubling;
  static const Algorithm gather_broadcast;
  static const Algorithm pairwise;
  static const Algorithm halving_doubling;
  static const Algorithm reduce_broadcast;
  static const Algorithm scatter_allgather;
  static const Algorithm hillis_steele;
  static const Algorithm machine;
  static const Algorithm dissemination;
  static const Algorithm shared;
  static const Algorithm tiled;
  static const Algorithm level_tree;
  static const Algorithm farthest_first;
  static const Algorithm flooding;
  static const Algorithm queueless;
  static const Algorithm fat_tree;
  static const Algorithm two_transpose;
  static const Algorithm one_phase;
  static const Algorithm direct;
  static const Algorithm slots;
  static const Algorithm turns;
  static const Algorithm teams;
  /// radix 2: fewest rounds; radix = processors: least data. Operations check both against the
  /// number of processors.
  static constexpr Algorithm bruck(int radix, int ports = 1) {
    return {Name::kBruck, radix, ports};
  }
  static constexpr Algorithm circulant(int ports = 1) { return {Name::kCirculant, 0, ports}; }
  static constexpr Algorithm circulant_least_bytes(int ports = 1) {
    return {Name::kCirculantLeastBytes, 0, ports};
  }
  static constexpr Algorithm circulant_unrotated(int ports = 1) {
    return {Name::kCirculantUnrotated, 0, ports};
  }
  static constexpr Algorithm bruck_unrotated(int radix, int ports = 1) {
    return {Name::kBruckUnrotated, radix, ports};
  }
  static constexpr Algorithm lambda_tree(Rational latency = 2) {
    return {Name::kLambdaTree, 0, 0, 0, latency};
  }
  static constexpr Algorithm postal_combine(Rational latency = 2) {
    return {Name::kPostalCombine, 0, 0, 0, latency};
  }
  static constexpr Algorithm block_circulant(int blocks = 1) {
    return {Name::kBlockCirculant, 0, 0, blocks};
  }
  static constexpr Algorithm repeat(int blocks, Rational latency = 2) {
    return {Name::kRepeat, 0, 0, blocks, latency};
  }
  static constexpr Algorithm pack(int blocks, Rational latency = 2) {
    return {Name::kPack, 0, 0, blocks, latency};
  }
  static constexpr Algorithm pipeline(int blocks, Rational latency = 2) {
    return {Name::kPipeline, 0, 0, blocks, latency};
  }
  static constexpr Algorithm d_tree(int children, int blocks) {
    return {Name::kDTree, children, 0, blocks};
  }

  constexpr bool is_automatic() const noexcept { return name == Name::kAutomatic; }
  friend bool operator==(const Algorithm&, const Algorithm&) = default;
};

inline constexpr Algorithm Algorithm::automatic{};
inline constexpr Algorithm Algorithm::binomial{Name::kBinomial};
inline constexpr Algorithm Algorithm::linear{Name::kLinear};
inline constexpr Algorithm Algorithm::ring{Name::kRing};
inline constexpr Algorithm Algorithm::recursive_doubling{Name::kRecursiveDoubling};
inline constexpr Algorithm Algorithm::gather_broadcast{Name::kGatherBroadcast};
inline constexpr Algorithm Algorithm::pairwise{Name::kPairwise};
inline constexpr Algorithm Algorithm::halving_doubling{Name::kHalvingDoubling};
inline constexpr Algorithm Algorithm::reduce_broadcast{Name::kReduceBroadcast};
inline constexpr Algorithm Algorithm::scatter_allgather{Name::kScatterAllgather};
inline constexpr Algorithm Algorithm::hillis_steele{Name::kHillisSteele};
inline constexpr Algorithm Algorithm::machine{Name::kMachine};
inline constexpr Algorithm Algorithm::dissemination{Name::kDissemination};
inline constexpr Algorithm Algorithm::shared{Name::kShared};
inline constexpr Algorithm Algorithm::tiled{Name::kTiled};
inline constexpr Algorithm Algorithm::level_tree{Name::kLevelTree};
inline constexpr Algorithm Algorithm::farthest_first{Name::kFarthestFirst};
inline constexpr Algorithm Algorithm::flooding{Name::kFlooding};
inline constexpr Algorithm Algorithm::queueless{Name::kQueueless};
inline constexpr Algorithm Algorithm::fat_tree{Name::kFatTree};
inline constexpr Algorithm Algorithm::two_transpose{Name::kTwoTranspose};
inline constexpr Algorithm Algorithm::one_phase{Name::kOnePhase};
inline constexpr Algorithm Algorithm::direct{Name::kDirect};
inline constexpr Algorithm Algorithm::slots{Name::kSlots};
inline constexpr Algorithm Algorithm::turns{Name::kTurns};
inline constexpr Algorithm Algorithm::teams{Name::kTeams};

/// "ring", "bruck(radix=4)"; a count of ports or blocks of 1 is left out.
std::string to_string(const Algorithm& algorithm);
std::ostream& operator<<(std::ostream& out, const Algorithm& algorithm);

/// The inverse of to_string; blanks are ignored; left out, a radix and a latency are 2, the counts
/// of ports and of blocks 1. Throws std::invalid_argument for a name or a parameter that there is
/// not, or that is given twice. Whether a value makes sense depends on the number of processors and
/// is for the operation to say.
Algorithm parse_algorithm(std::string_view text);

/// Throws std::invalid_argument: `operation` does not have `algorithm`, but it has these.
[[noreturn]] void throw_unknown_algorithm(std::string_view operation, const Algorithm& algorithm,
                                          std::span<const Algorithm> has);

}  // namespace postroom
