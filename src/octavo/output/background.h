#pragma once

// This does one job at a time beside the simulation: files are written while the next step is computed.
//
//   background.start([=] { write_vdb(path, file); });   // waits for the job before
//   background.wait();                                  // throws what the job has thrown

#include <functional>
#include <future>
#include <utility>

namespace octavo {

class Background {
 public:
  Background() = default;
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  ~Background() {
    if (job_.valid()) job_.wait();
  }

  void start(std::function<void()> job) {
    wait();
    job_ = std::async(std::launch::async, std::move(job));
  }
  void wait() {
    if (job_.valid()) job_.get();
  }

 private:
  std::future<void> job_;
};

}  // namespace octavo
