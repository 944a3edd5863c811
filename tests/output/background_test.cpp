// The writer beside the simulation: what it gets is complete, one job comes after the other, and its mistakes are not
// lost. Made without the files themselves, so that the thread sanitizer sees all of it.

#include "octavo/output/background.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "octavo/base/error.h"
#include "octavo/base/parallel.h"

namespace octavo {
namespace {

// A frame is put together by all threads and handed over; the next one is computed while it is written.
TEST(Background, WritesFramesInOrderWhileTheNextIsComputed) {
  std::vector<double> written;
  std::vector<double> values(2000);
  {
    Background background;
    for (int frame = 1; frame <= 20; ++frame) {
      parallel_for("compute", values.size(),
                   [&](std::size_t i) { values[i] = static_cast<double>(frame) + 0.001; });
      auto file = std::make_shared<const std::vector<double>>(values);
      background.start([file, &written] {
        double sum = 0;
        for (const double v : *file) sum += v;
        written.push_back(sum);
      });
    }
    background.wait();
    EXPECT_EQ(written.size(), 20u);
  }
  for (std::size_t i = 0; i < written.size(); ++i)
    EXPECT_NEAR(written[i], 2000 * (static_cast<double>(i) + 1.001), 1e-6);
}

TEST(Background, GivesBackWhatAJobHasThrown) {
  Background background;
  background.start([] { throw InputError("the disk is full"); });
  EXPECT_THROW(background.wait(), InputError);
  background.wait();  // said once
  background.start([] { throw InputError("again"); });
  EXPECT_THROW(background.start([] {}), InputError);
}

TEST(Background, EndsWhatItHasBegunBeforeItGoes) {
  int done = 0;
  {
    Background background;
    background.start([&done] { done = 1; });
  }
  EXPECT_EQ(done, 1);
}

}  // namespace
}  // namespace octavo
