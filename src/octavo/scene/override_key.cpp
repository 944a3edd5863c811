#include "octavo/scene/override_key.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "octavo/scene/nesting.h"
#include "octavo/scene/problems.h"

namespace octavo {
namespace {

// This is a step of a path like a.b[2].c: a name, or a number in brackets.
struct Step {
  std::string name;
  std::optional<std::size_t> index;
};
std::vector<Step> steps_of(const std::string& key, const std::string& option) {
  std::vector<Step> steps;
  std::string word;
  auto end_word = [&] {
    if (!word.empty()) steps.push_back({word, {}});
    word.clear();
  };
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (key[i] == '.') {
      end_word();
    } else if (key[i] == '[') {
      end_word();
      const auto close = key.find(']', i);
      const std::string number = key.substr(i + 1, close == std::string::npos ? 0 : close - i - 1);
      if (number.empty() || number.size() > 6 ||
          number.find_first_not_of("0123456789") != std::string::npos)
        throw SceneError("{}: there must be a number in the brackets", option);
      steps.push_back({"", std::stoul(number)});
      i = close;
    } else {
      word += key[i];
    }
  }
  end_word();
  if (steps.empty()) throw SceneError("{}: the key has no name", option);
  return steps;
}

void require_shallow_key(const std::vector<Step>& steps, const std::string& value,
                         const std::string& option) {
  constexpr std::size_t most_shown = 60;
  if (steps.size() <= most_nesting && !too_deep(value)) return;
  throw SceneError("{}{}: its keys and brackets go more than {} deep", option.substr(0, most_shown),
                   option.size() > most_shown ? "..." : "", most_nesting);
}

// This is a table with `value`, which stands behind the equals sign and is TOML or a text without its
// quotes. Everything in it knows that it comes from the command line.
toml::table parsed_value(const std::string& option, const std::string& value) {
  try {
    return toml::parse("value = " + value, option);
  } catch (const toml::parse_error&) {
    std::string quoted;
    for (const char c : value) {
      const bool special = (c >= 0 && c < ' ') || c == '"' || c == '\\' || c == '\x7f';
      quoted += special ? fmt::format("\\u{:04X}", static_cast<unsigned>(c)) : std::string(1, c);
    }
    try {
      return toml::parse("value = \"" + quoted + "\"", option);
    } catch (const toml::parse_error& e) {
      throw SceneError("{}: {}", option, e.description());
    }
  }
}

// A step of the path leads to this node; a table comes about if it is not there.
toml::node& step_into(toml::node& from, const Step& step, const std::string& option) {
  if (step.index) {
    toml::array* array = from.as_array();
    if (array == nullptr || *step.index >= array->size())
      throw SceneError("{}: there is no item {}; the list has {}", option, *step.index,
                       array == nullptr ? 0 : array->size());
    return *array->get(*step.index);
  }
  toml::table* table = from.as_table();
  if (table == nullptr) throw SceneError("{}: '{}' is not in a table", option, step.name);
  if (!table->contains(step.name)) table->insert(step.name, toml::table{});
  return *table->get(step.name);
}

}  // namespace

// Only what is moved keeps its place.
void override_key(toml::table& scene, const std::string& text) {
  const auto equals = text.find('=');
  const std::string option = "--set " + text;
  if (equals == std::string::npos || equals == 0)
    throw SceneError("{}: it needs a key and a value, like grid.max_level=7", option);
  std::vector<Step> steps = steps_of(text.substr(0, equals), option);
  const std::string value = text.substr(equals + 1);
  require_shallow_key(steps, value, option);
  const Step last = steps.back();
  steps.pop_back();
  toml::table parsed = parsed_value(option, value);
  toml::node* at = &scene;
  for (const Step& step : steps) at = &step_into(*at, step, option);
  if (last.index) step_into(*at, last, option);
  parsed.get("value")->visit([&](auto& given) {
    if (last.index)
      at->as_array()->replace(at->as_array()->cbegin() + static_cast<std::ptrdiff_t>(*last.index),
                              std::move(given));
    else if (toml::table* table = at->as_table())
      table->insert_or_assign(last.name, std::move(given));
    else
      throw SceneError("{}: '{}' is not in a table", option, last.name);
  });
}

}  // namespace octavo
