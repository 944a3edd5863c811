// Any bytes as a grid file: it is a valid tree with values for all of its leaves, or refused.

#include <cstdlib>

#include "octavo/io/htg_read.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace octavo;
  try {
    std::visit(
        [](const auto& grid) {
          if (!grid.tree.validate().empty()) std::abort();
          for (const auto& [name, values] : grid.fields)
            if (values.size() != grid.tree.leaf_count()) std::abort();
        },
        read_htg({data, size}, "fuzz.htg"));
  } catch (const InputError&) {
  }
  return 0;
}
