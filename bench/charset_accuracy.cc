// Compares charset detectors on real pages with their declarations hidden: the project's own, uchardet, both together
// ("mixed": uchardet decides among single-byte charsets) and ICU's.
//
// usage: charset_accuracy [--list] FILE...      archives or JSON lines; --list also prints each wrong answer
//
// Each case has one row per charset and script:
//
//   declared     pages that declare a charset, which is taken for the truth (a few declarations are wrong)
//   folder       pages that declare none, in a folder of their URL that is named after a charset (test collections)
//   undeclared   other pages that declare none, as if they were windows-1252, the default of the HTML standard
//   encoded      UTF-8 pages converted to the older charsets that their text fits into
//   short-N      the text of the pages of `declared` and `encoded` up to the Nth non-ASCII character
//
// An answer is right if the page decoded with it has the same text as with the true charset, so that charsets that
// differ only in characters the page lacks count alike. Without an answer ("undec.") the page is decoded as
// windows-1252, as the project's decoder does. Pages in ASCII have nothing to detect and are left out. Times are
// processor time of the detectors alone, the minimum of three alternating calls for each page. uchardet is left out if
// it was not installed at build time.
#include <fmt/format.h>
#include <unicode/ucsdet.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#ifdef PARAPRINT_HAS_UCHARDET
#include <uchardet/uchardet.h>
#endif

#include "archive/http_payload.h"
#include "archive/record_reader.h"
#include "base/processor_time.h"
#include "html/charset_declared.h"
#include "html/charset_detect.h"
#include "lab/simulate/charset_encode.h"
#include "text/script_name.h"
#include "text/utf8.h"

