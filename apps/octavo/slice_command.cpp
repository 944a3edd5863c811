#include "slice_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>

#include "octavo/base/text.h"
#include "octavo/draw/cutaway.h"
#include "octavo/draw/slice.h"
#include "octavo/io/png.h"
#include "octavo/pictures/field_look.h"
#include "octavo/pictures/picture_files.h"
#include "slice_subject.h"
#include "words.h"

namespace octavo {
namespace {

double number(std::string_view text, const std::string& range) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size())
    throw InputError("--range takes two numbers, like 0:1.5, not '{}'", range);
  return value;
}

std::optional<Vec2d> numbers_of(const std::string& range) {
  if (range.empty()) return {};
  const std::string_view view = range;
  const auto colon = view.find(':');
  if (colon == std::string_view::npos) number("", range);
  const Vec2d ends{number(view.substr(0, colon), range), number(view.substr(colon + 1), range)};
  if (!(ends[0] < ends[1]))
    throw InputError("--range {}: the first number must be below the second", range);
  return ends;
}

ShownLevels levels_of(const std::string& range) {
  const auto ends = numbers_of(range);
  if (!ends) return {};
  const ShownLevels levels{static_cast<int>(std::clamp((*ends)[0], -2.0, 99.0)),
                           static_cast<int>(std::clamp((*ends)[1], -2.0, 99.0))};
  if (levels.min != (*ends)[0] || levels.max != (*ends)[1] || levels.min < 0)
    throw InputError("--range {}: levels are whole numbers from 0 to {}", range, max_level);
  return levels;
}

// The first and the last colour stand for these; if there is none, they stand for what there is.
struct ColorRange {
  std::optional<Vec2d> values;
  ShownLevels levels;
};
ColorRange range_of(const SliceCommand& o) {
  if (o.field == "level") return {{}, levels_of(o.range)};
  return {numbers_of(o.range), {}};
}

ColorMap colors_of(const SliceCommand& o) {
  if (o.colors == "auto") return field_colors(o.field);
  if (o.colors == "smoke") return ColorMap::smoke;
  return o.colors == "diverging" ? ColorMap::diverging : ColorMap::viridis;
}

template <int Dim>
LeafPicture<Dim> picture_of(SliceSubject<Dim>& subject, const SliceCommand& o,
                            const ColorRange& range) {
  LeafPicture<Dim> picture{subject.tree().view()};
  if (o.field != "level") {
    picture.field.emplace();
    picture.field->title = field_title(o.field);
    picture.field->map = colors_of(o);
    picture.field->range = range.values;
    subject.set_values(o.field, *picture.field);
  }
  subject.add_obstacles(picture);
  return picture;
}

int frame_number(const std::string& text) {
  const auto number = whole_number(text);
  if (!number) throw InputError("--frame takes the number of a frame, like 12, not '{}'", text);
  return *number;
}

bool with_lines(const SliceCommand& o) { return o.lines || (!o.no_lines && o.colors != "smoke"); }

Image sliced(const LeafPicture<2>& picture, const SliceCommand&, SliceOptions options, int) {
  return draw_slice(picture, options);
}

// With --axis or --at a cutaway is half of the box, else it is all but the quarter in front.
Image sliced(const LeafPicture<3>& picture, const SliceCommand& o, SliceOptions options, int up) {
  options.axis = axis_of(o.axis.empty() ? "y" : o.axis);
  options.position = o.position;
  if (!o.cutaway) return draw_slice(picture, options);
  const Box<3> box = picture.tree.domain.box();
  CutawayOptions cutaway;
  cutaway.min_level = options.min_level;
  cutaway.max_level = options.max_level;
  cutaway.lines = options.lines;
  cutaway.legend = options.legend;
  cutaway.cut = o.axis.empty() && !o.position ? CutPart::quarter : CutPart::half;
  cutaway.axis = cutaway.cut == CutPart::quarter ? up : options.axis;
  if (o.position) {
    cutaway.position = box.center();
    (*cutaway.position)[options.axis] = *o.position;
  }
  Vec3d upwards{};
  upwards[up] = 1;
  return draw_cutaway(picture, corner_view(box, upwards, o.pixels, cutaway), cutaway);
}

template <class AnyGrid>
int draw(AnyGrid any, const SliceFile& file, const SliceCommand& o, const ColorRange& range) {
  return std::visit(
      [&]<template <int> class GridOf, int Dim>(GridOf<Dim>& grid) {
        if (Dim == 2 && (o.cutaway || !o.axis.empty() || o.position))
          throw InputError(
              "--axis, --at and --cutaway are for three dimensions; this grid has two");
        SliceSubject<Dim> subject(std::move(grid), file);
        const LeafPicture<Dim> picture = picture_of(subject, o, range);
        SliceOptions options;
        options.size = o.pixels;
        options.min_level = range.levels.min;
        options.max_level = range.levels.max;
        options.lines = with_lines(o);
        options.legend = options.paper = !o.bare;
        const Image image = sliced(picture, o, options, subject.up());
        write_png(o.output, image);
        fmt::print("{}: {} of '{}', {} leaves, {} x {} pixels\n", o.output, o.field,
                   file.path.string(), subject.tree().leaf_count(), image.width, image.height);
        return 0;
      },
      any);
}

}  // namespace

void add_slice_options(CLI::App& command, SliceCommand& o) {
  command.add_option("input", o.input, "A grid (.htg), a checkpoint (.h5) or the folder of a run")
      ->option_text("FILE|FOLDER")
      ->required();
  command
      .add_option_function<std::string>(
          "--frame", [&o](const std::string& text) { o.frame = frame_number(text); },
          "Of a run folder; default: the newest that is there")
      ->option_text("NUMBER");
  command.add_option("--axis", o.axis, "Axis across which the picture cuts; default: y")
      ->check(CLI::IsMember({"x", "y", "z"}));
  command.add_option("--at", o.position,
                     "Where the picture cuts, m; default: the middle of the box");
  command.add_option("--field", o.field, "What colours tell: level, or the name of a field")
      ->capture_default_str();
  command.add_option("--range", o.range, "Values of the first and the last colour; default: all")
      ->option_text("LOW:HIGH");
  command.add_option("--colors", o.colors, "viridis, diverging (white at zero), smoke or auto")
      ->check(CLI::IsMember({"auto", "viridis", "diverging", "smoke"}))
      ->capture_default_str();
  command.add_flag("--cutaway", o.cutaway,
                   "Draw the box as a solid without the quarter in front, or, with --axis or --at, "
                   "without the half in front");
  CLI::Option* lines =
      command.add_flag("--lines", o.lines, "Outline leaves; default unless it is smoke");
  command.add_flag("--no-lines", o.no_lines, "Do not outline leaves")->excludes(lines);
  command.add_flag("--bare", o.bare, "The drawing alone, without margins and legend");
  command.add_option("--pixels", o.pixels, "Longer side of the picture")
      ->check(CLI::Range(16, 16384))
      ->capture_default_str();
  command.add_option("-o,--output", o.output, "The picture, a PNG file")->capture_default_str();
}

int run_slice(const SliceCommand& o) {
  require_picture_path(o.output, PictureFormat::png);
  if (o.field == "level" && o.colors != "auto")
    throw InputError("--colors is for fields; name one with --field");
  const ColorRange range = range_of(o);
  range.levels.check();
  const SliceFile file = find_slice_file(o.input, o.frame, o.field);
  if (is_checkpoint(file.path)) return draw(read_checkpoint_grid(file.path), file, o, range);
  return draw(read_htg(file.path), file, o, range);
}

}  // namespace octavo
