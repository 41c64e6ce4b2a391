// Plain forms: numbers of variable length where they are small, all bytes of hashes.
#include "distribute/known/known_records.h"

namespace paraprint::distribute::known {
namespace {

constexpr std::uint8_t kIsText = 1;
constexpr std::uint8_t kIsBySketch = 2;
constexpr std::uint8_t kHitFlags = 4;

}  // namespace

void write_asked_key(const AskedKey& asked, ByteWriter& out) {
  out.fixed(asked.key);
  out.variable(asked.page);
  out.variable(std::uint64_t{asked.weight} << 1 | (asked.is_text ? 1 : 0));
}

AskedKey read_asked_key(ByteReader& in) {
  AskedKey asked;
  asked.key = in.fixed<std::uint64_t>();
  asked.page = read_number(in);
  const std::uint64_t weight = in.variable_below(std::uint64_t{1} << 33);
  asked.weight = static_cast<std::uint32_t>(weight >> 1);
  asked.is_text = (weight & 1) != 0;
  return asked;
}

void write_asked_fingerprint(const AskedFingerprint& asked, ByteWriter& out) {
  out.fixed(asked.fingerprint.high);
  out.fixed(asked.fingerprint.low);
  out.variable(asked.page);
  out.variable(asked.weight);
}

AskedFingerprint read_asked_fingerprint(ByteReader& in) {
  AskedFingerprint asked;
  asked.fingerprint.high = in.fixed<std::uint64_t>();
  asked.fingerprint.low = in.fixed<std::uint64_t>();
  asked.page = read_number(in);
  asked.weight = read_number(in);
  return asked;
}

void write_known_hit(const KnownHit& hit, ByteWriter& out) {
  out.variable(hit.page);
  out.fixed(static_cast<std::uint8_t>((hit.is_text ? kIsText : 0) | (hit.is_by_sketch ? kIsBySketch : 0)));
  out.fixed(hit.length_class);
  out.variable(hit.text + 1);  // kAnyText becomes 0, which is short
  out.variable(hit.weight);
}

KnownHit read_known_hit(ByteReader& in) {
  KnownHit hit;
  hit.page = read_number(in);
  const auto flags = in.fixed<std::uint8_t>();
  if (flags >= kHitFlags) in.fail();
  hit.is_text = (flags & kIsText) != 0;
  hit.is_by_sketch = (flags & kIsBySketch) != 0;
  hit.length_class = in.fixed<std::uint8_t>();
  hit.text = in.variable() - 1;
  hit.weight = in.variable();
  return hit;
}

void write_known_pair(const KnownPair& pair, ByteWriter& out) {
  out.variable(pair.page);
  out.variable(pair.text);
}

KnownPair read_known_pair(ByteReader& in) {
  KnownPair pair;
  pair.page = read_number(in);
  pair.text = in.variable();
  return pair;
}

void write_wanted_text(const WantedText& wanted, ByteWriter& out) {
  out.variable(wanted.text);
  out.variable(wanted.task);
}

WantedText read_wanted_text(ByteReader& in) {
  WantedText wanted;
  wanted.text = in.variable();
  wanted.task = read_number(in);
  return wanted;
}

void write_known_text(const KnownText& text, ByteWriter& out) {
  for (const std::string_view name : {text.id, text.url, text.date}) out.text(name);
  out.fixed(text.site);
  out.variable(text.template_paragraphs.size());
  for (const std::uint16_t paragraph : text.template_paragraphs) out.variable(paragraph);
  out.text(text.profile);
}

KnownText read_known_text(ByteReader& in) {
  KnownText text;
  for (std::string_view* name : {&text.id, &text.url, &text.date}) *name = in.text();
  text.site = in.fixed<std::uint64_t>();
  const std::uint64_t count = in.variable_below(in.left_bytes() + 1);  // each takes a byte at least
  text.template_paragraphs.reserve(count);
  for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
    text.template_paragraphs.push_back(static_cast<std::uint16_t>(in.variable_below(1 << 16)));
  }
  text.profile = in.text();
  return text;
}

void write_numbered_text(const NumberedText& numbered, ByteWriter& out) {
  out.variable(numbered.text);
  out.text(numbered.record);
}

NumberedText read_numbered_text(ByteReader& in) {
  NumberedText numbered;
  numbered.text = in.variable();
  numbered.record = in.text();
  return numbered;
}

std::string known_text_record(std::uint32_t text, const KnownText& known) {
  std::string record;
  ByteWriter out(record);
  write_known_text(known, out);
  std::string numbered;
  ByteWriter numbered_out(numbered);
  write_numbered_text({text, record}, numbered_out);
  return numbered;
}

}  // namespace paraprint::distribute::known