namespace {

using namespace paraprint;

// An answer is kCharsetUnknown if there is none, or if the Encoding Standard lacks the charset.
struct Detector {
  std::string_view name;
  std::function<Charset(std::string_view)> detect;
};

// The steps of PageDecoder that do without declarations.
Charset detect_with_own(CharsetDetector& detector, std::string_view body) {
  Charset charset = find_byte_order_mark(body).charset;
  if (charset == kCharsetUnknown) charset = detect_wide_charset(body);
  if (charset == kCharsetUnknown && is_valid_utf8(body)) {
    charset = has_iso_2022_jp_escapes(body) ? LXB_ENCODING_ISO_2022_JP : LXB_ENCODING_UTF_8;
  }
  if (charset == kCharsetUnknown) charset = detector.detect(body).charset;
  return charset;
}

#ifdef PARAPRINT_HAS_UCHARDET
Charset detect_with_uchardet(uchardet_t detector, std::string_view body) {
  uchardet_reset(detector);
  if (uchardet_handle_data(detector, body.data(), body.size()) != 0) return kCharsetUnknown;
  uchardet_data_end(detector);
  const std::string_view name = uchardet_get_charset(detector);
  return charset_of_label(name == "UHC" ? "euc-kr" : name);  // the standard's EUC-KR has the additions of UHC
}
#endif

Charset detect_with_icu(UCharsetDetector* detector, std::string_view body) {
  UErrorCode error = U_ZERO_ERROR;
  ucsdet_setText(detector, body.data(), static_cast<std::int32_t>(body.size()), &error);
  const UCharsetMatch* match = ucsdet_detect(detector, &error);
  if (U_FAILURE(error) || match == nullptr) return kCharsetUnknown;
  return charset_of_label(ucsdet_getName(match, &error));
}

std::vector<Detector> make_detectors() {
  std::vector<Detector> detectors;
  const auto own = std::make_shared<CharsetDetector>();
  detectors.push_back({"paraprint", [own](std::string_view body) { return detect_with_own(*own, body); }});
#ifdef PARAPRINT_HAS_UCHARDET
  const std::shared_ptr<uchardet> other(uchardet_new(), uchardet_delete);
  detectors.push_back({"uchardet", [other](std::string_view body) { return detect_with_uchardet(other.get(), body); }});
  detectors.push_back({"mixed", [own, other](std::string_view body) {
                         const Charset charset = detect_with_own(*own, body);
                         if (charset != kCharsetUnknown && !is_single_byte(charset)) return charset;
                         const Charset second = detect_with_uchardet(other.get(), body);
                         return second == kCharsetUnknown || is_single_byte(second) ? second : charset;
                       }});
#endif
  UErrorCode error = U_ZERO_ERROR;
  const std::shared_ptr<UCharsetDetector> icu(ucsdet_open(&error), ucsdet_close);
  ucsdet_enableInputFilter(icu.get(), true);  // omits markup
  detectors.push_back({"ICU", [icu](std::string_view body) { return detect_with_icu(icu.get(), body); }});
  return detectors;
}

struct Outcome {
  int right = 0;
  int undecided = 0;
  double seconds = 0;
};

struct Row {
  int pages = 0;
  std::vector<Outcome> outcomes;  // one a detector
};

bool is_ascii(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// The text between tags, only the pieces with characters beyond ASCII: what a detector can learn from, and what tells
// the script of the page. Scripts and styles count as text, which does no harm as they are mostly ASCII.
std::string foreign_text(std::string_view html) {
  std::string text;
  for (std::size_t i = 0; i < html.size();) {
    const std::size_t end = std::min(html.find('<', i), html.size());
    const std::string_view piece = html.substr(i, end - i);
    if (!is_ascii(piece)) text.append(piece).push_back(' ');
    i = std::min(html.find('>', end), html.size());
    if (i < html.size()) ++i;
  }
  return text;
}

// The beginning of `text` with `count` characters beyond ASCII; empty if it has fewer.
std::string_view beginning_of(std::string_view text, int count) {
  const char* const end = text.data() + text.size();
  for (const char* p = text.data(); p < end;) {
    const DecodedCharacter c = decode_character(p, end);
    p += c.size_bytes;
    if (c.code_point >= 0x80 && --count == 0) return text.substr(0, static_cast<std::size_t>(p - text.data()));
  }
  return {};
}

// Charsets that pages of a script were written in, by region; the first region whose charsets hold the text counts.
struct Region {
  std::string_view script;
  std::vector<std::string_view> charsets;
};
const std::vector<Region>& regions() {
  static const std::vector<Region> kRegions = {
      {"Latin", {"windows-1252", "iso-8859-15"}},
      {"Latin", {"windows-1250", "iso-8859-2"}},
      {"Latin", {"windows-1254"}},
      {"Cyrillic", {"windows-1251", "koi8-r", "iso-8859-5", "ibm866"}},
      {"Greek", {"windows-1253", "iso-8859-7"}},
      {"Hebrew", {"windows-1255"}},
      {"Arabic", {"windows-1256"}},
      {"Thai", {"windows-874"}},
      {"Han", {"big5"}},  // if it holds the text, it is Traditional Chinese
      {"Han", {"gb18030"}},
      {"Kana", {"shift_jis", "euc-jp"}},
      {"Hangul", {"euc-kr"}},
  };
  return kRegions;
}

// Characters that a charset lacks become references. More than one in a hundred: nobody would have used it.
std::optional<std::string> encode_if_fitting(std::string_view utf8, std::string_view label) {
  EncodedPage page = encode_page(utf8, label);
  if (page.references * 100 > page.characters || is_ascii(page.bytes)) return std::nullopt;
  return std::move(page.bytes);
}

// "windows-1255" of ".../windows-1255-hebrew/...". Names of letters only are skipped: "greek" is a label, too.
Charset charset_of_folder(std::string_view url) {
  for (std::size_t begin = url.find('/'); begin != std::string_view::npos; begin = url.find('/', begin + 1)) {
    const std::size_t end = url.find('/', begin + 1);
    if (end == std::string_view::npos) break;
    const std::string_view folder = url.substr(begin + 1, end - begin - 1);
    if (folder.find_first_of("0123456789-_") == std::string_view::npos) continue;
    for (const std::string_view label : {folder, folder.substr(0, folder.rfind('-'))}) {
      if (const Charset charset = charset_of_label(label); charset != kCharsetUnknown) return charset;
    }
  }
  return kCharsetUnknown;
}

class Comparison {
 public:
  explicit Comparison(bool lists_wrong) : detectors_(make_detectors()), lists_wrong_(lists_wrong) {}

  void add(const Page& page) {
    if (is_ascii(page.body) && !has_iso_2022_jp_escapes(page.body)) return;
    Charset truth = page.body_is_utf8 ? Charset{LXB_ENCODING_UTF_8} : charset_of_content_type(page.content_type);
    if (truth == kCharsetUnknown) truth = charset_of_markup(page.body);
    if (truth == kCharsetUnknown) {
      const Charset folder = charset_of_folder(page.url);
      const bool is_known = folder != kCharsetUnknown;
      add_case(is_known ? "folder" : "undeclared", is_known ? folder : Charset{LXB_ENCODING_WINDOWS_1252}, page.body,
               page);
      return;
    }
    if (!page.body_is_utf8) add_case("declared", truth, page.body, page);
    decoder_.decode(truth, page.body, text_);
    const std::string html = text_;
    const std::string foreign = foreign_text(html);
    if (truth == LXB_ENCODING_UTF_8) {
      add_encoded(html, foreign, page);
    } else if (can_encode(charset_name(truth))) {
      add_short(charset_name(truth), foreign, page);
    }
  }

  void print() const {
    fmt::print("{:<12}{:<14}{:<10}{:>6}", "case", "charset", "script", "pages");
    for (const Detector& detector : detectors_) fmt::print("  {:>9} {:>6} {:>6}", detector.name, "wrong", "undec.");
    fmt::print("\n");
    std::map<std::string, Row> sums;
    for (const auto& [key, row] : rows_) {
      const auto& [name, charset, script] = key;
      print_row(name, charset, script, row);
      Row& sum = sums[name];
      sum.outcomes.resize(detectors_.size());
      sum.pages += row.pages;
      for (std::size_t i = 0; i < detectors_.size(); ++i) {
        sum.outcomes[i].right += row.outcomes[i].right;
        sum.outcomes[i].undecided += row.outcomes[i].undecided;
        sum.outcomes[i].seconds += row.outcomes[i].seconds;
      }
    }
    fmt::print("\n");
    for (const auto& [name, sum] : sums) print_row(name, "all", "", sum);
    fmt::print("\ntime in seconds, and as a multiple of the first\n");
    for (const auto& [name, sum] : sums) {
      fmt::print("{:<12}", name);
      for (const Outcome& outcome : sum.outcomes) {
        fmt::print("  {:>9.3f} {:>6.2f}", outcome.seconds, outcome.seconds / sum.outcomes.front().seconds);
      }
      fmt::print("\n");
    }
  }

 private:
  using Key = std::tuple<std::string, std::string, std::string>;  // case, charset, script

  void add_encoded(std::string_view html, std::string_view foreign, const Page& page) {
    const std::string_view script = script_name(foreign);
    bool is_done = false;
    for (const Region& region : regions()) {
      if (region.script != script || is_done) continue;
      for (const std::string_view label : region.charsets) {
        const std::optional<std::string> bytes = encode_if_fitting(html, label);
        if (!bytes) continue;
        is_done = true;
        add_case("encoded", charset_of_label(label), *bytes, page);
        add_short(label, foreign, page);
      }
    }
  }

  void add_short(std::string_view label, std::string_view foreign, const Page& page) {
    for (const int count : {4, 16, 64}) {
      const std::string_view text = beginning_of(foreign, count);
      if (text.empty()) continue;
      const std::optional<std::string> bytes = encode_if_fitting(text, label);
      if (bytes) add_case(fmt::format("short-{:02}", count), charset_of_label(label), *bytes, page);
    }
  }

  void add_case(std::string_view name, Charset truth, std::string_view bytes, const Page& page) {
    decoder_.decode(truth, bytes, text_);
    const std::string script(script_name(foreign_text(text_)));
    Row& row = rows_[{std::string(name), std::string(charset_name(truth)), script}];
    row.outcomes.resize(detectors_.size());
    ++row.pages;
    std::vector<double> seconds(detectors_.size(), std::numeric_limits<double>::infinity());
    std::vector<Charset> answers(detectors_.size());
    constexpr int kRounds = 3;
    for (int round = 0; round < kRounds; ++round) {
      for (std::size_t i = 0; i < detectors_.size(); ++i) {
        const double begin = thread_processor_seconds();
        answers[i] = detectors_[i].detect(bytes);
        seconds[i] = std::min(seconds[i], thread_processor_seconds() - begin);
      }
    }
    for (std::size_t i = 0; i < detectors_.size(); ++i) {
      row.outcomes[i].seconds += seconds[i];
      const bool is_decided = answers[i] != kCharsetUnknown;
      row.outcomes[i].undecided += is_decided ? 0 : 1;
      if (has_true_text(is_decided ? answers[i] : Charset{LXB_ENCODING_WINDOWS_1252}, bytes)) {
        ++row.outcomes[i].right;
      } else if (lists_wrong_) {
        fmt::print("# {} {} {} {}: {}\n", name, charset_name(truth), detectors_[i].name,
                   is_decided ? charset_name(answers[i]) : "undecided", page.url.empty() ? page.id : page.url);
      }
    }
  }

  // Compares with `text_`, the text in the true charset.
  bool has_true_text(Charset charset, std::string_view bytes) {
    decoder_.decode(charset, bytes, other_text_);
    return other_text_ == text_;
  }

  void print_row(std::string_view name, std::string_view charset, std::string_view script, const Row& row) const {
    fmt::print("{:<12}{:<14}{:<10}{:>6}", name, charset, script, row.pages);
    for (const Outcome& outcome : row.outcomes) {
      fmt::print("  {:>8.1f}% {:>6} {:>6}", 100.0 * outcome.right / row.pages, row.pages - outcome.right,
                 outcome.undecided);
    }
    fmt::print("\n");
  }

  std::vector<Detector> detectors_;
  bool lists_wrong_;
  std::map<Key, Row> rows_;
  CharsetDecoder decoder_;
  std::string text_;
  std::string other_text_;
};

// False if the file cannot be read.
bool add_pages(const std::string& path, Comparison& comparison) {
  const ReadOptions options;
  InputFile input;
  input.path = path;
  input.size_bytes = std::filesystem::file_size(path);
  auto reader = open_records(input, options, [](Defect) {});
  if (!reader) return false;
  while (true) {
    Result<std::optional<RawRecord>> record = (*reader)->next();
    if (!record) return false;
    if (!record->has_value()) return true;
    if ((*record)->kind != RecordKind::kPage) continue;
    const DecodedRecord decoded = decode_page(std::move(**record), options, path);
    if (decoded.outcome == PageOutcome::kAccepted) comparison.add(decoded.page);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> paths(argv + 1, argv + argc);
  const auto list = std::find(paths.begin(), paths.end(), "--list");
  const bool lists_wrong = list != paths.end();
  if (lists_wrong) paths.erase(list);
  Comparison comparison(lists_wrong);
  for (const std::string& path : paths) {
    if (add_pages(path, comparison)) continue;
    fmt::print(stderr, "charset_accuracy: cannot read {}\n", path);
    return 1;
  }
  comparison.print();
  return 0;
}
