#include "sort/whole_records_sort.h"

namespace postroom::sorting {

template void sort_whole_records<1>(std::byte*, std::size_t, const Field&, const SortOptions&);
template void sort_whole_records<2>(std::byte*, std::size_t, const Field&, const SortOptions&);
template void sort_whole_records<3>(std::byte*, std::size_t, const Field&, const SortOptions&);
template void sort_whole_records<4>(std::byte*, std::size_t, const Field&, const SortOptions&);

}  // namespace postroom::sorting
