#include "octavo/scene/nesting.h"

#include <algorithm>
#include <vector>

namespace octavo {
namespace {

// This reads a text sign by sign, as far as it takes to know which brackets and dots are not in a comment or a
// string.
class Depths {
 public:
  explicit Depths(std::string_view text) : text_(text) {}

  // This is where the first sign that is too deep stands; it is the text's size if none is.
  std::size_t first_too_deep() {
    while (at_ < text_.size() && depth() <= most_nesting) step();
    return depth() > most_nesting ? at_ - 1 : text_.size();
  }

 private:
  std::size_t depth() const { return around_ + dots_; }
  bool here(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  void step() {
    const char c = text_[at_];
    if (c == '#') return skip_line();
    if (c == '"' || c == '\'') return skip_string(std::string(3, c));
    ++at_;
    if (c == '.') ++dots_;
    if (c == '[' || c == '{') open();
    if (c == ']' || c == '}') close();
    if (c == ',' || (c == '\n' && open_.empty())) dots_ = 0;
  }

  // The parts of the key before a bracket are around what is in it.
  void open() {
    open_.push_back(dots_ + 1);
    around_ += open_.back();
    dots_ = 0;
  }
  void close() {
    dots_ = 0;
    if (open_.empty()) return;
    around_ -= open_.back();
    open_.pop_back();
  }

  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  // Backslashes count in strings with double quotes only; those with one quote at each end stay on their line. Two more
  // quotes may stand before the three at the end of the others.
  void skip_string(const std::string& quotes) {
    const char quote = quotes[0];
    const bool long_one = here(quotes);
    const std::string_view end = std::string_view(quotes).substr(0, long_one ? 3 : 1);
    for (at_ += end.size(); at_ < text_.size() && !here(end); ++at_) {
      if (text_[at_] == '\n' && !long_one) return;
      if (text_[at_] == '\\' && quote == '"') ++at_;
    }
    at_ = std::min(at_ + end.size(), text_.size());
    for (int more = 0; more < 2 && long_one && here(end.substr(0, 1)); ++more) ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0, dots_ = 0, around_ = 0;
  std::vector<std::size_t> open_;  // how much deeper each bracket goes
};

}  // namespace

std::optional<TextPlace> too_deep(std::string_view text) {
  const std::size_t at = Depths(text).first_too_deep();
  if (at == text.size()) return {};
  const std::string_view before = text.substr(0, at);
  const auto line = before.rfind('\n');
  TextPlace place;
  place.line = static_cast<std::uint32_t>(1 + std::count(before.begin(), before.end(), '\n'));
  place.column = static_cast<std::uint32_t>(1 + before.size() -
                                            (line == std::string_view::npos ? 0 : line + 1));
  return place;
}

void require_shallow(std::string_view text, const std::string& name) {
  if (const auto place = too_deep(text))
    throw PlacedSceneError("{}:{}:{}: keys and brackets go more than {} deep here", name,
                           place->line, place->column, most_nesting);
}

}  // namespace octavo
