#include "octavo/io/htg_read.h"

#include <array>
#include <cmath>
#include <fstream>

#include "octavo/io/files.h"
#include "octavo/io/htg_file.h"

namespace octavo {
namespace {

void require_tree(bool condition) { require_htg(condition, "its tree contradicts itself"); }

// It is the size of root cells with which the coordinates of all axes come out as they are in the file. Each
// of them says between which bounds it is; sums are rounded, so the numbers beside the middle are tried as
// well.
template <int Dim>
double root_size_of(const std::array<Stored<double>, 3>& x) {
  long double low = 0, high = HUGE_VALL;
  for (std::size_t a = 0; a < Dim; ++a)
    for (std::size_t i = 1; i < x[a].size(); ++i) {
      const long double end = x[a][i], begin = x[a][0], count = static_cast<long double>(i);
      const long double below = std::nextafter(x[a][i], -HUGE_VAL);
      const long double above = std::nextafter(x[a][i], HUGE_VAL);
      low = std::max(low, ((end + below) / 2 - begin) / count);
      high = std::min(high, ((end + above) / 2 - begin) / count);
    }
  auto fits = [&](double size) {
    for (std::size_t a = 0; a < Dim; ++a)
      for (std::size_t i = 0; i < x[a].size(); ++i)
        if (x[a][0] + static_cast<double>(i) * size != x[a][i]) return false;
    return true;
  };
  const auto middle = static_cast<double>((low + high) / 2);
  for (const double size : {middle, std::nextafter(middle, 0.0), std::nextafter(middle, HUGE_VAL)})
    if (fits(size)) return size;
  throw InputError("its root cells are not cubes of one size");
}

template <int Dim>
Domain<Dim> domain_in(const HtgFile& file) {
  const HtgHeader& h = file.header();
  auto along = [&](const char* name, int axis) {
    return file.values<double>(HtgFile::find(h.grid, name, "Float64"),
                               static_cast<std::size_t>(h.points[axis]));
  };
  Domain<Dim> domain;
  for (int a = 0; a < Dim; ++a) domain.roots[a] = h.points[a] - 1;
  const std::array<Stored<double>, 3> x{along("XCoordinates", 0), along("YCoordinates", 1),
                                        along("ZCoordinates", 2)};
  for (int a = 0; a < Dim; ++a) domain.origin[a] = x[static_cast<std::size_t>(a)][0];
  domain.root_size = 1;
  domain.check();
  domain.root_size = root_size_of<Dim>(x);
  domain.check();
  return domain;
}

// It tells how the cells of a file hang together. A tree has its cells depth after depth, each depth along
// the curve; so the children of the branches of one depth are, in order, all of the next.
template <int Dim>
class CellTree {
 public:
  CellTree(const HtgFile& file, std::size_t trees, std::size_t cells)
      : first_child_(cells), bits_(HtgFile::find(file.header().trees, "Descriptors", "Bit").count) {
    const auto& arrays = file.header().trees;
    const HtgArray& depths = HtgFile::find(arrays, "NumberOfVerticesPerDepth", "Int64");
    require_tree(depths.count <= cells);
    const auto on_depth = file.values<std::int64_t>(depths, static_cast<std::size_t>(depths.count));
    const auto depth =
        file.values<std::uint32_t>(HtgFile::find(arrays, "DepthPerTree", "UInt32"), trees);
    const auto id = file.values<std::int64_t>(HtgFile::find(arrays, "TreeIds", "Int64"), trees);
    const auto descriptor = file.bits(HtgFile::find(arrays, "Descriptors", "Bit"));
    std::size_t next = 0;
    for (std::size_t t = 0; t < trees; ++t) {
      require_tree(id[t] == static_cast<std::int64_t>(t) && depth[t] >= 1 &&
                   depth[t] <= max_level + 1 && depth[t] <= on_depth.size() - next);
      root_.push_back(static_cast<std::uint32_t>(next_cell_));
      std::size_t count = 1;
      for (std::uint32_t d = 1; d <= depth[t]; ++d) {
        require_tree(on_depth[next++] == static_cast<std::int64_t>(count));
        count = link(descriptor, count, d == depth[t]);
      }
    }
    require_tree(next_cell_ == cells && next == on_depth.size() && next_bit_ == bits_);
  }

