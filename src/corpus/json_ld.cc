// Only the shapes that sites use: members are strings, objects with a name or an address, or arrays of these. Anything
// else is passed over.
#include "corpus/json_ld.h"

#include <simdjson.h>

#include <algorithm>
#include <array>

namespace paraprint::inline corpus {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::size_t kJsonBytesMaximum = std::size_t{1} << 20;  // real ones have some KiB
constexpr std::size_t kAuthorsMaximum = 20;
constexpr std::size_t kNameBytesMaximum = 512;

// Types whose objects describe what is written on the page, as far as their names end in these.
constexpr std::array<std::string_view, 5> kArticleTypes = {"Article", "BlogPosting", "Posting", "Report", "Review"};
constexpr std::array<std::string_view, 4> kOtherTypes = {"WebPage", "CreativeWork", "Recipe", "VideoObject"};

template <class Types>
bool is_of_type(std::string_view name, const Types& types) {
  return std::any_of(types.begin(), types.end(), [&](std::string_view type) { return name.ends_with(type); });
}

template <class Types>
bool has_type(const object& candidate, const Types& types) {
  element type;
  if (candidate["@type"].get(type) != simdjson::SUCCESS) return false;
  std::string_view name;
  if (type.get(name) == simdjson::SUCCESS) return is_of_type(name, types);
  array names;
  if (type.get(names) != simdjson::SUCCESS) return false;
  return std::any_of(names.begin(), names.end(), [&](const element& each) {
    std::string_view each_name;
    return each.get(each_name) == simdjson::SUCCESS && is_of_type(each_name, types);
  });
}

// The string, or that of the member of an object.
std::string_view string_in(const element& value, const char* member) {
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return text;
  object inner;
  if (value.get(inner) == simdjson::SUCCESS && inner[member].get(text) == simdjson::SUCCESS) return text;
  return {};
}

void append_name(std::string_view name, std::string& names) {
  if (name.empty() || names.size() + name.size() > kNameBytesMaximum) return;
  if (!names.empty()) names += ", ";
  names += name;
}

// Of one, or of all in an array.
std::string names_in(const element& value) {
  std::string names;
  array several;
  if (value.get(several) != simdjson::SUCCESS) {
    append_name(string_in(value, "name"), names);
    return names;
  }
  std::size_t count = 0;
  for (const element& each : several) {
    if (++count > kAuthorsMaximum) break;
    append_name(string_in(each, "name"), names);
  }
  return names;
}

void take(const object& from, const char* member, const char* inner, std::string& into) {
  element value;
  if (into.empty() && from[member].get(value) == simdjson::SUCCESS) into = string_in(value, inner);
}

void take_names(const object& from, const char* member, std::string& into) {
  element value;
  if (into.empty() && from[member].get(value) == simdjson::SUCCESS) into = names_in(value);
}

void take_page(const object& from, JsonLdPage& page) {
  take(from, "headline", "@value", page.title);
  take(from, "name", "@value", page.title);
  take_names(from, "author", page.author);
  take_names(from, "creator", page.author);
  take_names(from, "publisher", page.publisher);
  take(from, "datePublished", "@value", page.date_published);
  take(from, "dateModified", "@value", page.date_modified);
  take(from, "isBasedOn", "url", page.based_on);
  take(from, "isBasedOn", "@id", page.based_on);
  take(from, "license", "@id", page.licence);
  take(from, "license", "url", page.licence);
}

// Calls visit(object) for those at the top, in arrays there, and in "@graph".
template <class Visit>
void for_each_object(const element& root, const Visit& visit) {
  object single;
  if (root.get(single) == simdjson::SUCCESS) {
    visit(single);
    element graph;
    array members;
    if (single["@graph"].get(graph) == simdjson::SUCCESS && graph.get(members) == simdjson::SUCCESS) {
      for (const element& each : members) {
        object inner;
        if (each.get(inner) == simdjson::SUCCESS) visit(inner);
      }
    }
    return;
  }
  array several;
  if (root.get(several) != simdjson::SUCCESS) return;
  for (const element& each : several) {
    object inner;
    if (each.get(inner) == simdjson::SUCCESS) visit(inner);
  }
}

}  // namespace

struct JsonLdReader::Implementation {
  simdjson::dom::parser parser;
};

JsonLdReader::JsonLdReader() : implementation_(std::make_unique<Implementation>()) {}
JsonLdReader::~JsonLdReader() = default;

// Articles first, whatever their order. Members of other things, such as breadcrumbs and organisations, are not those
// of the page.
void JsonLdReader::read(std::string_view json, JsonLdPage& page) {
  if (json.size() > kJsonBytesMaximum) return;
  element root;
  const simdjson::error_code error = implementation_->parser.parse(json.data(), json.size()).get(root);
  if (error == simdjson::MEMALLOC) {
    // It has some of its memory, takes that for all of it, and would use what it has not.
    implementation_->parser = simdjson::dom::parser();
    throw std::bad_alloc();
  }
  if (error != simdjson::SUCCESS) return;
  for_each_object(root, [&](const object& each) {
    if (has_type(each, kArticleTypes)) take_page(each, page);
  });
  for_each_object(root, [&](const object& each) {
    if (has_type(each, kOtherTypes)) take_page(each, page);
  });
}

}  // namespace paraprint::inline corpus
