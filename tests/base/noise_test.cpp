#include "octavo/base/noise.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "octavo/base/random.h"

namespace octavo {
namespace {

template <class D>
class NoiseTest : public ::testing::Test {
 public:
  static constexpr int dim = D::value;
};
using Dims = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(NoiseTest, Dims);

// A random place: the last component is the time.
template <int Dim>
Vec<Dim + 1> place(std::uint64_t i, double half_size = 50) {
  const Random random(3);
  Vec<Dim + 1> p{};
  for (int a = 0; a <= Dim; ++a)
    p[a] = (2 * random.uniform(i, static_cast<std::uint32_t>(a)) - 1) * half_size;
  return p;
}

template <int Dim>
Vec<Dim> space(const Vec<Dim + 1>& p) {
  Vec<Dim> q{};
  for (int a = 0; a < Dim; ++a) q[a] = p[a];
  return q;
}

template <int Dim>
double at(const Noise<Dim>& noise, const Vec<Dim + 1>& p, int octaves = 1) {
  return octaves == 1 ? noise(space<Dim>(p), p[Dim])
                      : noise.fractal(space<Dim>(p), p[Dim], octaves);
}

// The correlation of the noise at p and at p + shift.
template <int Dim>
double correlation(const Noise<Dim>& noise, const Vec<Dim + 1>& shift, int count = 40000) {
  double products = 0, squares = 0;
  for (int i = 0; i < count; ++i) {
    const Vec<Dim + 1> p = place<Dim>(static_cast<std::uint64_t>(i));
    const double x = at(noise, p) - 0.5;
    products += x * (at(noise, p + shift) - 0.5);
    squares += x * x;
  }
  return products / squares;
}

TYPED_TEST(NoiseTest, IsAPureFunction) {
  constexpr int Dim = TestFixture::dim;
  const Noise<Dim> noise(7), same(7);
  std::vector<double> forwards, backwards;
  for (std::uint64_t i = 0; i < 100; ++i) forwards.push_back(at(noise, place<Dim>(i)));
  for (std::uint64_t i = 100; i-- > 0;) backwards.push_back(at(same, place<Dim>(i)));
  std::reverse(backwards.begin(), backwards.end());
  EXPECT_EQ(forwards, backwards);
}

// The same numbers on every machine and from every compiler.
TEST(Noise, IsTheSameForEver) {
  EXPECT_NEAR(Noise<2>(1)({0.3, 0.6}, 0.2), 0.485634219228, 1e-11);
  EXPECT_NEAR(Noise<3>(1)({0.3, -0.6, 5.1}, 0.2), 0.177165163351, 1e-11);
}

TYPED_TEST(NoiseTest, RangeMeanAndDeviation) {
  constexpr int Dim = TestFixture::dim;
  const Noise<Dim> noise(1);
  for (const int octaves : {1, 2, 5}) {
    const int count = 100000;
    double sum = 0, squares = 0, least = 1, most = 0;
    for (int i = 0; i < count; ++i) {
      const double x = at(noise, place<Dim>(static_cast<std::uint64_t>(i)), octaves);
      least = std::min(least, x);
      most = std::max(most, x);
      sum += x;
      squares += (x - 0.5) * (x - 0.5);
    }
    EXPECT_GT(least, 0);
    EXPECT_LT(least, 0.1);
    EXPECT_LT(most, 1);
    EXPECT_GT(most, 0.9);
    EXPECT_NEAR(sum / count, 0.5, 0.005);
    EXPECT_NEAR(std::sqrt(squares / count), 0.25, 0.02);
  }
}

// Across cells as well as inside: differences are those of a function with two derivatives.
TYPED_TEST(NoiseTest, IsSmooth) {
  constexpr int Dim = TestFixture::dim;
  const Noise<Dim> noise(5);
  for (std::uint64_t i = 0; i < 4000; ++i) {
    Vec<Dim + 1> p = place<Dim>(i, 4);
    const int axis = static_cast<int>(i) % (Dim + 1);
    if (i % 2 == 0) p[axis] = std::round(p[axis]);
    Vec<Dim + 1> h{};
    h[axis] = 1e-4;
    const double low = at(noise, p - h), middle = at(noise, p), high = at(noise, p + h);
    EXPECT_LT(std::abs(high - low), 2e-4 * 4);
    EXPECT_LT(std::abs(high - 2 * middle + low), 1e-8 * 60);
  }
}

TYPED_TEST(NoiseTest, IsUncorrelatedBeyondACell) {
  constexpr int Dim = TestFixture::dim;
  const Noise<Dim> noise(9);
  for (int axis = 0; axis <= Dim; ++axis) {
    Vec<Dim + 1> shift{};
    shift[axis] = 1;
    EXPECT_GT(correlation(noise, shift * 0.1), 0.8);
    EXPECT_LT(std::abs(correlation(noise, shift * 1.01)), 0.2);
    EXPECT_LT(std::abs(correlation(noise, shift * 1.5)), 0.1);
    EXPECT_LT(std::abs(correlation(noise, shift * 2.0)), 0.02);
    EXPECT_LT(std::abs(correlation(noise, shift * 37.3)), 0.02);
  }
}

TYPED_TEST(NoiseTest, SeedsAndOctavesAreIndependent) {
  constexpr int Dim = TestFixture::dim;
  const int count = 40000;
  for (const std::uint64_t other : {std::uint64_t{2}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    double products = 0, squares = 0;
    for (int i = 0; i < count; ++i) {
      const Vec<Dim + 1> p = place<Dim>(static_cast<std::uint64_t>(i));
      const double x = at(Noise<Dim>(1), p) - 0.5, y = at(Noise<Dim>(other), p) - 0.5;
      products += x * y;
      squares += x * x;
    }
    EXPECT_LT(std::abs(products / squares), 0.02);
  }
  const Noise<Dim> noise(1);
  EXPECT_EQ(noise.fractal(Vec<Dim>::filled(0.3), 0.4, 1), noise(Vec<Dim>::filled(0.3), 0.4));
  EXPECT_NE(noise.fractal(Vec<Dim>::filled(0.3), 0.4, 2), noise(Vec<Dim>::filled(0.3), 0.4));
  EXPECT_EQ(noise.fractal(Vec<Dim>::filled(0.3), 0.4, 0), 0.5);
}

// Nothing special happens at zero, below it, or where doubles are coarser than the lattice.
TYPED_TEST(NoiseTest, AllCoordinates) {
  constexpr int Dim = TestFixture::dim;
  const Noise<Dim> noise(2);
  EXPECT_EQ(noise(Vec<Dim>::filled(-0.0), -0.0), noise(Vec<Dim>{}, 0));
  EXPECT_NEAR(noise(Vec<Dim>::filled(-1e-9), 0.5), noise(Vec<Dim>::filled(1e-9), 0.5), 1e-7);
  EXPECT_NE(noise(Vec<Dim>::filled(0.3), 0.5), noise(Vec<Dim>::filled(-0.3), 0.5));
  EXPECT_NE(noise(Vec<Dim>::filled(0.3), 0.5), noise(Vec<Dim>::filled(-0.7), 0.5));
  for (const double far : {1e6 + 0.3, 1e12 + 0.3, 3e15, 1e18, 1e300}) {
    for (const double sign : {1.0, -1.0}) {
      const double x = noise(Vec<Dim>::filled(sign * far), 0.4);
      EXPECT_GE(x, 0);
      EXPECT_LE(x, 1);
    }
  }
  EXPECT_TRUE(std::isnan(noise(Vec<Dim>::filled(std::nan("")), 0)));
}

}  // namespace
}  // namespace octavo
