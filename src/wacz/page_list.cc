// Addresses and ids are compared by keyed hashes, which nobody can make equal. Nothing is ordered by them in the
// output.
#include "wacz/page_list.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/byte_codec.h"
#include "base/fingerprint_text.h"
#include "base/hash.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "http/date.h"
#include "memory/seeded_hash.h"

namespace paraprint::inline wacz {
namespace {

// A page's text has at most that of its body; longer lines are no lists of pages.
constexpr std::size_t kMaxLineBytes = std::size_t{64} << 20;

constexpr std::string_view kBlanks = " \t\r\n";

std::uint64_t hash_of(std::string_view text) {
  return sip_hash(text, process_hash_seed());
}

// 0 stands for no place.
std::uint64_t place_of_page(std::string_view url, std::string_view date) {
  if (url.empty() || date.empty()) return 0;
  return std::max<std::uint64_t>(1, hash_of(fmt::format("{} {}", date, url)));
}

bool contains(const SpillArray<std::uint64_t>& sorted, std::uint64_t value) {
  return std::binary_search(sorted.begin(), sorted.end(), value);
}

// Calls visit(line) for each line that is short enough. Returns the number of others.
template <class Visit>
Result<std::uint64_t> for_each_line(InputWindow& window, Visit&& visit) {
  std::uint64_t long_lines = 0;
  bool is_inside_long_line = false;
  std::size_t searched = 0;
  while (true) {
    PARAPRINT_TRY(check_stop());
    PARAPRINT_TRY(window.ensure(searched + 1));
    const std::string_view view = window.view();
    const std::size_t end = view.find('\n', searched);
    const bool is_last = end == std::string_view::npos && window.is_complete();
    if (end == std::string_view::npos && !is_last) {
      searched = view.size();
      if (searched <= kMaxLineBytes) continue;
      is_inside_long_line = true;
      window.consume(std::exchange(searched, 0));
      continue;
    }
    const std::string_view line = view.substr(0, end);
    const bool is_long = std::exchange(is_inside_long_line, false) || line.size() > kMaxLineBytes;
    if (is_long) ++long_lines;
    if (!is_long && line.find_first_not_of(kBlanks) != std::string_view::npos) PARAPRINT_TRY(visit(line));
    if (is_last) return long_lines;
    window.consume(end + 1);
    searched = 0;
  }
}

std::string_view text_member(const simdjson::dom::object& object, std::string_view name) {
  std::string_view text;
  return object[name].get(text) == simdjson::SUCCESS ? text : std::string_view();
}

// The object on a line; nullopt if it has none.
std::optional<simdjson::dom::object> parse_object(simdjson::dom::parser& parser, std::string_view line) {
  simdjson::dom::object object;
  if (parser.parse(line.data(), line.size()).get(object) != simdjson::SUCCESS) return std::nullopt;
  return object;
}

// Without the brace at the end, so that members can be added.
std::string_view opened(std::string_view object) {
  object = object.substr(0, object.find_last_not_of(kBlanks) + 1);
  object.remove_suffix(1);
  return object.substr(std::min(object.find_first_not_of(kBlanks), object.size()));
}

}  // namespace

PageList::PageList(MemoryBudget* budget)
    : texts_(budget),
      lines_(budget),
      marks_(budget),
      marks_by_place_(budget),
      page_places_(budget),
      removed_ids_(budget),
      revisit_ids_(budget),
      relation_ids_(budget) {}

// The id is that of the place, because players take pages of one id for one page.
std::string PageList::page_line(std::string_view url, std::string_view date) {
  json_.begin_object();
  json_.member("id", hex_of(blake2b128(fmt::format("{} {}", date, url))));
  json_.member("url", url);
  json_.member("ts", date);
  json_.end_object();
  return json_.take();
}

Status PageList::add_line(ListedLine line, std::string_view open_object) {
  line.begin = texts_.size();
  line.size = open_object.size();
  PARAPRINT_TRY(lines_.push_back(line));
  return texts_.append(std::span<const char>(open_object));
}

Status PageList::add_found(const FoundPage& page) {
  const std::uint64_t place = place_of_page(page.url, page.date);
  if (place == 0) {
    ++counts_.without_place;
    return {};
  }
  std::string line(opened(page_line(page.url, page.date)));
  json_.begin_object();
  if (!page.title.empty()) json_.member("title", page.title);
  if (!page.text.empty()) json_.member("text", page.text);
  json_.end_object();
  const std::string more = json_.take();
  if (more.size() > 2) line.append(",").append(opened(more).substr(1));
  has_text_ = has_text_ || !page.text.empty();
  PARAPRINT_TRY(page_places_.push_back(place));
  ListedLine row;
  row.place = place;
  return add_line(row, line);
}

Status PageList::add_place(std::string_view url, std::string_view date) {
  const std::uint64_t place = place_of_page(url, date);
  return place == 0 ? Status{} : page_places_.push_back(place);
}

Status PageList::add_listed(InputWindow& list, PageListKind kind) {
  PARAPRINT_ASSIGN(const std::uint64_t long_lines,
                   for_each_line(list, [&](std::string_view line) { return add_listed_line(line, kind); }));
  counts_.broken_lines += long_lines;
  return {};
}

Status PageList::add_listed_line(std::string_view line, PageListKind kind) {
  simdjson::dom::parser parser;
  const std::optional<simdjson::dom::object> object = parse_object(parser, line);
  if (!object) {
    ++counts_.broken_lines;
    return {};
  }
  const std::string_view url = text_member(*object, "url");
  if (url.empty() && !text_member(*object, "format").empty()) return {};  // the first line
  const std::optional<std::string> date = normalise_date(text_member(*object, "ts"));
  if (url.empty() || !date) {
    ++counts_.without_place;
    return {};
  }
  has_text_ = has_text_ || !text_member(*object, "text").empty();
  has_extra_pages_ = has_extra_pages_ || kind == PageListKind::kExtra;
  ListedLine row;
  row.place = place_of_page(url, *date);
  row.kind = kind;
  row.is_open = (*object)["duplicate"].error() != simdjson::SUCCESS;
  return add_line(row, opened(line));
}

Status PageList::add_mark(Mark mark, std::string_view line, std::string_view members) {
  std::string bytes;
  ByteWriter out(bytes);
  out.text(line);
  out.text(members);
  mark.begin = texts_.size();
  mark.size = bytes.size();
  PARAPRINT_TRY(marks_.push_back(mark));
  return texts_.append(std::span<const char>(bytes));
}

Status PageList::read_removed(const std::string& path, const std::function<bool(std::string_view file)>& has_list) {
  PARAPRINT_ASSIGN(InputWindow window, InputWindow::open(path));
  PARAPRINT_ASSIGN(const std::uint64_t long_lines,
                   for_each_line(window, [&](std::string_view line) { return add_removed_line(line, has_list); }));
  counts_.broken_lines += long_lines;
  return {};
}

Status PageList::add_removed_line(std::string_view line, const std::function<bool(std::string_view file)>& has_list) {
  simdjson::dom::parser parser;
  const std::optional<simdjson::dom::object> object = parse_object(parser, line);
  if (!object) {
    ++counts_.broken_lines;
    return {};
  }
  Mark mark;
  const std::string_view url = text_member(*object, "url");
  const std::string_view date = text_member(*object, "date");
  mark.place = place_of_page(url, date);
  mark.id = hash_of(text_member(*object, "id"));
  mark.is_mark_only = has_list(text_member(*object, "file"));
  PARAPRINT_TRY(removed_ids_.push_back(mark.id));
  if (mark.place == 0) {
    ++counts_.without_place;
    return {};
  }
  double resemblance = 0;
  json_.begin_object();
  json_.member("verdict", text_member(*object, "verdict"));
  if ((*object)["resemblance"].get(resemblance) == simdjson::SUCCESS) json_.member("resemblance", Real{resemblance});
  json_.member("url", text_member(*object, "kept_url"));
  if (const std::string_view kept_date = text_member(*object, "kept_date"); !kept_date.empty()) {
    json_.member("ts", kept_date);
  }
  json_.end_object();
  const std::string members = json_.take();
  return add_mark(mark, opened(page_line(url, date)), opened(members));
}

// Records that a run wrote in place of pages are told by the ids in them, which are those of the pages.
Status PageList::see(const RawRecord& record, bool has_list) {
  if (record.kind == RecordKind::kMetadata && !record.refers_to.empty()) {
    return relation_ids_.push_back(hash_of(record.refers_to));
  }
  if (record.kind != RecordKind::kRevisit) return {};
  Mark mark;
  mark.kind = MarkKind::kRevisit;
  mark.id = hash_of(record.id);
  mark.place = place_of_page(record.url, record.date);
  mark.original_place = place_of_page(record.refers_to_url, record.refers_to_date);
  mark.is_mark_only = has_list;
  PARAPRINT_TRY(revisit_ids_.push_back(mark.id));
  if (mark.place == 0 || mark.original_place == 0) return {};
  json_.begin_object();
  json_.member("url", record.refers_to_url);
  json_.member("ts", record.refers_to_date);
  json_.end_object();
  const std::string members = json_.take();
  return add_mark(mark, opened(page_line(record.url, record.date)), opened(members));
}

Status PageList::prepare() {
  if (std::exchange(is_prepared_, true)) return {};
  for (SpillArray<std::uint64_t>* array : {&page_places_, &removed_ids_, &revisit_ids_, &relation_ids_}) {
    std::sort(array->begin(), array->end());
  }
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    if (is_wanted(marks_[i])) PARAPRINT_TRY(marks_by_place_.push_back({marks_[i].place, i}));
  }
  std::sort(marks_by_place_.begin(), marks_by_place_.end());
  return {};
}

