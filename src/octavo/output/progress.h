#pragma once

// A user sees this of a run: on a terminal a bar that is drawn again and again, else a line for each frame,
// or JSON for machines, or nothing.

#include <deque>
#include <string>

#include "octavo/flow/step_report.h"

namespace octavo {

enum class ProgressKind { bar, lines, json, quiet };

// This kind suits standard error.
ProgressKind progress_kind(bool json, bool quiet);

class Progress {
 public:
  Progress(ProgressKind kind, int last_frame) : kind_(kind), last_frame_(last_frame) {}

  void begin(int frame) { first_frame_ = frame; }
  void step(int frame, int substep, int substeps, const StepReport& report);
  // `seconds` include what it took to write files.
  void frame(int frame, const StepReport& report, double seconds);
  // A picture of a frame is written; so many are left.
  void picture(int frame, const std::string& file, double seconds, int left);
  // All is written, to this folder.
  void finish(const std::string& folder, double seconds);
  // What comes next begins on a line of its own.
  void end_line() const;
  // This says a sentence that must be seen, on standard error; the bar makes room for it.
  void say(const std::string& sentence);
  // This says one that need not be seen.
  void note(const std::string& sentence) {
    if (kind_ != ProgressKind::quiet) say(sentence);
  }
  // These pictures are not rendered again.
  void skipped(int pictures);
  // These are rendered again, since what they showed is not there any more.
  void outdated(int pictures);
  // This shows a line of the log, which JSON is.
  void log(const std::string& line) const;

 private:
  void remember(double seconds);
  void end_frame(int frame, const std::string& what, double seconds, int left);
  std::string time_left(int frames) const;
  void draw(int frame, double part, const std::string& text) const;

  ProgressKind kind_;
  int first_frame_ = 0, last_frame_;
  std::deque<double> seconds_;  // of the last frames
};

// 95 becomes "1:35", 7500 becomes "2:05:00".
std::string clock_text(double seconds);

// 1234567 becomes "1.23 M".
std::string short_count(double count);

}  // namespace octavo
