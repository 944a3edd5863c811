// The main function of all test programs. Each test begins with one thread, so that programs that run side by side
// do not get into each other's way; a test that is about threads asks for more itself.

#include <gtest/gtest.h>

#include "octavo/base/parallel.h"

namespace {

class OneThread : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo&) override { octavo::set_threads(1); }
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::UnitTest::GetInstance()->listeners().Append(new OneThread);
  return RUN_ALL_TESTS();
}
