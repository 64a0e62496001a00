#include "sort/whole_records_sort.h"

namespace postroom::sorting {

template void sort_whole_records<32>(std::byte*, std::size_t, const Field&, const SortOptions&);
template void sort_whole_records<40>(std::byte*, std::size_t, const Field&, const SortOptions&);
template void sort_whole_records<48>(std::byte*, std::size_t, const Field&, const SortOptions&);
template void sort_whole_records<64>(std::byte*, std::size_t, const Field&, const SortOptions&);

}  // namespace postroom::sorting
