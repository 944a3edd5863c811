#include "octavo/io/htg.h"

#include <gtest/gtest.h>

#include <cstring>

#include "octavo/io/atomic_file.h"
#include "temporary_folder.h"

// Whether VTK understands the files is the question of tests/clients/read_htg.py. Here: the arrays
// of a tree that can be worked out by hand.

namespace octavo {
namespace {

// The numbers of the array `name` of a file, found through its announced offset.
template <class T>
std::vector<T> array_of(const std::string& file, const std::string& name) {
  const std::size_t entry = file.find("Name=\"" + name + "\"");
  if (entry == std::string::npos) return {};
  const std::size_t offset = std::stoul(file.substr(file.find("offset=\"", entry) + 8));
  const char* data = file.data() + file.find("<AppendedData");
  data = std::strchr(data, '_') + 1 + offset;
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, data, sizeof(bytes));
  std::vector<T> values(bytes / sizeof(T));
  if (bytes > 0) std::memcpy(values.data(), data + sizeof(bytes), bytes);
  return values;
}

std::string attribute(const std::string& file, const std::string& name) {
  const std::size_t begin = file.find(name + "=\"") + name.size() + 2;
  return file.substr(begin, file.find('"', begin) - begin);
}

// Two root cells: the right one has four children, of which the upper left has four again.
Octree<2> small_tree() {
  const Domain<2> domain{{1.0, 2.0}, 4.0, {2, 1}};
  return Octree<2>::build(domain, [](const Leaf<2>& l) {
    return l.level < 2 && std::abs(l.center[0] - 5.5) < l.size / 2 &&
           std::abs(l.center[1] - 5.5) < l.size / 2;
  });
}

TEST(Htg, ArraysOfASmallTree) {
  TemporaryFolder folder;
  const Octree<2> tree = small_tree();
  ASSERT_EQ(tree.leaf_count(), 8u);  // leaves: left root; right root's 0, 1; 2's four; 3
  const std::vector<float> value{1, 2, 4, 8, 16, 24, 32, 6};
  const std::vector<std::int32_t> label{10, 11, 12, 13, 14, 15, 16, 17};
  write_htg(folder / "a.htg", tree,
            {{"value", View(value.data(), 8)}, {"label", View(label.data(), 8)}});
  const std::string file = read_text(folder / "a.htg");

  EXPECT_EQ(attribute(file, "Dimensions"), "3 2 1");
  EXPECT_EQ(attribute(file, "header_type"), "UInt64");
  EXPECT_EQ(array_of<double>(file, "XCoordinates"), (std::vector<double>{1, 5, 9}));
  EXPECT_EQ(array_of<double>(file, "YCoordinates"), (std::vector<double>{2, 6}));
  EXPECT_EQ(array_of<double>(file, "ZCoordinates"), (std::vector<double>{0}));
  EXPECT_EQ(array_of<std::uint8_t>(file, "Descriptors"), (std::vector<std::uint8_t>{0b10010000}));
  using Counts = std::vector<std::int64_t>;
  EXPECT_EQ(array_of<std::int64_t>(file, "NumberOfVerticesPerDepth"), (Counts{1, 1, 4, 4}));
  EXPECT_EQ(array_of<std::int64_t>(file, "TreeIds"), (Counts{0, 1}));
  EXPECT_EQ(array_of<std::uint32_t>(file, "DepthPerTree"), (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(array_of<std::uint8_t>(file, "level"),
            (std::vector<std::uint8_t>{0, 0, 1, 1, 1, 1, 2, 2, 2, 2}));
  EXPECT_EQ(array_of<float>(file, "value"), (std::vector<float>{1, 8, 2, 4, 20, 6, 8, 16, 24, 32}));
  EXPECT_EQ(array_of<std::int32_t>(file, "label"),
            (std::vector<std::int32_t>{10, 11, 11, 12, 13, 17, 13, 14, 15, 16}));
}

TEST(Htg, SingleLeaf) {
  TemporaryFolder folder;
  write_htg(folder / "a.htg", Octree<3>());
  const std::string file = read_text(folder / "a.htg");
  EXPECT_EQ(attribute(file, "Dimensions"), "2 2 2");
  EXPECT_TRUE(array_of<std::uint8_t>(file, "Descriptors").empty());
  EXPECT_EQ(array_of<std::uint8_t>(file, "level"), (std::vector<std::uint8_t>{0}));
}

TEST(Htg, BytesDoNotDependOnThreads) {
  TemporaryFolder folder;
  const auto tree = Octree<3>::build(Domain<3>{{0, 0, 0}, 1.0, {2, 3, 1}}, [](const Leaf<3>& l) {
    return l.level < 6 && std::abs(length(l.center) - 0.9) < l.size;
  });
  Buffer<float> value(tree.leaf_count());
  for (std::size_t i = 0; i < value.size(); ++i) value[i] = 1.0f / static_cast<float>(i + 1);
  const std::vector<LeafArray> fields{{"value", std::as_const(value).view()}};
  for (const int count : {1, 2, 3}) {
    set_threads(count);
    write_htg(folder / std::to_string(count), tree, fields);
  }
  set_threads(0);
  EXPECT_TRUE(read_text(folder / "1") == read_text(folder / "2"));
  EXPECT_TRUE(read_text(folder / "1") == read_text(folder / "3"));
}

TEST(Htg, RefusesWhatItCannotWrite) {
  TemporaryFolder folder;
  const Octree<2> tree = small_tree();
  const std::vector<float> value(8);
  const View<const float> view(value.data(), 8);
  EXPECT_THROW(write_htg(folder / "a.htg", tree, {{"a", view}, {"a", view}}), InputError);
  EXPECT_THROW(write_htg(folder / "a.htg", tree, {{"level", view}}), InputError);
  EXPECT_THROW(write_htg(folder / "a.htg", tree, {{"a", View<const float>(value.data(), 7)}}),
               InvariantError);
  EXPECT_THROW(write_htg(folder / "none/a.htg", tree), FileError);
  EXPECT_EQ(folder.file_count(), 0u);
}

}  // namespace
}  // namespace octavo
