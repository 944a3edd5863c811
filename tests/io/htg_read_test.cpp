#include "octavo/io/htg_read.h"

#include <gtest/gtest.h>

#include <cstring>

#include "octavo/io/htg.h"
#include "support/random_tree.h"
#include "temporary_folder.h"

namespace octavo {
namespace {

// One field of each type, with values that floats hold exactly.
struct Fields {
  Buffer<float> single;
  Buffer<double> twice;
  Buffer<std::uint8_t> byte;
  Buffer<std::int32_t> whole;

  explicit Fields(std::size_t n) : single(n), twice(n), byte(n), whole(n) {
    const Random random(n);
    for (std::size_t i = 0; i < n; ++i) {
      single[i] = static_cast<float>(random.uniform(i) - 0.5);
      twice[i] = static_cast<double>(static_cast<float>(random.uniform(i, 1) * 1e20));
      byte[i] = static_cast<std::uint8_t>(random.below(256, i, 2));
      whole[i] = random.below(1 << 24, i, 3) - (1 << 23);
    }
  }

  std::vector<LeafArray> arrays() const {
    return {{"a", single.view()},
            {"<b> & \"c\"", twice.view()},
            {"byte", byte.view()},
            {"whole", whole.view()}};
  }
};

template <class T>
void expect_same(const Buffer<float>& read, const Buffer<T>& written) {
  ASSERT_EQ(read.size(), written.size());
  for (std::size_t i = 0; i < read.size(); ++i) EXPECT_EQ(read[i], static_cast<float>(written[i]));
}

template <class D>
class HtgRead : public test::BothDims<D> {};
TYPED_TEST_SUITE(HtgRead, test::Dims);

TYPED_TEST(HtgRead, GivesBackWhatWasWritten) {
  constexpr int Dim = TestFixture::dim;
  const TemporaryFolder folder;
  test::for_random_trees<Dim>(150, [&](const Octree<Dim>& tree, std::uint64_t) {
    const Fields fields(tree.leaf_count());
    write_htg(folder / "a.htg", tree, fields.arrays());
    const AnyHtgGrid any = read_htg(folder / "a.htg");
    ASSERT_TRUE(std::holds_alternative<HtgGrid<Dim>>(any));
    const auto& grid = std::get<HtgGrid<Dim>>(any);
    const auto before = tree.keys(), after = grid.tree.keys();
    ASSERT_TRUE(std::equal(before.begin(), before.end(), after.begin(), after.end()));
    EXPECT_EQ(grid.tree.validate(), "");
    EXPECT_EQ(grid.tree.domain().roots, tree.domain().roots);
    EXPECT_EQ(grid.tree.domain().origin, tree.domain().origin);
    EXPECT_EQ(grid.tree.domain().box().hi, tree.domain().box().hi);
    EXPECT_NEAR(grid.tree.domain().root_size, tree.domain().root_size, 1e-15 * 8);
    ASSERT_EQ(grid.fields.size(), 4u);
    expect_same(grid.fields.at("a"), fields.single);
    expect_same(grid.fields.at("<b> & \"c\""), fields.twice);
    expect_same(grid.fields.at("byte"), fields.byte);
    expect_same(grid.fields.at("whole"), fields.whole);
  });
}

// The numbers that people write come back as they are, also far from zero.
TEST(HtgReading, BoxIsTheSame) {
  const TemporaryFolder folder;
  for (const double size : {0.1, 1.0 / 3, 0.7, 12.3, 1e-3, 1e6})
    for (const double origin : {0.0, -0.1, 1e3, -77.7}) {
      const Domain<3> domain{{origin, 0.3, -origin}, size, {7, 1, 3}};
      write_htg(folder / "a.htg", Octree<3>(domain));
      const Domain<3> read = std::get<HtgGrid<3>>(read_htg(folder / "a.htg")).tree.domain();
      EXPECT_EQ(read.box().lo, domain.box().lo);
      EXPECT_EQ(read.box().hi, domain.box().hi);
    }
}

// True if it was read; whatever it is then is valid.
bool is_read(const std::string& bytes) {
  try {
    std::visit(
        [](const auto& grid) {
          EXPECT_EQ(grid.tree.validate(), "");
          for (const auto& [name, values] : grid.fields)
            EXPECT_EQ(values.size(), grid.tree.leaf_count());
        },
        read_htg({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()}, "a.htg"));
    return true;
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("'a.htg' cannot be used"), std::string::npos);
    return false;
  }
}

template <int Dim>
std::string some_file(std::uint64_t seed) {
  const TemporaryFolder folder;
  const Octree<Dim> tree = test::random_tree<Dim>(seed);
  write_htg(folder / "a.htg", tree, Fields(tree.leaf_count()).arrays());
  return read_text(folder / "a.htg");
}

TYPED_TEST(HtgRead, RefusesFilesThatAreCutShort) {
  const std::string file = some_file<TestFixture::dim>(3);
  ASSERT_TRUE(is_read(file));
  // All values are there once only the end marks are missing.
  const std::size_t end = file.rfind("\n</AppendedData>");
  for (std::size_t size = 0; size < end; size += 97) EXPECT_FALSE(is_read(file.substr(0, size)));
  EXPECT_FALSE(is_read(file.substr(0, end - 1)));
}

TYPED_TEST(HtgRead, FlippedBitsAreFoundOrHarmless) {
  for (const std::uint64_t seed : {1, 2, 3, 7}) {
    const std::string file = some_file<TestFixture::dim>(seed);
    int refused = 0, read = 0;
    for (std::size_t at = 0; at < file.size(); at += file.size() < 20000 ? 3 : 31) {
      std::string bad = file;
      bad[at] = static_cast<char>(bad[at] ^ (1 << at % 8));
      ++(is_read(bad) ? read : refused);
    }
    EXPECT_GT(refused, 0);
    EXPECT_GT(read, 0);  // values of fields may be anything
  }
}

// Numbers in the first lines that ask for far more than there is.
TEST(HtgReading, AsksForNoMoreMemoryThanTheFileHas) {
  const std::string file = some_file<3>(1);
  auto with = [&](const std::string& from, const std::string& to) {
    std::string text = file;
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    const auto end = text.find('"', at + from.size());
    return text.replace(at, end - at, from + to);
  };
  BufferMemory::reset_peak();
  const std::size_t before = BufferMemory::now();
  for (const std::string number :
       {"999999999", "2147483647", "4294967296", "18446744073709551615"}) {
    for (const std::string name : {"XCoordinates", "Descriptors", "NumberOfVerticesPerDepth",
                                   "TreeIds", "DepthPerTree", "level", "a", "whole"}) {
      EXPECT_FALSE(is_read(with("Name=\"" + name + "\" NumberOfTuples=\"", number))) << name;
      const std::string tag = "Name=\"" + name + "\" NumberOfTuples=\"";
      const auto count = file.substr(file.find(tag) + tag.size());
      EXPECT_FALSE(is_read(with(
          tag + count.substr(0, count.find('"')) + "\" format=\"appended\" offset=\"", number)))
          << name;
    }
    EXPECT_FALSE(is_read(with("Dimensions=\"", number + " 2 2")));
    EXPECT_FALSE(is_read(with("Dimensions=\"", "2 2 " + number)));
  }
  EXPECT_LT(BufferMemory::peak() - before, 16 * file.size());
}

TEST(HtgReading, RefusesOtherFiles) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_htg(folder / "none.htg"), InputError);
  EXPECT_THROW(read_htg(folder.path()), InputError);
  for (const char* text : {"", "<VTKFile type=\"HyperTreeGrid\">",
                           "<VTKFile type=\"PolyData\" version=\"0.1\"></VTKFile>"})
    EXPECT_THROW(read_htg(put_text(folder / "a.htg", text)), InputError);
  std::string other = some_file<2>(1);
  other.replace(other.find("version=\"2.0\""), 13, "version=\"1.0\"");
  EXPECT_FALSE(is_read(other));
}

}  // namespace
}  // namespace octavo
