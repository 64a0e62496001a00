#include "cli/reproduce/reproduce_radix_sort.h"

#include <array>

namespace postroom::cli {
namespace {

constexpr std::array kExperiments = {
    Experiment{"Figs. 2, 3, 6: routing an h-relation", 45, reproduce_routing},
    Experiment{"Fig. 3 where a message costs a start-up", 5, reproduce_routing_in_model},
    Experiment{"Fig. 4: independence of the distribution", 15, reproduce_sort_by_distribution},
    Experiment{"Fig. 5: scalability", 15, reproduce_sort_by_size},
    Experiment{"Table I: against one phase", 40, reproduce_sort_by_router},
};

constexpr Paper kPaper = {
    .letter = "H",
    .name = "radix_sort",
    .page = "radix_sort",
    .title = "h-relations and integer sorting",
    .introduction =
        "Bader, Helman and JáJá, *Practical Parallel Algorithms for Personalized Communication and "
        "Integer Sorting* ([H] in the comments). `two_transpose` is the paper's router, "
        "`one_phase` the "
        "one that it is compared with, `direct` writes every element once, straight into the "
        "memory of "
        "its target, which the paper's machines could not. The sort is the paper's, a route for "
        "each "
        "digit (`sort/radix_sort.h`); the sort of `postroom sort` is another and much faster. "
        "Every "
        "result is checked, outside of what is timed.",
    .experiments = kExperiments,
};

}  // namespace

const Paper& radix_sort_paper() { return kPaper; }

}  // namespace postroom::cli
