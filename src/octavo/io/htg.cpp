#include "octavo/io/htg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <set>
#include <type_traits>

#include "octavo/io/atomic_file.h"

namespace octavo {

namespace {

static_assert(std::endian::native == std::endian::little);  // as the files say

// These are the cells of the file in its order, and the arrays that tell VTK how they hang
// together.
struct Vertices {
  Buffer<Cell> cell;
  std::vector<std::int64_t> per_depth;    // for each tree, cells on each of its depths
  std::vector<std::uint32_t> tree_depth;  // for each tree, how many depths it has
  std::vector<std::uint8_t> descriptor;   // bits, highest first: has the cell children?
  std::size_t descriptor_bits = 0;

  void describe(Cell c) {
    if (descriptor_bits % 8 == 0) descriptor.push_back(0);
    if (c.is_branch())
      descriptor.back() =
          static_cast<std::uint8_t>(descriptor.back() | 0x80u >> descriptor_bits % 8);
    ++descriptor_bits;
  }
};

// Branches are stored level after level along the curve. So the branches that one tree has on a
// level stand together, and their children, in order, are the tree's next depth: every depth is one
// piece of the tree's array of children. No bits are written for the last depth, which has leaves
// only.
template <int Dim>
Vertices order_vertices(const Octree<Dim>& tree) {
  ScopedTimer timer("order htg cells");
  const OctreeView<Dim> view = tree.view();
  Vertices v;
  v.cell.resize(view.leaf_count() + view.branch_count());
  std::array<std::size_t, max_level + 1> next_branch{};
  for (int level = 0; level <= max_level; ++level)
    next_branch[static_cast<std::size_t>(level)] = tree.branches_of_level(level).first;

  Cell* out = v.cell.begin();
  for (const Cell root : view.root) {
    const Cell* depth = out;
    *out++ = root;
    v.per_depth.push_back(1);
    std::size_t level = 0, branches = root.is_branch() ? 1 : 0;
    for (; branches > 0; ++level) {
      for (const Cell* c = depth; c != out; ++c) v.describe(*c);
      depth = out;
      const std::size_t count = branches * child_count<Dim>;
      const Cell* children = view.child.begin() + next_branch[level] * child_count<Dim>;
      next_branch[level] += branches;
      out = std::copy(children, children + count, out);
      v.per_depth.push_back(static_cast<std::int64_t>(count));
      branches = static_cast<std::size_t>(
          std::count_if(children, children + count, [](Cell c) { return c.is_branch(); }));
    }
    v.tree_depth.push_back(static_cast<std::uint32_t>(level) + 1);
  }
  OCTAVO_CHECK(out == v.cell.end());
  return v;
}

// Branches get their values from the deepest level up.
template <int Dim, class T>
Buffer<T> branch_values(const Octree<Dim>& tree, View<const T> leaf_value) {
  const OctreeView<Dim> view = tree.view();
  Buffer<T> value(view.branch_count());
  auto value_of = [&](Cell c) { return c.is_leaf() ? leaf_value[c.leaf()] : value[c.branch()]; };
  for (int level = max_level; level >= 0; --level) {
    const auto [begin, end] = tree.branches_of_level(level);
    parallel_for("average htg branches", end - begin, [&, first = begin](std::size_t i) {
      const BranchId branch(first + i);
      if constexpr (std::is_floating_point_v<T>) {
        double sum = 0;
        for (int c = 0; c < child_count<Dim>; ++c)
          sum += static_cast<double>(value_of(view.child_of(branch, c)));
        value[branch] = static_cast<T>(sum / child_count<Dim>);
      } else {
        value[branch] = value_of(view.child_of(branch, 0));
      }
    });
  }
  return value;
}

template <class T>
constexpr const char* vtk_type() {
  if constexpr (std::is_same_v<T, float>) return "Float32";
  if constexpr (std::is_same_v<T, double>) return "Float64";
  if constexpr (std::is_same_v<T, std::uint8_t>) return "UInt8";
  if constexpr (std::is_same_v<T, std::uint32_t>) return "UInt32";
  if constexpr (std::is_same_v<T, std::int32_t>) return "Int32";
  if constexpr (std::is_same_v<T, std::int64_t>) return "Int64";
}

std::string escaped(const std::string& name) {
  std::string text;
  for (const char c : name) {
    if (c == '&')
      text += "&amp;";
    else if (c == '<')
      text += "&lt;";
    else if (c == '>')
      text += "&gt;";
    else if (c == '"')
      text += "&quot;";
    else
      text += c;
  }
  return text;
}

// This is the XML part of the file. Data follow it, in the order in which they are announced here,
// each after its size in bytes as a 64-bit number.
class Header {
 public:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }

