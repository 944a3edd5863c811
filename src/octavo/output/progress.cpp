#include "octavo/output/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <numeric>

namespace octavo {

ProgressKind progress_kind(bool json, bool quiet) {
  if (json) return ProgressKind::json;
  if (quiet) return ProgressKind::quiet;
  return isatty(STDERR_FILENO) == 1 ? ProgressKind::bar : ProgressKind::lines;
}

namespace {

// That nobody can read it is no reason to stop.
void put(std::FILE* to, const std::string& text) {
  std::fputs(text.c_str(), to);
  std::fflush(to);
}

}  // namespace

void Progress::step(int frame, int substep, int substeps, const StepReport& report) {
  if (kind_ != ProgressKind::bar) return;
  draw(frame, static_cast<double>(substep) / substeps,
       fmt::format("step {}/{}  {} leaves{}", substep, substeps,
                   short_count(static_cast<double>(report.leaves)),
                   time_left(last_frame_ - frame + 1)));
}

void Progress::remember(double seconds) {
  constexpr std::size_t remembered = 10;
  seconds_.push_back(seconds);
  if (seconds_.size() > remembered) seconds_.pop_front();
}

// A bar has no room for names of files.
void Progress::picture(int frame, const std::string& file, double seconds, int left) {
  end_frame(frame, kind_ == ProgressKind::bar ? "" : file + ": ", seconds, left);
}

void Progress::frame(int frame, const StepReport& report, double seconds) {
  end_frame(frame,
            fmt::format("{} step{}, {} leaves, ", report.substeps, report.substeps == 1 ? "" : "s",
                        short_count(static_cast<double>(report.leaves))),
            seconds, last_frame_ - frame);
}

void Progress::end_frame(int frame, const std::string& what, double seconds, int left) {
  remember(seconds);
  const std::string text = fmt::format("{}{:.2f} s{}", what, seconds, time_left(left));
  if (kind_ == ProgressKind::bar) draw(frame, 1, text + (frame == last_frame_ ? "\n" : ""));
  if (kind_ == ProgressKind::lines)
    put(stderr, fmt::format("frame {} of {}: {}\n", frame, last_frame_, text));
}

void Progress::finish(const std::string& folder, double seconds) {
  if (kind_ == ProgressKind::bar || kind_ == ProgressKind::lines)
    put(stderr, fmt::format("done in {}: {}\n", clock_text(seconds), folder));
}

void Progress::end_line() const {
  if (kind_ == ProgressKind::bar) put(stderr, "\n");
}

void Progress::say(const std::string& sentence) {
  put(stderr,
      fmt::format("{}octavo: {}\n", kind_ == ProgressKind::bar ? "\r\033[K" : "", sentence));
}

void Progress::skipped(int pictures) {
  if (pictures > 0)
    note(fmt::format("{} picture{} there already; --overwrite renders all again", pictures,
                     pictures == 1 ? " was" : "s were"));
}

void Progress::outdated(int pictures) {
  if (pictures > 0)
    note(fmt::format("{} picture{} showed what has been replaced since then: rendered again",
                     pictures, pictures == 1 ? "" : "s"));
}

void Progress::log(const std::string& line) const {
  if (kind_ != ProgressKind::json) return;
  put(stdout, line + "\n");
}

// The time is taken from the last frames, since later ones tend to take longer than early ones.
std::string Progress::time_left(int frames) const {
  if (seconds_.empty() || frames <= 0) return "";
  const double mean =
      std::accumulate(seconds_.begin(), seconds_.end(), 0.0) / static_cast<double>(seconds_.size());
  return fmt::format(", {} left", clock_text(mean * frames));
}

void Progress::draw(int frame, double part, const std::string& text) const {
  constexpr int width = 24;
  const double done = (frame - 1 + part - first_frame_) / std::max(1, last_frame_ - first_frame_);
  const auto filled = static_cast<std::size_t>(std::lround(width * std::clamp(done, 0.0, 1.0)));
  put(stderr, fmt::format("\r[{}{}] frame {}/{}  \033[K{}", std::string(filled, '#'),
                          std::string(width - filled, '.'), frame, last_frame_, text));
}

std::string clock_text(double seconds) {
  const auto s = static_cast<long long>(std::llround(std::min(seconds, 3.6e9)));
  return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60)
                  : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

std::string short_count(double count) {
  if (count < 1e4) return fmt::format("{:.0f}", count);
  if (count < 1e6) return fmt::format("{:.3g} k", count / 1e3);
  if (count < 1e9) return fmt::format("{:.3g} M", count / 1e6);
  return fmt::format("{:.3g} G", count / 1e9);
}

}  // namespace octavo
