// Byte forms of what tasks exchange to compare pages with those of earlier runs, and of the tables in which these are
// kept (docs/formats/known-folder.md). Reading is safe on any input, as in distribute/records.h.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_codec.h"
#include "distribute/records.h"
#include "paraprint/model.h"

namespace paraprint::distribute::known {

// A page asks for the texts that have this key.
struct AskedKey {
  std::uint64_t key = 0;
  std::uint32_t page = 0;
  std::uint32_t weight = 0;  // characters that such a text has in common with the page
  bool is_text = false;      // the key of the whole text
  friend auto operator<=>(const AskedKey&, const AskedKey&) = default;
};
void write_asked_key(const AskedKey& asked, ByteWriter& out);
AskedKey read_asked_key(ByteReader& in);

// A page asks for the texts that have a similar fingerprint.
struct AskedFingerprint {
  Fingerprint128 fingerprint;
  std::uint32_t page = 0;
  std::uint32_t weight = 0;
  friend auto operator<=>(const AskedFingerprint&, const AskedFingerprint&) = default;
};
void write_asked_fingerprint(const AskedFingerprint& asked, ByteWriter& out);
AskedFingerprint read_asked_fingerprint(ByteReader& in);

// A text that has something in common with a page, for the owner of the page. Texts are numbered across all earlier
// runs, the oldest first.
struct KnownHit {
  std::uint32_t page = 0;
  std::uint8_t length_class = 0;  // of the text (store/search_keys.h)
  bool is_text = false;           // it has the key of the whole text
  bool is_by_sketch = false;      // they may have more in common than the weight
  std::uint64_t text = 0;         // kAnyText: texts that were left out, because a key has too many
  std::uint64_t weight = 0;
  friend auto operator<=>(const KnownHit&, const KnownHit&) = default;
};
inline constexpr std::uint64_t kAnyText = ~std::uint64_t{0};
void write_known_hit(const KnownHit& hit, ByteWriter& out);
KnownHit read_known_hit(ByteReader& in);

// A pair to compare, for the owner of the page.
struct KnownPair {
  std::uint32_t page = 0;
  std::uint64_t text = 0;
  friend auto operator<=>(const KnownPair&, const KnownPair&) = default;
};
void write_known_pair(const KnownPair& pair, ByteWriter& out);
KnownPair read_known_pair(ByteReader& in);

// A text that a task wants, for the task that reads it.
struct WantedText {
  std::uint64_t text = 0;
  std::uint32_t task = 0;
  friend auto operator<=>(const WantedText&, const WantedText&) = default;
};
void write_wanted_text(const WantedText& wanted, ByteWriter& out);
WantedText read_wanted_text(ByteReader& in);

// A page of an earlier run with the profile of its text. Views point into the bytes that were read.
struct KnownText {
  std::string_view id;
  std::string_view url;
  std::string_view date;
  std::uint64_t site = 0;
  std::vector<std::uint16_t> template_paragraphs;  // as of the run that added it; ascending
  std::string_view profile;                        // encoded
};
void write_known_text(const KnownText& text, ByteWriter& out);
KnownText read_known_text(ByteReader& in);

// A record as known texts are stored and sent: the number, and the record of write_known_text().
struct NumberedText {
  std::uint64_t text = 0;
  std::string_view record;
};
void write_numbered_text(const NumberedText& numbered, ByteWriter& out);
NumberedText read_numbered_text(ByteReader& in);

// A record of a block of "texts".
std::string known_text_record(std::uint32_t text, const KnownText& known);

}  // namespace paraprint::distribute::known
