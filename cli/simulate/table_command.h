// `postroom table`: the tables and curves of the postal model, exact, and as charts.
//
//   N                  how many processors a message reaches by the time t: N_λ(t)
//   T                  the least time to reach p processors, T_λ(p); legal splits; binomial tree
//   gamma              γ(λ), by which N_λ grows in a unit of time ([P], Table 1 and Fig. 17)
//   break-even         the λ at which delay-send and delay-receive take as long (Table 2, Fig. 18)
//   alpha              the α that split optimally, by ranges of processors: the look-up table
//   alpha-ranges       the α that split p processors optimally, for each p (Figs. 6 and 7)
//   alpha-corners      where those ranges are narrowest (Fig. 8)
//   alpha-table-sizes  how many rows the look-up table has (Fig. 9)
//   alpha-times        the time of a broadcast for each α (Fig. 12)
#pragma once

#include <span>
#include <string>

namespace postroom::cli {

/// Runs the command with the words that follow its name; returns the exit code. Errors: UsageError,
/// std::invalid_argument, std::system_error.
int run_table(std::span<const std::string> words);

}  // namespace postroom::cli
