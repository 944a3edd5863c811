#include "octavo/scene/reader.h"

namespace octavo {

namespace {

TextPlace place_of(const toml::source_region& region) {
  const bool option = region.path && region.path->starts_with("--set ");
  if (option) return {0, 0, *region.path};
  if (region.path && region.path->starts_with(look_mark))
    return {0, 0,
            fmt::format("{}:{}:{}", region.path->substr(look_mark.size()), region.begin.line,
                        region.begin.column)};
  return {region.begin.line, region.begin.column};
}

std::string shortened(const std::string& text) {
  constexpr std::size_t most = 60;
  return text.size() <= most ? text : text.substr(0, most) + "...";
}

// Other programs and papers call things by these names.
const std::map<std::string, std::string> other_names{{"buoyancy", "lift"},
                                                     {"beta", "lift"},
                                                     {"alpha", "weight"},
                                                     {"gravity", "acceleration"},
                                                     {"vorticity", "confinement"},
                                                     {"epsilon", "confinement"},
                                                     {"dissipation", "density_decay"},
                                                     {"collider", "obstacle"},
                                                     {"emitter", "source"},
                                                     {"inflow", "source"},
                                                     {"start_frame", "frames"},
                                                     {"end_frame", "frames"},
                                                     {"path", "file"},
                                                     {"ball", "sphere"},
                                                     {"disk", "sphere"},
                                                     {"cube", "box"},
                                                     {"all", "default"}};

}  // namespace

TextPlace place_of(const toml::node& node) { return place_of(node.source()); }
TextPlace place_of(const toml::key& key) { return place_of(key.source()); }

void Reader::finish() const {
  for (const auto& [key, node] : table_) {
    const std::string name(key.str());
    if (std::find(names_.begin(), names_.end(), name) != names_.end()) continue;
    std::string meant = did_you_mean(name, names_);
    if (const auto at = other_names.find(name);
        at != other_names.end() &&
        std::find(names_.begin(), names_.end(), at->second) != names_.end())
      meant = fmt::format("; did you mean '{}'?", at->second);
    const TextPlace place = place_of(key).line > 0 ? place_of(key) : place_of(node);
    reading_.problems.add(path_of(name), place, "{} has no '{}'{}", described(), name,
                          meant.empty() ? "; it has " + joined(names_, "and") : meant);
  }
}

void Reader::read(const toml::node& node, bool& value, const Rule&, const std::string& path) {
  note(node, path);
  if (const auto b = node.value_exact<bool>())
    value = *b;
  else
    wrong(path, "'{}' must be true or false, not {}", what(node));
}

void Reader::read(const toml::node& node, std::string& value, const Rule&,
                  const std::string& path) {
  note(node, path);
  if (const auto s = node.value_exact<std::string>())
    value = *s;
  else
    wrong(path, "'{}' must be a text in quotes, not {}", what(node));
}

std::size_t Reader::read_choice(const toml::node& node, const std::vector<std::string>& names,
                                std::size_t otherwise, const std::string& path) {
  note(node, path);
  const auto word = node.value_exact<std::string>();
  const auto at = word ? std::find(names.begin(), names.end(), *word) : names.end();
  if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
  wrong(path, "'{}' must be {}, not {}{}", joined(names), what(node),
        word ? did_you_mean(*word, names) : "");
  return otherwise;
}

// It also takes whole numbers that a double cannot be exactly.
std::optional<double> Reader::number_in(const toml::node& node) {
  if (const auto* integer = node.as_integer()) return static_cast<double>(integer->get());
  if (const auto* number = node.as_floating_point()) return number->get();
  return {};
}

bool Reader::allows(double value, const Rule& rule, const std::string& path) {
  constexpr double most_in_single_precision = 1e30;
  const bool enough = rule.above_least ? value > rule.least : value >= rule.least;
  if (enough && value <= rule.most) {
    if (!std::isfinite(value) || std::abs(value) <= most_in_single_precision) return true;
    wrong(path, "'{}' is too large a number: {}", value);
    return false;
  }
  constexpr double huge = std::numeric_limits<double>::max();
  if (std::isnan(value) || std::isinf(value))
    wrong(path, "'{}' must be a finite number, not {}", value);
  else if (rule.most >= huge)
    wrong(path, "'{}' must be {} {}, not {}", rule.above_least ? "above" : "at least", rule.least,
          value);
  else
    wrong(path, "'{}' must be {} {} and at most {}, not {}",
          rule.above_least ? "above" : "at least", rule.least, rule.most, value);
  return false;
}

void Reader::read(const toml::node& node, double& value, const Rule& rule,
                  const std::string& path) {
  note(node, path);
  const auto number = number_in(node);
  if (!number) return wrong(path, "'{}' must be a number, not {}", what(node));
  if (allows(*number, rule, path)) value = *number;
}

void Reader::read_integer(const toml::node& node, std::int64_t& value, const Rule& rule,
                          const std::string& path) {
  note(node, path);
  const auto number = node.value_exact<std::int64_t>();
  if (!number) return wrong(path, "'{}' must be a whole number, not {}", what(node));
  if (allows(static_cast<double>(*number), rule, path)) value = *number;
}

void Reader::read(const toml::node& node, std::map<std::string, double>& value, const Rule& rule,
                  const std::string& path) {
  note(node, path);
  const toml::table* table = node.as_table();
  if (table == nullptr) return wrong(path, "'{}' must be a table of numbers, not {}", what(node));
  for (const auto& [key, inner] : *table) {
    const std::string name(key.str());
    read(inner, value[name], rule, path + "." + name);
  }
}

std::string Reader::what(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return node.as_array()->size() == 1
                 ? "a list of one value"
                 : fmt::format("a list of {} values", node.as_array()->size());
    case toml::node_type::string:
      return fmt::format("the text '{}'", shortened(*node.value<std::string>()));
    case toml::node_type::integer:
    case toml::node_type::floating_point:
      return fmt::format("{}", *number_in(node));
    case toml::node_type::boolean:
      return *node.value<bool>() ? "true" : "false";
    default:
      return "a date or time";
  }
}

}  // namespace octavo
