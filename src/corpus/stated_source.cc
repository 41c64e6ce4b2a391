// A statement is one of a few phrases, followed by a name that ends where the next piece of a byline begins.
#include "corpus/stated_source.h"

#include <algorithm>
#include <array>
#include <string>

#include "http/header_block.h"
#include "text/utf8.h"

namespace paraprint::inline corpus {
namespace {

constexpr std::size_t kSourceNameBytesMaximum = 120;

constexpr std::string_view kSource = "source";
constexpr std::size_t kSourceLineBytesMaximum = 100;

struct SourcePhrase {
  std::string_view phrase;  // in lower case
  bool needs_colon;         // otherwise a name may follow at once
};

constexpr std::array<SourcePhrase, 30> kPhrases = {{{"来源于", false},
                                                    {"來源於", false},
                                                    {"来源", true},
                                                    {"來源", true},
                                                    {"稿源", true},
                                                    {"转载自", false},
                                                    {"轉載自", false},
                                                    {"转自", false},
                                                    {"轉自", false},
                                                    {"原文链接", true},
                                                    {"原文鏈接", true},
                                                    {"原文連結", true},
                                                    {"原文地址", true},
                                                    {"原文出处", true},
                                                    {"原文出處", true},
                                                    {"原文", true},
                                                    {"原载于", false},
                                                    {"原載於", false},
                                                    {"originally published at", false},
                                                    {"originally published in", false},
                                                    {"originally published on", false},
                                                    {"originally published by", false},
                                                    {"originally posted at", false},
                                                    {"originally posted on", false},
                                                    {"originally appeared in", false},
                                                    {"originally appeared on", false},
                                                    {"reprinted from", false},
                                                    {"republished from", false},
                                                    {"cross-posted from", false},
                                                    {kSource, true}}};

// What may stand directly before a phrase that is a word of its own language.
constexpr std::array<std::string_view, 8> kBefore = {"文章", "本文", "信息", "新闻", "新聞", "稿件", "内容", "資料"};
// Statements about all pages of a site begin like this.
constexpr std::array<std::string_view, 8> kGeneralBefore = {"凡", "注明", "註明", "标注", "未注", "“", "\"", "「"};
// Where a name ends.
constexpr std::array<std::string_view, 25> kEnds = {
    "作者", "编辑", "編輯", "责任", "責任", "字号", "字號", "发表", "發表", "发布", "时间", "日期", "分享",
    "打印", "列印", "】",   "）",   "，",   "。",   "；",   "｜",   "|",    "版权", "版權", "记者"};
constexpr std::array<std::string_view, 13> kNobody = {"网络", "網絡", "網路", "互联网", "互聯網", "本站", "本网",
                                                      "原创", "原創", "转载", "轉載",   "不详",   "--"};

bool is_latin_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Whether a phrase that begins at `at` is said of this page: it begins the line, follows a sign, or a word for "text".
bool is_said_of_page(std::string_view line, std::size_t at) {
  const std::string_view before = line.substr(0, at);
  for (const std::string_view general : kGeneralBefore) {
    if (before.size() >= general.size() && before.find(general) != std::string_view::npos) return false;
  }
  for (const std::string_view word : kBefore) {
    if (before.ends_with(word)) return true;
  }
  if (before.empty()) return true;
  const char last = before.back();
  const bool is_after_letter =
      (static_cast<unsigned char>(last) >= 0x80 && !before.ends_with("　")) || is_latin_letter(last) || last == '%';
  return !is_after_letter;
}

// Skips spaces and opening signs. Returns whether a colon was among them.
bool skip_signs(std::string_view line, std::size_t& at) {
  bool has_colon = false;
  while (at < line.size()) {
    const auto skip = [&](std::string_view sign) {
      if (!line.substr(at).starts_with(sign)) return false;
      at += sign.size();
      return true;
    };
    if (skip(":") || skip("：")) {
      has_colon = true;
    } else if (!skip(" ") && !skip("\u00A0") && !skip("　") && !skip("[") && !skip("【") && !skip("《") && !skip("“") &&
               !skip("\"")) {
      break;
    }
  }
  return has_colon;
}

// A Chinese name ends at a space too, one in Latin letters does not.
std::string_view name_at(std::string_view line, std::size_t begin) {
  std::size_t end = std::min(line.size(), begin + kSourceNameBytesMaximum);
  const bool is_address = line.substr(begin).starts_with("http");
  const bool is_latin = begin < line.size() && static_cast<unsigned char>(line[begin]) < 0x80;
  if (is_address || !is_latin) end = std::min(end, line.find_first_of(" \t", begin));
  if (!is_latin) end = std::min(end, line.find_first_of("0123456789", begin));
  for (const std::string_view stop : kEnds) end = std::min(end, line.find(stop, begin));
  for (const std::string_view stop : {"　", "\u00A0", "》", "]", "”", "\""})
    end = std::min(end, line.find(stop, begin));
  if (!is_address) end = std::min({end, line.find_first_of(",;()", begin), line.find(". ", begin)});
  std::string_view name = line.substr(begin, end - begin);
  while (!name.empty() && (name.back() == ' ' || name.back() == '.')) name.remove_suffix(1);
  // Cut at a character.
  while (!name.empty() && !is_valid_utf8(name)) name.remove_suffix(1);
  return name;
}

bool names_somebody(std::string_view name) {
  if (name.size() < 2) return false;
  for (const std::string_view nobody : kNobody) {
    if (name.starts_with(nobody)) return false;
  }
  return std::any_of(name.begin(), name.end(),
                     [](char c) { return is_latin_letter(c) || static_cast<unsigned char>(c) >= 0x80; });
}

// Whether any of the phrases can be in the line: each has one of these parts, and few lines have.
bool may_state_source(std::string_view line) {
  for (const std::string_view part : {"源", "自", "原", "iginally ", "IGINALLY ", "ed from ", "ed From ", "ED FROM "}) {
    if (line.find(part) != std::string_view::npos) return true;
  }
  return equals_ignoring_case(line.substr(0, kSource.size()), kSource);
}

}  // namespace

std::optional<StatedSource> find_stated_source(std::string_view line) {
  if (!may_state_source(line)) return std::nullopt;
  const std::string lowered = to_lower(line);
  std::optional<StatedSource> found;
  for (const SourcePhrase& each : kPhrases) {
    const std::size_t at = lowered.find(each.phrase);
    if (at == std::string::npos || !is_said_of_page(line, at)) continue;
    // In the middle of a sentence it is any source.
    if (each.phrase == kSource && (at > 0 || line.size() > kSourceLineBytesMaximum)) continue;
    std::size_t begin = at + each.phrase.size();
    const bool has_colon = skip_signs(line, begin);
    if (each.needs_colon && !has_colon) continue;
    const std::string_view name = name_at(line, begin);
    if (!names_somebody(name) || (found && begin >= found->begin_bytes)) continue;
    found = StatedSource{name, begin};
  }
  return found;
}

}  // namespace paraprint::inline corpus
