#include "octavo/io/apart.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <istream>
#include <iterator>
#include <ostream>
#include <vector>

#include "octavo/base/error.h"

namespace octavo {
namespace {

using End = Apart::End;

TEST(Apart, GivesBytes) {
  std::string bytes(1 << 20, 'x');
  bytes[5] = '\0';
  const Apart result = do_apart({}, [&] { return bytes; });
  EXPECT_EQ(result.end, End::finished);
  EXPECT_TRUE(result.bytes == bytes);
  EXPECT_EQ(do_apart({}, [] { return std::string(); }).end, End::finished);
}

TEST(Apart, TellsWhatWasThrown) {
  const Apart result = do_apart({}, []() -> std::string { throw InputError("no {}", "luck"); });
  EXPECT_EQ(result.end, End::threw);
  EXPECT_EQ(result.bytes, "no luck");
  const std::string words(1 << 20, 'x');
  const Apart longer = do_apart({}, [&]() -> std::string { throw InputError("{}", words); });
  EXPECT_EQ(longer.end, End::threw);
  EXPECT_GT(longer.bytes.size(), 1000u);
}

TEST(Apart, SurvivesWhateverHappens) {
  EXPECT_TRUE(do_apart({}, []() -> std::string { std::abort(); }).died());
  EXPECT_TRUE(do_apart({}, []() -> std::string { throw 5; }).died());
  EXPECT_TRUE(do_apart({}, []() -> std::string { throw std::bad_alloc(); }).died());
  EXPECT_TRUE(do_apart({}, []() -> std::string { std::raise(SIGSEGV), _exit(3); }).died());
  EXPECT_TRUE(do_apart({.seconds = 1}, []() -> std::string {
                for (;;) continue;
              }).died());
}

// The result comes while it is made; what is left of it is not needed.
TEST(Apart, Streams) {
  constexpr int count = 3000000;
  auto numbers = [](std::ostream& out) {
    for (int i = 0; i < count; ++i) out.write(reinterpret_cast<const char*>(&i), sizeof(i));
  };
  for (const int wanted : {count, 10}) {
    std::vector<int> taken(static_cast<std::size_t>(wanted));
    const Apart result = do_apart({}, numbers, [&](std::istream& in) {
      in.read(reinterpret_cast<char*>(taken.data()), static_cast<std::streamsize>(4 * wanted));
    });
    EXPECT_EQ(result.end, End::finished);
    for (int i = 0; i < wanted; ++i) ASSERT_EQ(taken[static_cast<std::size_t>(i)], i);
  }
  auto refuse = [](std::istream&) { throw InputError("these are no numbers"); };
  EXPECT_THROW(do_apart({}, numbers, refuse), InputError);
  auto stop = [](std::ostream& out) {
    out << "some" << std::flush;
    std::abort();
  };
  EXPECT_TRUE(do_apart({}, stop, refuse).died());
  auto fail = [](std::ostream& out) {
    out << "some" << std::flush;
    throw InputError("no more");
  };
  EXPECT_EQ(do_apart({}, fail, refuse).bytes, "no more");
}

}  // namespace
}  // namespace octavo
