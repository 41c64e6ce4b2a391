// Inputs other than pages that strangers or files bring. For each kind: how it is read, how a harmless one looks, and
// the known ways to make a slow one, of any wanted size.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace paraprint {

struct InputFamily {
  std::string_view name;
  std::function<std::string(std::size_t size_bytes)> make;
};

struct HostileKind {
  std::string_view name;
  // Counted in a hostile input, so that the harmless one can have as many items.
  char item_mark = '\n';
  std::function<std::string(std::size_t size_bytes, std::size_t items)> harmless;
  std::function<void(std::string_view bytes)> read;
  std::vector<InputFamily> families;
  // Of kinds whose families must be accepted, since rejecting them would be cheap: whether one is.
  std::function<bool(std::string_view bytes)> is_accepted = nullptr;
  // Of kinds with a checksum: the input with the right one.
  std::function<std::string(std::string_view bytes)> with_checksum = nullptr;
};

// `head`, then as many of `unit` as fit, then `tail`. "{n}" stands for the number of the unit.
std::function<std::string(std::size_t)> repeated(std::string_view head, std::string_view unit,
                                                 std::string_view tail = {});
// The same with two different units, each of which fills half.
std::function<std::string(std::size_t)> in_two_halves(std::string_view head, std::string_view first,
                                                      std::string_view between, std::string_view second,
                                                      std::string_view tail = {});

// A harmless input: `head`, then units with "{n}" for their number and "{text}" for up to `text_bytes` of words, as
// many units as there shall be items, then `tail`.
std::function<std::string(std::size_t, std::size_t)> items_of_text(std::string_view head, std::string_view unit,
                                                                   std::string_view tail = {}, char separator = '-',
                                                                   std::size_t text_bytes = 0);
// The same for inputs without items.
std::function<std::string(std::size_t, std::size_t)> of_size(std::function<std::string(std::size_t size_bytes)> make);

// All kinds but pages.
std::vector<HostileKind> hostile_input_kinds();

// Each adds its kinds.
void add_page_inputs(std::vector<HostileKind>& kinds);
void add_web_inputs(
    std::vector<HostileKind>& kinds);  // robots.txt, sitemaps, addresses, links, values of header fields
void add_archive_inputs(std::vector<HostileKind>& kinds);     // WARC, ARC, JSON lines, HTTP messages and their codings
void add_container_inputs(std::vector<HostileKind>& kinds);   // HTTP archives, indexes of archives, WACZ files
void add_http_inputs(std::vector<HostileKind>& kinds);        // heads and bodies of requests, heads of responses
void add_file_inputs(std::vector<HostileKind>& kinds);        // imported vectors, files of an index, profiles, labels
void add_word_table_inputs(std::vector<HostileKind>& kinds);  // models and synonym lists
void add_algorithm_inputs(std::vector<HostileKind>& kinds);   // texts for the classic algorithms
void add_contamination_inputs(std::vector<HostileKind>& kinds);  // items of benchmarks, and documents
void add_search_inputs(std::vector<HostileKind>& kinds);         // keys of pages in the search tables of an index

}  // namespace paraprint
