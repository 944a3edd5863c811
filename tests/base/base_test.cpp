#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "octavo/base/buffer.h"
#include "octavo/base/build_info.h"
#include "octavo/base/ids.h"
#include "octavo/base/parallel.h"
#include "octavo/base/random.h"
#include "octavo/base/vec.h"

namespace octavo {
namespace {

// Runs f with several numbers of threads and puts the setting back.
template <class F>
void with_threads(std::initializer_list<int> counts, F&& f) {
  for (const int count : counts) {
    set_threads(count);
    EXPECT_EQ(threads(), count);
    f();
  }
  set_threads(0);
}

TEST(Vec, Arithmetic) {
  const Vec3d p{1, 2, 3}, q{4, 6, 8};
  EXPECT_EQ(p + q, (Vec3d{5, 8, 11}));
  EXPECT_EQ(q - p, (Vec3d{3, 4, 5}));
  EXPECT_EQ(2.0 * p, (Vec3d{2, 4, 6}));
  EXPECT_EQ(q / 2.0, (Vec3d{2, 3, 4}));
  EXPECT_EQ(-p, (Vec3d{-1, -2, -3}));
  EXPECT_EQ(dot(p, q), 40);
  EXPECT_EQ(cross(Vec3d{1, 0, 0}, Vec3d{0, 1, 0}), (Vec3d{0, 0, 1}));
  EXPECT_EQ(length(Vec2d{3, 4}), 5);
  EXPECT_EQ(min(p, Vec3d{0, 5, 3}), (Vec3d{0, 2, 3}));
  EXPECT_EQ(max(p, Vec3d{0, 5, 3}), (Vec3d{1, 5, 3}));
  EXPECT_EQ(product(Vec<3, int>{8, 5, 3}), 120);
  const Box<2> box{{0, 0}, {2, 4}};
  EXPECT_EQ(box.center(), (Vec2d{1, 2}));
  EXPECT_TRUE(box.contains({2, 0}));
  EXPECT_FALSE(box.contains({2.1, 0}));
  EXPECT_FALSE(box.contains({std::nan(""), 0}));
}

TEST(Ids, AreNotInterchangeable) {
  static_assert(!std::is_convertible_v<FaceId, LeafId>);
  static_assert(!std::is_convertible_v<int, LeafId>);
  static_assert(std::is_trivially_copyable_v<LeafId> && sizeof(LeafId) == 4);
  EXPECT_TRUE(LeafId().is_none());
  EXPECT_FALSE(LeafId(0).is_none());
}

TEST(Buffer, KeepsItsMemory) {
  Buffer<int> b(1000);
  std::iota(b.begin(), b.end(), 0);
  const int* memory = b.data();
  b.resize(10);
  EXPECT_EQ(b.data(), memory);
  b.resize(1000);
  EXPECT_EQ(b.data(), memory);
  EXPECT_EQ(b.bytes(), 4000u);
  Buffer<int> copy = b;
  EXPECT_NE(copy.data(), b.data());
  EXPECT_EQ(copy[999], 999);
  Buffer<int> moved = std::move(copy);
  EXPECT_EQ(moved[7], 7);
  EXPECT_TRUE(copy.empty());  // NOLINT(bugprone-use-after-move): a moved-from buffer is empty
  b = std::move(moved);
  EXPECT_EQ(b[7], 7);
  EXPECT_TRUE(moved.empty());  // NOLINT(bugprone-use-after-move)
}

TEST(Buffer, IsAlignedForVectorsAndHugePages) {
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(Buffer<char>(100).data()) % 64, 0u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(Buffer<char>(16 << 20).data()) % (2u << 20), 0u);
}

TEST(Parallel, ForVisitsEachIndexOnce) {
  with_threads({1, 2, 5}, [] {
    for (const std::size_t n : {0u, 1u, 1023u, 1024u, 100001u}) {
      std::vector<int> visits(n, 0);
      parallel_for("visit", n, [&](std::size_t i) { ++visits[i]; });
      EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), static_cast<long>(n));
    }
  });
}

TEST(Parallel, SumIsBitwiseTheSameForAnyThreadCount) {
  const Random random(1);
  const std::size_t n = 1000003;
  std::vector<double> sums;
  with_threads({1, 2, 3, 5, 64}, [&] {
    sums.push_back(parallel_sum("sum", n, [&](std::size_t i) { return random.uniform(i) - 0.5; }));
  });
  for (const double s : sums) EXPECT_EQ(s, sums[0]);

  // The test can fail: another order of adding gives other bits.
  double backwards = 0;
  for (std::size_t i = n; i-- > 0;) backwards += random.uniform(i) - 0.5;
  EXPECT_NE(backwards, sums[0]);
  EXPECT_NEAR(backwards, sums[0], 1e-9);
}

TEST(Parallel, MaxOfNothingIsTheIdentity) {
  EXPECT_EQ(parallel_max("max", 0, -1.0, [](std::size_t) { return 5.0; }), -1.0);
}

