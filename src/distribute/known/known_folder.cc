// From an index of known pages to tables of known texts and back, and what drivers need to know of these tables.
#include "paraprint/known_folder.h"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/propagate.h"
#include "distribute/known/known_records.h"
#include "distribute/known/known_tables.h"
#include "profile/profile_codec.h"

namespace paraprint {

using namespace distribute;
using namespace distribute::known;

Status check_known(const DedupOptions& options) {
  if (options.profile.algorithm != "paragraph") {
    return failure(
        ErrorCode::kUnsupported,
        fmt::format("algorithm is '{}', but known pages are compared by paragraphs only", options.profile.algorithm));
  }
  if (options.profile.idf == IdfSource::kCorpus) {
    return failure(ErrorCode::kUnsupported,
                   "idf is 'corpus', but fingerprints with the word weights of one crawl match no other crawl's");
  }
  if (!options.profile.paragraphs) {
    return failure(ErrorCode::kUnsupported, "paragraphs is off, but known pages are compared by paragraphs only");
  }
  return {};
}

Result<std::vector<KnownBlock>> read_known_blocks(std::string_view parcel) {
  const auto read = [](ByteReader& in) {
    KnownBlock block;
    block.first_key = in.variable();
    block.last_key = in.variable();
    block.bytes = in.text();
    if (block.first_key > block.last_key) in.fail();
    return block;
  };
  std::vector<KnownBlock> blocks;
  PARAPRINT_TRY(for_each_record(parcel, "known blocks", read, [&](const KnownBlock& block) -> Status {
    blocks.push_back(block);
    return {};
  }));
  return blocks;
}

// Boxes are emptied after each text, so that only the lines in the sorters take memory.
Result<std::uint32_t> make_known_tables(const PageIndex& index, std::uint64_t memory_bytes,
                                        const std::string& temporary_folder,
                                        const std::function<Status(Parcel&&)>& give) {
  if (index.algorithm() != "paragraph") {
    return failure(ErrorCode::kUnsupported,
                   fmt::format("the index is of the algorithm '{}', but known pages are compared by paragraphs only",
                               index.algorithm()));
  }
  SortedTables lines({memory_bytes / kLineTables.size(), temporary_folder});
  TextLines text_lines;
  ParcelBox texts(kTextBlocks, 1);
  BlockBox blocks(texts, 0, kTextBlockBytes);
  Profile profile;
  std::vector<std::uint8_t> flags;
  std::uint32_t count = 0;
  PARAPRINT_TRY(index.for_each_text([&](const IndexedText& text) -> Status {
    PARAPRINT_TRY(decode_profile(text.profile, profile));
    if (profile.content_characters == 0) return {};
    if (count == std::numeric_limits<std::uint32_t>::max()) {
      return failure(ErrorCode::kLimitExceeded, "the index has more than 4,294,967,294 texts");
    }
    KnownText known;
    known.id = text.page.id;
    known.url = text.page.url;
    known.date = text.page.date;
    known.site = text.site;
    known.template_paragraphs = text.template_paragraphs;
    known.profile = text.profile;
    flag_paragraphs(known.template_paragraphs, profile, flags);
    blocks.add(count, known_text_record(count, known));
    Status added;
    text_lines.collect(count, known.site, profile, flags,
                       [&](const LineTable& table, std::uint64_t, std::string_view line) {
                         if (added) added = lines.add(table, line);
                       });
    PARAPRINT_TRY(added);
    ++count;
    return give_parcels(texts, false, give);
  }));
  blocks.end();
  PARAPRINT_TRY(give_parcels(texts, true, give));
  for (const LineTable& table : kLineTables) {
    ParcelBox box(table.blocks, 1);
    PARAPRINT_TRY(lines.give(table, box, 0, [&] { return give_parcels(box, false, give); }));
    PARAPRINT_TRY(give_parcels(box, true, give));
  }
  return count;
}

// A page that no index takes is no reason to do without all others.
Result<AddedTexts> add_known_texts(PageIndex& index, std::string_view texts) {
  AddedTexts count;
  Profile profile;
  PARAPRINT_TRY(for_each_record(texts, kTextBlocks, read_numbered_text, [&](const NumberedText& numbered) -> Status {
    ByteReader in(numbered.record);
    const KnownText known = read_known_text(in);
    if (!in.ok() || !in.at_end()) return corrupt(kTextBlocks);
    PARAPRINT_TRY(decode_profile(known.profile, profile));
    IndexPageInput input;
    input.id = known.id;
    input.url = known.url;
    input.date = known.date;
    input.profile = &profile;
    const auto added = index.add(input);
    const bool is_left_out = !added && index.is_about_page(added.error());
    if (!is_left_out) PARAPRINT_TRY(added);
    ++(is_left_out ? count.left_out : count.added);
    return {};
  }));
  return count;
}

}  // namespace paraprint
