#include "sort/whole_records_sort.h"

namespace postroom::sorting {

template void sort_whole_records<12>(std::byte*, std::size_t, const Field&, const SortOptions&);
template void sort_whole_records<16>(std::byte*, std::size_t, const Field&, const SortOptions&);
template void sort_whole_records<20>(std::byte*, std::size_t, const Field&, const SortOptions&);
template void sort_whole_records<24>(std::byte*, std::size_t, const Field&, const SortOptions&);

}  // namespace postroom::sorting