  void array(const char* type, const std::string& name, std::size_t count, std::size_t bytes) {
    line(R"(<DataArray type="{}" Name="{}" NumberOfTuples="{}" format="appended" offset="{}"/>)",
         type, escaped(name), count, offset_);
    offset_ += sizeof(std::uint64_t) + bytes;
  }
  template <class T>
  void array(const std::string& name, std::size_t count) {
    array(vtk_type<T>(), name, count, count * sizeof(T));
  }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::uint64_t offset_ = 0;
};

template <class Values>
void write_values(AtomicFile& file, const Values& values) {
  const std::uint64_t bytes = values.size() * sizeof(*values.data());
  file.write(&bytes, sizeof(bytes));
  file.write(values.data(), bytes);
}

// It gives where the root cells meet along each axis; a plane has one value across.
template <int Dim>
std::array<std::vector<double>, 3> root_coordinates(const Domain<Dim>& domain) {
  std::array<std::vector<double>, 3> x{{{0.0}, {0.0}, {0.0}}};
  for (int a = 0; a < Dim; ++a) {
    auto& along = x[static_cast<std::size_t>(a)];
    along.clear();
    for (int i = 0; i <= domain.roots[a]; ++i)
      along.push_back(domain.origin[a] + i * domain.root_size);
  }
  return x;
}

void check_fields(const std::vector<LeafArray>& fields, std::size_t leaf_count) {
  std::set<std::string> names{"level"};
  for (const LeafArray& field : fields) {
    if (!names.insert(field.name).second)
      throw InputError("a grid file cannot have two fields named '{}'", field.name);
    std::visit([&](auto values) { OCTAVO_CHECK(values.size() == leaf_count); }, field.values);
  }
}

template <int Dim>
std::string header_text(const Vertices& v, const std::array<std::vector<double>, 3>& x,
                        const std::vector<LeafArray>& fields) {
  Header h;
  h.line(R"(<VTKFile type="HyperTreeGrid" version="2.0" byte_order="LittleEndian")"
         R"( header_type="UInt64">)");
  h.line(R"(<HyperTreeGrid BranchFactor="2" TransposedRootIndexing="0" Dimensions="{} {} {}">)",
         x[0].size(), x[1].size(), x[2].size());
  h.line("<Grid>");
  h.array<double>("XCoordinates", x[0].size());
  h.array<double>("YCoordinates", x[1].size());
  h.array<double>("ZCoordinates", x[2].size());
  h.line("</Grid>\n<Trees>");
  h.array("Bit", "Descriptors", v.descriptor_bits, v.descriptor.size());
  h.array<std::int64_t>("NumberOfVerticesPerDepth", v.per_depth.size());
  h.array<std::int64_t>("TreeIds", v.tree_depth.size());
  h.array<std::uint32_t>("DepthPerTree", v.tree_depth.size());
  h.line("</Trees>\n<CellData>");
  h.array<std::uint8_t>("level", v.cell.size());
  for (const LeafArray& field : fields)
    std::visit([&]<class T>(View<const T>) { h.template array<T>(field.name, v.cell.size()); },
               field.values);
  h.line("</CellData>\n</HyperTreeGrid>\n<AppendedData encoding=\"raw\">");
  return h.text() + "_";
}

template <int Dim, class T>
void write_field(AtomicFile& file, const Octree<Dim>& tree, const Vertices& v,
                 View<const T> leaf_value) {
  const Buffer<T> branch_value = branch_values(tree, leaf_value);
  Buffer<T> value(v.cell.size());
  parallel_for("order htg field", value.size(), [&](std::size_t i) {
    const Cell c = v.cell[i];
    value[i] = c.is_leaf() ? leaf_value[c.leaf()] : branch_value[c.branch()];
  });
  write_values(file, value);
}

template <int Dim>
void write_levels(AtomicFile& file, const OctreeView<Dim>& tree, const Vertices& v) {
  Buffer<std::uint8_t> level(v.cell.size());
  parallel_for("order htg levels", level.size(), [&](std::size_t i) {
    level[i] = static_cast<std::uint8_t>(tree.key(v.cell[i]).level());
  });
  write_values(file, level);
}

}  // namespace

template <int Dim>
void write_htg(const std::filesystem::path& path, const Octree<Dim>& tree,
               const std::vector<LeafArray>& fields) {
  check_fields(fields, tree.leaf_count());
  const Vertices v = order_vertices(tree);
  const auto x = root_coordinates(tree.domain());
  std::vector<std::int64_t> tree_id(v.tree_depth.size());
  for (std::size_t i = 0; i < tree_id.size(); ++i) tree_id[i] = static_cast<std::int64_t>(i);

  AtomicFile file(path);
  file.write(header_text<Dim>(v, x, fields));
  for (const auto& along : x) write_values(file, along);
  write_values(file, v.descriptor);
  write_values(file, v.per_depth);
  write_values(file, tree_id);
  write_values(file, v.tree_depth);
  write_levels(file, tree.view(), v);
  for (const LeafArray& field : fields)
    std::visit([&](auto values) { write_field(file, tree, v, values); }, field.values);
  file.write("\n</AppendedData>\n</VTKFile>\n");
  file.commit();
}

template void write_htg<2>(const std::filesystem::path&, const Octree<2>&,
                           const std::vector<LeafArray>&);
template void write_htg<3>(const std::filesystem::path&, const Octree<3>&,
                           const std::vector<LeafArray>&);

}  // namespace octavo