TEST(Parallel, ScanAndSortAgreeWithTheStandardLibrary) {
  const Random random(2);
  with_threads({1, 2, 5}, [&] {
    for (const std::size_t n : {0u, 1u, 4096u, 200000u}) {
      Buffer<std::uint32_t> scanned(n), sorted(n);
      std::vector<std::uint32_t> values(n), expected(n);
      for (std::size_t i = 0; i < n; ++i)
        values[i] = scanned[i] = sorted[i] = static_cast<std::uint32_t>(random.below(100, i));
      std::exclusive_scan(values.begin(), values.end(), expected.begin(), 0u);
      EXPECT_EQ(exclusive_scan("scan", scanned.view()),
                std::accumulate(values.begin(), values.end(), std::size_t{0}));
      EXPECT_TRUE(std::equal(scanned.begin(), scanned.end(), expected.begin()));
      std::sort(values.begin(), values.end());
      parallel_sort("sort", sorted.view());
      EXPECT_TRUE(std::equal(sorted.begin(), sorted.end(), values.begin()));
    }
  });
}

TEST(Parallel, SortKeepsTheOrderOfEqualElements) {
  with_threads({1, 2, 5}, [&] {
    struct Item {
      int first, second;
    };
    Buffer<Item> pairs(100001);
    for (int i = 0; i < 100001; ++i) pairs[static_cast<std::size_t>(i)] = {i * 7919 % 13, i};
    parallel_sort("sort", pairs.view(),
                  [](const Item& p, const Item& q) { return p.first < q.first; });
    EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end(), [](const Item& p, const Item& q) {
      return std::pair(p.first, p.second) < std::pair(q.first, q.second);
    }));
  });
}

TEST(Parallel, ConcatenateKeepsTheOrderOfBlocks) {
  const std::vector<std::vector<int>> parts{{1, 2}, {}, {3}, {4, 5, 6}};
  Buffer<int> out;
  concatenate("join", parts, out);
  EXPECT_EQ(std::vector<int>(out.begin(), out.end()), (std::vector<int>{1, 2, 3, 4, 5, 6}));
}

TEST(Parallel, ExceptionsReachTheCaller) {
  EXPECT_THROW(parallel_for("throw", 100000,
                            [](std::size_t i) {
                              if (i == 77777) throw InputError("number {}", i);
                            }),
               InputError);
}

TEST(Parallel, RefusesSillyThreadCounts) {
  EXPECT_THROW(set_threads(-1), InputError);
  EXPECT_THROW(set_threads(100000), InputError);
}

TEST(Timer, LabelsFeedTheReport) {
  reset_timers();
  parallel_for("a loop", 10, [](std::size_t) {});
  parallel_for("a loop", 10, [](std::size_t) {});
  const auto rows = timer_report();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].label, "a loop");
  EXPECT_EQ(rows[0].calls, 2u);
  EXPECT_GE(rows[0].seconds, 0);
}

// Known answers of the authors' reference implementation (Random123, kat_vectors).
TEST(Random, PhiloxKnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, IsUniform) {
  const Random random(42);
  const int n = 200000;
  double mean = 0, square = 0;
  std::array<int, 10> bins{};
  for (int i = 0; i < n; ++i) {
    const double x = random.uniform(static_cast<std::uint64_t>(i), 3, 4);
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
    mean += x / n;
    square += x * x / n;
    ++bins[static_cast<std::size_t>(random.below(10, static_cast<std::uint64_t>(i)))];
  }
  EXPECT_NEAR(mean, 0.5, 0.003);
  EXPECT_NEAR(square, 1.0 / 3, 0.003);
  for (const int b : bins) EXPECT_NEAR(b, n / 10, 700);
}

TEST(Errors, SayWhatHappened) {
  try {
    OCTAVO_CHECK(1 + 1 == 3);
    FAIL();
  } catch (const InvariantError& e) {
    EXPECT_NE(std::string(e.what()).find("1 + 1 == 3 does not hold"), std::string::npos);
  }
  EXPECT_STREQ(InputError("{} is not {}", "this", 4).what(), "this is not 4");
}

TEST(BuildInfo, NamesTheProcessorItWasBuiltFor) {
  const std::string march = build_info().march;
  EXPECT_TRUE(march == "portable" || march == "native") << march;
}

// What buffers take is given back, whether it came from the heap or, if large, from the system.
TEST(BufferMemory, CountsWhatThereIs) {
  const std::size_t before = BufferMemory::now();
  for (const std::size_t count : {std::size_t{10}, std::size_t{3} << 20}) {
    BufferMemory::reset_peak();
    {
      Buffer<double> first(count), second(count);
      EXPECT_EQ(BufferMemory::now(), before + 2 * count * sizeof(double));
      first.view()[count - 1] = 1;
      second = std::move(first);
      first.swap(second);
      Buffer<double> copy(first);
      EXPECT_EQ(copy[count - 1], 1);
      copy.resize(2 * count);
      copy[2 * count - 1] = 2;
    }
    EXPECT_EQ(BufferMemory::now(), before);
    EXPECT_GE(BufferMemory::peak(), before + 3 * count * sizeof(double));
    EXPECT_LE(BufferMemory::peak(), before + 4 * count * sizeof(double));
  }
}

}  // namespace
}  // namespace octavo