  // These are the leaves along the curve: their keys, and which cells of the file they are.
  void leaves(Buffer<Key<Dim>>& keys, Buffer<std::uint32_t>& cells) const {
    std::size_t count = 0;
    for (const std::uint32_t first : first_child_) count += first == 0 ? 1 : 0;
    keys.resize(count);
    cells.resize(count);
    std::size_t next = 0;
    auto add = [&](auto&& self, Key<Dim> key, std::uint32_t cell) -> void {
      const std::uint32_t first = first_child_[cell];
      if (first == 0) {
        keys[next] = key;
        cells[next++] = cell;
        return;
      }
      for (int c = 0; c < child_count<Dim>; ++c)
        self(self, key.child(c), first + static_cast<std::uint32_t>(c));
    };
    for (std::size_t r = 0; r < root_.size(); ++r)
      add(add, Key<Dim>::root(static_cast<std::uint32_t>(r)), root_[r]);
  }

 private:
  // Takes the next `count` cells as one depth; returns how many cells the next depth has.
  std::size_t link(const Stored<std::uint8_t>& descriptor, std::size_t count, bool last) {
    require_tree(count > 0 && count <= first_child_.size() - next_cell_);
    std::size_t child = next_cell_ + count;
    const std::size_t children = child;
    for (std::size_t i = 0; i < count; ++i) {
      const bool branch = !last && take_bit(descriptor);
      first_child_[next_cell_++] = branch ? static_cast<std::uint32_t>(child) : 0;
      if (branch) child += child_count<Dim>;
    }
    return child - children;
  }

  bool take_bit(const Stored<std::uint8_t>& descriptor) {
    require_tree(next_bit_ < bits_);
    const bool bit = (descriptor[next_bit_ / 8] & 0x80u >> next_bit_ % 8) != 0;
    ++next_bit_;
    return bit;
  }

  Buffer<std::uint32_t> first_child_;  // of each cell; 0 for leaves
  std::vector<std::uint32_t> root_;
  std::uint64_t bits_;
  std::size_t next_cell_ = 0, next_bit_ = 0;
};

template <class T>
Buffer<float> on_leaves(const Stored<T>& values, const Buffer<std::uint32_t>& cells) {
  Buffer<float> result(cells.size());
  parallel_for("read htg field", cells.size(),
               [&](std::size_t i) { result[i] = static_cast<float>(values[cells[i]]); });
  return result;
}

Buffer<float> field_in(const HtgFile& file, const HtgArray& array, std::size_t cells,
                       const Buffer<std::uint32_t>& of) {
  if (array.type == "Float32") return on_leaves(file.values<float>(array, cells), of);
  if (array.type == "Float64") return on_leaves(file.values<double>(array, cells), of);
  if (array.type == "UInt8") return on_leaves(file.values<std::uint8_t>(array, cells), of);
  if (array.type == "Int32") return on_leaves(file.values<std::int32_t>(array, cells), of);
  throw InputError("its field '{}' has numbers of an unknown type", array.name);
}

template <int Dim>
HtgGrid<Dim> grid_in(const HtgFile& file) {
  const Domain<Dim> domain = domain_in<Dim>(file);

  // Levels have one byte for each cell, so no more cells are believed in than there are bytes.
  const HtgArray& levels = HtgFile::find(file.header().cells, "level", "UInt8");
  require_htg(levels.count < Cell::branch_bit, "it has too many cells");
  const auto cells = static_cast<std::size_t>(levels.count);
  const auto level = file.values<std::uint8_t>(levels, cells);
  Buffer<Key<Dim>> keys;
  Buffer<std::uint32_t> leaf_cell;
  CellTree<Dim>(file, domain.root_count(), cells).leaves(keys, leaf_cell);
  for (std::size_t i = 0; i < keys.size(); ++i)
    require_tree(level[leaf_cell[i]] == keys[i].level());

  HtgGrid<Dim> grid{Octree<Dim>(domain, std::move(keys)), {}};
  for (const HtgArray& array : file.header().cells)
    if (array.name != "level")
      require_htg(grid.fields.emplace(array.name, field_in(file, array, cells, leaf_cell)).second,
                  "it has two fields of one name");
  return grid;
}

}  // namespace

AnyHtgGrid read_htg(View<const unsigned char> bytes, const std::string& name) {
  try {
    const HtgFile file(bytes);
    if (file.header().points[2] == 1) return grid_in<2>(file);
    return grid_in<3>(file);
  } catch (const InputError& e) {
    throw InputError("the grid file '{}' cannot be used: {}", name, e.what());
  }
}

AnyHtgGrid read_htg(const std::filesystem::path& path) {
  require_file(path, "grid file");
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file ? static_cast<std::streamoff>(file.tellg()) : -1;
  Buffer<unsigned char> bytes(size > 0 ? static_cast<std::size_t>(size) : 0);
  file.seekg(0);
  if (size > 0) file.read(reinterpret_cast<char*>(bytes.data()), size);
  if (!file || size < 0) throw InputError("the grid file '{}' cannot be read", path.string());
  return read_htg(std::as_const(bytes).view(), path.string());
}

}  // namespace octavo
