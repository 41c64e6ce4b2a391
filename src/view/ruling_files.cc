// Files are rewritten as a whole, complete or not at all: they are short, and people edit them by hand as well, so
// lines that are not understood here stay in them.
#include "view/ruling_files.h"

#include <algorithm>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "profile/pair_file.h"
#include "report/text_safety.h"

namespace paraprint::inline explorer {
namespace {

RulingFiles::PagePair ordered(std::uint32_t a, std::uint32_t b) {
  return {std::min(a, b), std::max(a, b)};
}

// A compressed file cannot be edited.
std::string path_of_rulings(const RunStore& store, const std::string& given, std::string_view name) {
  const bool is_plain = !given.empty() && !given.ends_with(".gz") && !given.ends_with(".zst");
  return is_plain ? given : store.options().output.out + "/" + std::string(name);
}

}  // namespace

RulingFiles::RulingFiles(const RunStore& store) : store_(store) {
  never_.path = path_of_rulings(store, store.options().survivors.never, "never.tsv");
  always_.path = path_of_rulings(store, store.options().survivors.always, "always.tsv");
}

Status RulingFiles::load() {
  PARAPRINT_TRY(load_file(never_));
  return load_file(always_);
}

Status RulingFiles::load_file(LoadedFile& file) {
  PARAPRINT_ASSIGN(const bool exists, path_exists(file.path));
  if (!exists) return {};
  PARAPRINT_ASSIGN(const PairFileCounts counts,
                   read_pair_file(file.path, store_.pages(), [&](std::uint32_t a, std::uint32_t b) -> Status {
                     if (file.known.insert(ordered(a, b)).second) file.pairs.push_back(ordered(a, b));
                     return {};
                   }));
  file.unknown = counts.unknown;
  PARAPRINT_ASSIGN(file.text, read_whole_file(file.path));
  if (!file.text.empty() && file.text.back() != '\n') file.text += '\n';
  return {};
}

std::string RulingFiles::line_of(std::uint32_t page_a, std::uint32_t page_b) const {
  std::string line;
  append_tsv_field(line, store_.pages().id(page_a));
  line += '\t';
  append_tsv_field(line, store_.pages().id(page_b));
  return line;
}

// Lines may have further columns.
std::string RulingFiles::without_pair(const std::string& text, std::uint32_t page_a, std::uint32_t page_b) const {
  const std::string forward = line_of(page_a, page_b);
  const std::string backward = line_of(page_b, page_a);
  const auto is_pair = [](std::string_view line, std::string_view pair) {
    return line.starts_with(pair) && (line.size() == pair.size() || line[pair.size()] == '\t');
  };
  std::string rest;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    if (!is_pair(line, forward) && !is_pair(line, backward)) rest.append(line).append("\n");
    begin = end + 1;
  }
  return rest;
}

PairRuling RulingFiles::find(std::uint32_t page_a, std::uint32_t page_b) const {
  const std::lock_guard lock(mutex_);
  const PagePair pair = ordered(page_a, page_b);
  if (never_.known.contains(pair)) return PairRuling::kNever;
  return always_.known.contains(pair) ? PairRuling::kAlways : PairRuling::kNone;
}

Status RulingFiles::rule(std::uint32_t page_a, std::uint32_t page_b, PairRuling ruling) {
  const PagePair pair = ordered(page_a, page_b);
  const std::lock_guard lock(mutex_);
  for (auto [file, of_file] : {std::pair(&never_, PairRuling::kNever), std::pair(&always_, PairRuling::kAlways)}) {
    const bool is_wanted = of_file == ruling;
    if (file->known.contains(pair) == is_wanted) continue;
    LoadedFile changed = *file;
    if (is_wanted) {
      changed.known.insert(pair);
      changed.pairs.push_back(pair);
      changed.text += line_of(pair.first, pair.second) + '\n';
    } else {
      changed.known.erase(pair);
      std::erase(changed.pairs, pair);
      changed.text = without_pair(changed.text, pair.first, pair.second);
    }
    PARAPRINT_TRY(write_file_atomically(changed.path, changed.text));
    *file = std::move(changed);
  }
  return {};
}

RulingFiles::RulingFile RulingFiles::never() const {
  const std::lock_guard lock(mutex_);
  return never_;
}

RulingFiles::RulingFile RulingFiles::always() const {
  const std::lock_guard lock(mutex_);
  return always_;
}

}  // namespace paraprint::inline explorer