// A revisit record of a removed page is described by what the run says of it. Of other revisit records, those of pages
// are told by what they refer to: their own payload, and with it their type, is not there.
bool PageList::is_wanted(const Mark& mark) const {
  if (contains(page_places_, mark.place)) return false;
  return mark.kind == MarkKind::kRemoved || !contains(removed_ids_, mark.id);
}

PageList::Mark* PageList::find_mark(std::uint64_t place) {
  const auto* const found = std::lower_bound(marks_by_place_.begin(), marks_by_place_.end(), PlacedMark{place, 0});
  return found == marks_by_place_.end() || found->place != place ? nullptr : &marks_[found->number];
}

std::string PageList::duplicate_member(const Mark& mark) const {
  ByteReader in({texts_.data() + mark.begin, static_cast<std::size_t>(mark.size)});
  in.text();
  std::string_view record = "revisit";
  if (mark.kind == MarkKind::kRemoved && !contains(revisit_ids_, mark.id)) {
    record = contains(relation_ids_, mark.id) ? "metadata" : "none";
  }
  return fmt::format(R"(,"duplicate":{},"record":"{}"}})", in.text(), record);
}

Status PageList::write_line(ByteSink& sink, std::string_view open_object, Mark* mark) {
  std::string line(open_object);
  if (mark != nullptr) {
    line += duplicate_member(*mark);
    mark->is_used = true;
    ++counts_.duplicates;
  }
  ++counts_.pages;
  return sink.write(line.append("}\n"));
}

