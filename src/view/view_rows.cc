// One place for what a page and a pair are in JSON, whatever list they are in.
#include "view/view_rows.h"

#include <fmt/format.h>

#include <iterator>

#include "paraprint/engine.h"
#include "report/text_safety.h"
#include "view/copies/origin_json.h"

namespace paraprint::inline explorer {
namespace {

std::string_view file_of(const RunStore& store, std::uint32_t page) {
  const std::uint32_t file = store.pages().row(page).location.file_index;
  return file < store.setup().inputs.size() ? std::string_view(store.setup().inputs[file].path) : std::string_view();
}

// Whether another page of the run is kept in its place.
bool lost_to_page(const RunStore& store, std::uint32_t page, PageFate fate) {
  return fate != PageFate::kKept && fate != PageFate::kKnown && fate != PageFate::kLanguage &&
         store.decisions().clustering.pages[page].kept_page != page;
}

}  // namespace

void append_fields(std::string& table, std::initializer_list<std::string_view> fields) {
  const char* separator = "";
  for (const std::string_view field : fields) {
    table += separator;
    append_tsv_field(table, field);
    separator = "\t";
  }
  table += '\n';
}

std::string_view ruling_name(PairRuling ruling) {
  switch (ruling) {
    case PairRuling::kNever:
      return "never";
    case PairRuling::kAlways:
      return "always";
    case PairRuling::kNone:
      break;
  }
  return "none";
}

void write_page_name(const RunStore& store, std::string_view name, std::uint32_t page, JsonWriter& json) {
  write_named_page(store.pages(), name, page, json);
}

void write_page_members(const Explorer& explorer, std::uint32_t page, JsonWriter& json) {
  const RunStore& store = explorer.store();
  const PageRow& row = store.pages().row(page);
  const PageCluster& cluster = store.decisions().clustering.pages[page];
  const PageFate fate = fate_of(store, page);
  json.member("page", page);
  json.member("id", store.pages().id(page));
  json.member("url", store.pages().url(page));
  json.member("date", store.pages().date(page));
  json.member("characters", row.content_characters);
  json.member("language", row.language.text());
  json.member("fate", fate_name(fate));
  json.member("cluster", store.cluster_numbers()[page]);
  json.member("cluster_pages", explorer.figures().members(cluster.kept_page).size());
  if (lost_to_page(store, page, fate)) {
    json.member("score", Real{cluster.resemblance});
    json.member("containment", Real{cluster.containment});
    json.member("containment_kept", Real{cluster.containment_kept});
    json.member("reason", reason_of_removal(store.decisions(), store.pages(), page));
    write_page_name(store, "kept", cluster.kept_page, json);
  } else if (const std::optional<KnownPage> known = store.decisions().known.find(page)) {
    json.member("score", Real{known->resemblance});
    json.member("known_id", known->id);
    json.member("known_url", known->url);
  }
  write_origin_in_list(explorer.origins(), store.pages(), page, json);
  json.member("file", file_of(store, page));
  json.member("offset_bytes", row.location.offset_bytes);
}

void write_pair_row(const RunStore& store, const RulingFiles& rulings, std::uint32_t pair, JsonWriter& json) {
  const Match& match = store.matched().scored.matches[pair];
  const auto kept_of = [&](std::uint32_t page) { return store.decisions().clustering.pages[page].kept_page; };
  json.begin_object();
  json.member("pair", pair);
  json.member("verdict", verdict_name(match.verdict));
  json.member("resemblance", Real{match.resemblance});
  json.member("containment_a", Real{match.containment_a});
  json.member("containment_b", Real{match.containment_b});
  json.member("is_one_cluster", kept_of(match.page_a) == kept_of(match.page_b));
  json.member("ruling", ruling_name(rulings.find(match.page_a, match.page_b)));
  write_page_name(store, "a", match.page_a, json);
  write_page_name(store, "b", match.page_b, json);
  json.end_object();
}

std::string pages_as_table(const Explorer& explorer, std::span<const std::uint32_t> pages) {
  const RunStore& store = explorer.store();
  std::string table =
      "id\turl\tdate\tcharacters\tlanguage\tfate\tscore\tkept_id\tkept_url\tcluster\tpublished\tcopied_from\n";
  for (const std::uint32_t page : pages) {
    const PageCluster& cluster = store.decisions().clustering.pages[page];
    const PageFate fate = fate_of(store, page);
    const bool is_lost = lost_to_page(store, page, fate);
    const OriginRow* const row = explorer.origins().find(page);
    append_fields(
        table,
        {store.pages().id(page), store.pages().url(page), store.pages().date(page),
         fmt::format("{}", store.pages().row(page).content_characters), store.pages().row(page).language.text(),
         fate_name(fate), is_lost ? fmt::format("{:.4f}", cluster.resemblance) : std::string(),
         is_lost ? store.pages().id(cluster.kept_page) : std::string_view(),
         is_lost ? store.pages().url(cluster.kept_page) : std::string_view(),
         fmt::format("{}", store.cluster_numbers()[page]), explorer.origins().day(page),
         row == nullptr || row->copied_from == kNoPage ? std::string_view() : store.pages().id(row->copied_from)});
  }
  return table;
}

std::string pages_as_lines(const Explorer& explorer, std::span<const std::uint32_t> pages) {
  std::string lines;
  for (const std::uint32_t page : pages) {
    JsonWriter json;
    json.begin_object();
    write_page_members(explorer, page, json);
    json.end_object();
    lines.append(json.take()).append("\n");
  }
  return lines;
}

std::string pairs_as_table(const Explorer& explorer, std::span<const std::uint32_t> pairs) {
  const RunStore& store = explorer.store();
  std::string table = "id_a\tid_b\tscore\tverdict\turl_a\turl_b\n";
  for (const std::uint32_t pair : pairs) {
    const Match& match = store.matched().scored.matches[pair];
    append_fields(table, {store.pages().id(match.page_a), store.pages().id(match.page_b),
                          fmt::format("{:.4f}", match.resemblance), verdict_name(match.verdict),
                          store.pages().url(match.page_a), store.pages().url(match.page_b)});
  }
  return table;
}

std::string pairs_as_lines(Explorer& explorer, std::span<const std::uint32_t> pairs) {
  std::string lines;
  for (const std::uint32_t pair : pairs) {
    JsonWriter json;
    write_pair_row(explorer.store(), explorer.rulings(), pair, json);
    lines.append(json.take()).append("\n");
  }
  return lines;
}

}  // namespace paraprint::inline explorer
