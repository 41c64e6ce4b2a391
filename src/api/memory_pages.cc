// The calls of include/paraprint/memory_pages.h: profiles as bytes, pages read from archives, decoding of bodies. Thin
// wrappers around the codec, the batch reader and the charset decoder of a run, so that results are the same in both.
#include "paraprint/memory_pages.h"

#include <algorithm>
#include <utility>

#include "archive/http_payload.h"
#include "archive/input_files.h"
#include "base/hash.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "html/charset.h"
#include "memory/seeded_hash.h"
#include "profile/profile_codec.h"
#include "profile/record_batches.h"
#include "report/json_writer.h"
#include "text/utf8.h"

namespace paraprint {

std::string profile_bytes(const Profile& profile) {
  std::string bytes;
  encode_profile(profile, bytes);
  return bytes;
}

// Bytes of a profile may come from anywhere; the decoder checks all of them.
Result<Profile> profile_from_bytes(std::string_view bytes) {
  Profile profile;
  PARAPRINT_TRY(decode_profile(bytes, profile));
  return profile;
}

class PageReader::Implementation {
 public:
  Implementation(std::vector<InputFile> files, const ReadOptions& options, const RunControl& control)
      : inputs_(std::move(files)), options_(options), control_(control), source_(inputs_, options, LogPosition{}) {}

  // Pages are decoded one by one, on demand. A batch's defects are reported before its pages, those of a record before
  // its page.
  Result<std::optional<Page>> next() {
    const StopScope scope(control_.stop);
    for (;;) {
      PARAPRINT_TRY(check_stop());
      while (record_ < batch_.records.size()) {
        DecodedRecord decoded = decode_page(std::move(batch_.records[record_++]), options_, batch_path());
        report(decoded.defects);
        if (decoded.outcome == PageOutcome::kAccepted) return std::move(decoded.page);
      }
      PARAPRINT_ASSIGN(std::optional<RecordBatch> batch, source_.next());
      if (!batch.has_value()) return std::nullopt;
      batch_ = std::move(*batch);
      record_ = 0;
      report(batch_.defects);
    }
  }

  std::uint64_t broken_records() const { return broken_records_; }

 private:
  const std::string& batch_path() const { return inputs_[batch_.file_index].path; }

  void report(const std::vector<Defect>& defects) {
    for (const Defect& defect : defects) {
      broken_records_ += defect.count;
      if (control_.warning) control_.warning(describe(defect));
    }
  }

  // source_ refers to inputs_: this object is never moved (it lives behind a unique_ptr), and the order of members
  // matters.
  std::vector<InputFile> inputs_;
  ReadOptions options_;
  RunControl control_;
  RecordBatchSource source_;
  RecordBatch batch_;
  std::size_t record_ = 0;
  std::uint64_t broken_records_ = 0;
};

PageReader::PageReader(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
PageReader::~PageReader() = default;

Result<std::unique_ptr<PageReader>> PageReader::open(const std::vector<std::string>& inputs, const ReadOptions& options,
                                                     const RunControl& control) {
  PARAPRINT_ASSIGN(std::vector<InputFile> files, expand_inputs(inputs, options));
  return std::unique_ptr<PageReader>(
      new PageReader(std::make_unique<Implementation>(std::move(files), options, control)));
}

Result<std::optional<Page>> PageReader::next() {
  return implementation_->next();
}
std::uint64_t PageReader::broken_records() const {
  return implementation_->broken_records();
}

// Holds the decoder's buffers: the view that decode() returns is valid until its next call.
class BodyDecoder::Implementation {
 public:
  PageDecoder decoder;
};

BodyDecoder::BodyDecoder() : implementation_(std::make_unique<Implementation>()) {}
BodyDecoder::~BodyDecoder() = default;

std::string_view BodyDecoder::decode(std::string_view body, std::string_view content_type, PageFormat format) {
  return implementation_->decoder.decode(body, content_type, format, false).text;
}

class PageLineWriter::Implementation {
 public:
  ReadOptions fields;
  JsonWriter json;
};

PageLineWriter::PageLineWriter(const ReadOptions& fields) : implementation_(std::make_unique<Implementation>()) {
  implementation_->fields = fields;
}
PageLineWriter::~PageLineWriter() = default;

// A reader skips lines that are not valid UTF-8.
std::string PageLineWriter::line(const Page& page, std::string_view body) {
  JsonWriter& json = implementation_->json;
  const ReadOptions& fields = implementation_->fields;
  json.begin_object();
  const bool has_place = page.has_id_of_place && !fields.place_field.empty();
  json.member(has_place ? fields.place_field : fields.id_field, page.id);
  if (!page.url.empty() && is_valid_utf8(page.url)) json.member(fields.url_field, page.url);
  if (!page.date.empty() && is_valid_utf8(page.date)) json.member(fields.date_field, page.date);
  json.member(page.format == PageFormat::kHtml ? fields.html_field : fields.text_field, body);
  if (page.score && !fields.score_field.empty()) json.member(fields.score_field, ExactReal{*page.score});
  json.end_object();
  return json.take();
}

bool IdSet::insert(std::string_view id) {
  if ((size_ + 1) * 3 > slots_.size() * 2) grow();
  const Hash hash = hash_of(id);
  Hash& slot = slots_[place(hash)];
  if (slot == hash) return false;
  slot = hash;
  ++size_;
  return true;
}

bool IdSet::contains(std::string_view id) const {
  if (slots_.empty()) return false;
  const Hash hash = hash_of(id);
  return slots_[place(hash)] == hash;
}

// One bit is always set, which tells every hash from a free slot.
IdSet::Hash IdSet::hash_of(std::string_view id) {
  const Fingerprint128 hash = blake2b128(id);
  return {hash.high, hash.low | 1};
}

// The slot of the hash, or the free slot where it belongs. A third of the slots is always free, so this ends. Seeded,
// because ids whose hashes agree in a few bits are easily found.
std::size_t IdSet::place(const Hash& hash) const {
  std::size_t index = seeded_mix64(hash[0], process_hash_seed()) & (slots_.size() - 1);
  while (slots_[index] != Hash{} && slots_[index] != hash) index = (index + 1) & (slots_.size() - 1);
  return index;
}

void IdSet::grow() {
  constexpr std::size_t kFirstSlots = 1024;
  std::vector<Hash> before(std::max(kFirstSlots, slots_.size() * 2));
  before.swap(slots_);
  for (const Hash& hash : before) {
    if (hash != Hash{}) slots_[place(hash)] = hash;
  }
}

}  // namespace paraprint