Status PageList::write(PageListKind kind, ByteSink& sink) {
  PARAPRINT_TRY(prepare());
  const bool is_extra = kind == PageListKind::kExtra;
  json_.begin_object();
  json_.member("format", "json-pages-1.0");
  json_.member("id", is_extra ? "extra-pages" : "pages");
  json_.member("title", is_extra ? "Extra Pages" : "All Pages");
  if (has_text_) json_.member("hasText", true);
  json_.end_object();
  PARAPRINT_TRY(sink.write(json_.take() + "\n"));
  for (const ListedLine& line : lines_) {
    if (line.kind != kind) continue;
    Mark* const mark = line.is_open ? find_mark(line.place) : nullptr;
    PARAPRINT_TRY(write_line(sink, {texts_.data() + line.begin, static_cast<std::size_t>(line.size)}, mark));
  }
  return is_extra ? Status{} : write_unlisted(sink);
}

// Of several marks of one place, the first one counts.
Status PageList::write_unlisted(ByteSink& sink) {
  for (Mark& mark : marks_) {
    if (find_mark(mark.place) != &mark || mark.is_used || mark.is_mark_only) continue;
    if (mark.kind == MarkKind::kRevisit && !contains(page_places_, mark.original_place)) continue;
    ByteReader in({texts_.data() + mark.begin, static_cast<std::size_t>(mark.size)});
    PARAPRINT_TRY(write_line(sink, in.text(), &mark));
  }
  return {};
}

}  // namespace paraprint::inline wacz
