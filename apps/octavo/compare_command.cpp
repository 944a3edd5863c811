#include "compare_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "octavo/base/error.h"
#include "octavo/draw/difference.h"
#include "octavo/draw/montage.h"
#include "octavo/draw/plot.h"
#include "octavo/io/files.h"
#include "octavo/io/movie.h"
#include "octavo/io/png.h"
#include "octavo/output/frame_names.h"
#include "octavo/output/interrupt.h"
#include "picture_series.h"
#include "words.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Pair {
  int frame = 0;
  fs::path one, other;
  double psnr = 0;  // dB; infinite if they are equal
};

struct Pairs {
  std::vector<Pair> list;
  std::vector<int> only_one, only_other;  // frames that have no partner
  bool frames = true;                     // else two single pictures
};

Pairs pairs_of(const fs::path& one, const fs::path& other) {
  std::error_code error;
  for (const fs::path& path : {one, other})
    if (!fs::exists(path, error))
      throw InputError("there is no file or folder '{}'", path.string());
  const bool folder = fs::is_directory(one, error);
  if (folder != fs::is_directory(other, error))
    throw InputError("'{}' is a folder and '{}' is none: two pictures or two runs can be compared",
                     (folder ? one : other).string(), (folder ? other : one).string());
  if (!folder) {
    for (const fs::path& file : {one, other}) {
      if (file.extension() != ".png" && file.extension() != ".exr")
        throw InputError("'{}' is no picture that can be compared: only .png and .exr are",
                         file.string());
    }
    return {{{0, one, other}}, {}, {}, false};
  }
  const auto [a, b] = matching_pictures(one, other);
  Pairs pairs;
  for (const auto& [frame, path] : a) {
    if (b.contains(frame))
      pairs.list.push_back({frame, path, b.at(frame)});
    else
      pairs.only_one.push_back(frame);
  }
  for (const auto& [frame, path] : b)
    if (!a.contains(frame)) pairs.only_other.push_back(frame);
  if (pairs.list.empty())
    throw InputError("'{}' and '{}' have no frame in common; octavo render makes more of them",
                     one.string(), other.string());
  return pairs;
}

std::string psnr_text(double psnr) {
  return std::isinf(psnr) ? "equal" : fmt::format("{:.2f} dB", psnr);
}
Json psnr_json(double psnr) { return std::isinf(psnr) ? Json("equal") : Json(psnr); }

// It is the PSNR of all frames as one long picture.
double psnr_of_all(const std::vector<Pair>& pairs) {
  double squares = 0;
  for (const Pair& p : pairs) squares += std::pow(10, -p.psnr / 10);
  return -10 * std::log10(squares / static_cast<double>(pairs.size()));
}

class Comparison {
 public:
  explicit Comparison(const CompareCommand& options)
      : options_(options),
        pairs_(pairs_of(options.one, options.other)),
        labels_(labels_of({options.one, options.other}, options.names)) {
    require_output_folder(options.output);
  }

  int run() {
    for (Pair& pair : pairs_.list) {
      if (interrupted()) return 3;
      measure(pair);
    }
    if (!options_.json) print_summary();
    make_folder(options_.output);
    for (const Pair& pair : pairs_.list) {
      if (interrupted()) return 3;
      write_picture(pair);
    }
    if (pairs_.list.size() > 1) {
      write_psnr_plot();
      if (!write_movie(file("movie.mp4"), pictures_, {.fps = options_.fps, .stopped = interrupted}))
        return 3;
    }
    if (options_.json)
      print_json();
    else if (files_.size() == 1)
      fmt::print("wrote {}\n", files_.front());
    else
      fmt::print("wrote {} files to {}\n", files_.size(), options_.output);
    return 0;
  }

 private:
  // Anything is written only when all are known to have one size.
  void measure(Pair& pair) {
    const Image one = read_picture(pair.one), other = read_picture(pair.other);
    if (one.width != other.width || one.height != other.height)
      throw InputError(
          "'{}' has {} x {} pixels and '{}' {} x {}: only pictures of one size can be compared; "
          "octavo render makes them anew",
          pair.one.string(), one.width, one.height, pair.other.string(), other.width, other.height);
    if (size_ == std::array<int, 2>{}) size_ = {one.width, one.height};
    if (size_ != std::array{one.width, one.height})
      throw InputError("'{}' has {} x {} pixels, frames before it {} x {}: a movie has one size",
                       pair.one.string(), one.width, one.height, size_[0], size_[1]);
    pair.psnr = psnr(one, other);
    range_ = std::max(range_, difference_range(one, other));
    if (!options_.json)
      fmt::print("{}{}\n", pairs_.frames ? fmt::format("frame {:>4}  ", pair.frame) : "",
                 psnr_text(pair.psnr));
  }

