#include "shot_table.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "octavo/base/error.h"
#include "octavo/io/png.h"

namespace octavo {
namespace {

std::string file_name(std::string_view name) {
  std::string text;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      text += c;
    else if (!text.empty() && text.back() != '-')
      text += '-';
  return text;
}

template <class... Text>
void print_line(std::string_view first, const Text&... columns) {
  fmt::print("{:<28}", first);
  (fmt::print("{:>10}", columns), ...);
  fmt::print("\n");
}

// It compares a row with the first.
struct Comparison {
  double faster;  // %
  std::vector<double> psnr;
  BehaviourDifference off;

  Comparison(const Shot& reference, const Shot& shot)
      : faster(100 * (reference.seconds() / shot.seconds() - 1)),
        psnr(&reference == &shot ? std::vector<double>{} : psnr_of(reference, shot)),
        off(behaviour_difference(reference, shot)) {}
};

void add_finite(nlohmann::ordered_json& object, const char* key, double value) {
  if (std::isfinite(value)) object[key] = value;
}

std::string number(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : std::string();
}

// It is infinite if pictures are the same.
std::string decibels(double value) { return std::isinf(value) ? "same" : number(value, 1); }

}  // namespace

ShotTable::ShotTable(const ReproduceOptions& options, const ShotSet& set)
    : options_(options), set_(set) {
  for (const ShotCase& c : set.cases) scenes_.push_back(scene_of(c));
}

// What a case is about has the last word.
SceneFile ShotTable::scene_of(const ShotCase& which) const {
  std::vector<std::string> overrides = options_.set;
  overrides.insert(overrides.end(), which.overrides.begin(), which.overrides.end());
  if (options_.frames) overrides.push_back(fmt::format("output.frames=[1, {}]", *options_.frames));
  auto parsed = [&] { return parse_scene(set_.scene, set_.name, ".", overrides); };
  SceneFile file = parsed();
  if (!which.uniform) return file;
  overrides.push_back(
      fmt::format("grid.min_level={}", std::get<Scene<3>>(file.scene).grid.max_level));
  return parsed();
}

void ShotTable::run() {
  if (!options_.json) print_heading();
  for (std::size_t i = 0; i < scenes_.size(); ++i) {
    const ShotCase& which = set_.cases[i];
    rows_.push_back({which, run_shot(scenes_[i], {.every = set_.every, .name = which.name})});
    print(rows_.back());
    std::fflush(stdout);  // runs take minutes; whoever reads along wants to see each
    if (!options_.pictures.empty()) save_pictures(rows_.back());
  }
}

void ShotTable::save_pictures(const ShotRow& row) const {
  for (const ShotFrame& f : row.shot.frames)
    if (f.picture)
      write_png(options_.pictures / fmt::format("{}.{}.{:04}.png", file_name(set_.name),
                                                file_name(row.which.name), f.frame),
                *f.picture);
}

void ShotTable::print_heading() const {
  const bool paper = set_.is_published();
  fmt::print("\n{}\n\n", set_.name);
  print_line("", "frames/s", "nodes", "faster", "least", paper ? "paper's" : "largest", "work",
             "height", paper ? "paper's" : "");
  print_line("", "", "mean", "%", "PSNR, dB", paper ? "faster, %" : "drop, dB", "off, %", "off, %",
             paper ? "frames/s" : "");
}

void ShotTable::print(const ShotRow& row) const {
  const Shot& shot = row.shot;
  const Comparison c(rows_.front().shot, shot);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const PublishedRate paper = row.which.published.value_or(PublishedRate{nan, nan});
  const double drop = set_.every == 1 ? largest_drop(c.psnr) : nan;
  if (!options_.json)
    return print_line(
        row.which.name, number(shot.frames_per_second(), 3),
        number(shot.mean(&ShotFrame::nodes), 0), number(c.faster, 1), decibels(least_of(c.psnr)),
        number(set_.is_published() ? paper.faster : drop, set_.is_published() ? 1 : 2),
        number(100 * c.off.work, 2), number(100 * c.off.height, 2), number(paper.fps, 3));
  nlohmann::ordered_json object{{"domain", set_.name},
                                {"case", row.which.name},
                                {"frames_per_second", shot.frames_per_second()},
                                {"mean_nodes", shot.mean(&ShotFrame::nodes)},
                                {"mean_leaves", shot.mean(&ShotFrame::leaves)},
                                {"speed_up_percent", c.faster},
                                {"work_difference", c.off.work},
                                {"height_difference", c.off.height}};
  if (!c.psnr.empty()) {  // null where pictures are the same, since JSON has no infinity
    object["least_psnr_db"] = least_of(c.psnr);
    object["psnr_db"] = c.psnr;
  }
  add_finite(object, "largest_psnr_drop_db", drop);
  add_finite(object, "paper_frames_per_second", paper.fps);
  add_finite(object, "paper_speed_up_percent", paper.faster);
  fmt::print("{}\n", object.dump());
}

}  // namespace octavo