  fs::path file(const std::string& name) {
    const fs::path path = fs::path(options_.output) / name;
    files_.push_back(path.string());
    return path;
  }

  // There is one gain for all, so that a movie does not flicker.
  void write_picture(const Pair& pair) {
    const SideBySide texts{.title = pairs_.frames ? fmt::format("frame {}", pair.frame) : "",
                           .left = labels_[0],
                           .right = labels_[1],
                           .gain = gain_for(range_)};
    const Image image = side_by_side(read_picture(pair.one), read_picture(pair.other), texts);
    pictures_.push_back(
        file(pairs_.frames ? fmt::format("compare.{:04}.png", pair.frame) : "compare.png"));
    write_png(pictures_.back(), image);
  }

  void write_psnr_plot() {
    Plot plot{labels_[0] + " and " + labels_[1], "frame", "PSNR, dB", {{"", {}}}};
    for (const Pair& pair : pairs_.list)
      plot.curves[0].points.push_back({static_cast<double>(pair.frame), pair.psnr});
    write_png(file("psnr.png"), drawn(plot));
  }

  const Pair& worst() const {
    return *std::min_element(pairs_.list.begin(), pairs_.list.end(),
                             [](const Pair& p, const Pair& q) { return p.psnr < q.psnr; });
  }

  void print_summary() const {
    if (pairs_.list.size() > 1)
      fmt::print("all frames  {}; worst: frame {}, {}\n", psnr_text(psnr_of_all(pairs_.list)),
                 worst().frame, psnr_text(worst().psnr));
    for (const auto& [folder, frames] : {std::pair{&options_.one, &pairs_.only_one},
                                         std::pair{&options_.other, &pairs_.only_other}})
      if (!frames->empty())
        fmt::print("only in {}: frame{} {}\n", *folder, frames->size() == 1 ? "" : "s",
                   frame_list(*frames));
  }

  void print_json() const {
    Json json{{"one", options_.one},
              {"other", options_.other},
              {"psnr", psnr_json(psnr_of_all(pairs_.list))}};
    if (pairs_.frames) {
      json["worst_psnr"] = psnr_json(worst().psnr);
      json["worst_frame"] = worst().frame;
      for (const Pair& pair : pairs_.list)
        json["frames"].push_back({{"frame", pair.frame}, {"psnr", psnr_json(pair.psnr)}});
      json["only_in_one"] = pairs_.only_one;
      json["only_in_other"] = pairs_.only_other;
    }
    json["gain"] = gain_for(range_);
    json["files"] = files_;
    fmt::print("{}\n", json.dump(-1, ' ', false, Json::error_handler_t::replace));
  }

  CompareCommand options_;
  Pairs pairs_;
  std::vector<std::string> labels_;  // of one and other
  double range_ = 0;                 // of the differences
  std::array<int, 2> size_{};        // of all pictures
  std::vector<std::string> files_;
  std::vector<fs::path> pictures_;
};

}  // namespace

void add_compare_options(CLI::App& command, CompareCommand& o) {
  command.add_option("one", o.one, "A picture (.png, .exr), or a run folder with pictures")
      ->option_text("A")
      ->required();
  command.add_option("other", o.other, "What to compare it with")->option_text("B")->required();
  command
      .add_option("-o,--output", o.output,
                  "Folder for pictures side by side with their difference, and a movie of them; "
                  "default: compare")
      ->option_text("DIR");
  command
      .add_option("--name", o.names,
                  "What A and then B is called in the pictures; default: the name of its folder or "
                  "file")
      ->option_text("TEXT")
      ->allow_extra_args(false);
  command.add_option("--fps", o.fps, "Frames per second of the movie")
      ->check(CLI::Range(0.01, 1000.0))
      ->capture_default_str();
  command.add_flag("--json", o.json, "Print one JSON object");
}

int run_compare(const CompareCommand& options) {
  catch_interrupts();
  return Comparison(options).run();
}

}  // namespace octavo
