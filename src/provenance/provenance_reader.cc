// Lines come from a file that anybody may have edited, so each value has a kind and a range, and each line a size.
// Lines are found in blocks; one that is too long is passed over without being kept.
#include "provenance/provenance_reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <simdjson.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/propagate.h"
#include "base/stop.h"
#include "base/system_error.h"

namespace paraprint::inline provenance {
namespace {

using simdjson::SUCCESS;

constexpr std::size_t kBlockBytes = std::size_t{256} << 10;
constexpr std::size_t kDayBytes = 10;
// Lines between two looks whether the command is asked to stop.
constexpr std::uint64_t kLinesPerLook = 4096;

constexpr std::array<std::pair<std::string_view, std::string OriginLine::*>, 9> kTexts = {{
    {"url", &OriginLine::url},
    {"date", &OriginLine::date},
    {"date_place", &OriginLine::date_place},
    {"modified", &OriginLine::modified},
    {"author", &OriginLine::author},
    {"site_name", &OriginLine::site_name},
    {"source_name", &OriginLine::source_name},
    {"source_url", &OriginLine::source_url},
    {"canonical_url", &OriginLine::canonical_url},
}};
constexpr std::array<std::pair<std::string_view, bool OriginLine::*>, 2> kTruths = {{
    {"is_traced", &OriginLine::is_traced},
    {"is_first", &OriginLine::is_first},
}};
constexpr std::array<std::pair<std::string_view, double OriginLine::*>, 2> kShares = {{
    {"confidence", &OriginLine::confidence},
    {"first_confidence", &OriginLine::first_confidence},
}};
constexpr std::array<std::pair<std::string_view, std::vector<std::string> OriginLine::*>, 3> kNameLists = {{
    {"reasons", &OriginLine::reasons},
    {"against", &OriginLine::against},
    {"problems", &OriginLine::problems},
}};

Status wrong_member(std::string_view name, std::string_view wanted) {
  return failure(ErrorCode::kCorruptData, fmt::format("\"{}\" is not {}", name, wanted));
}

// The members of a line. One that is missing leaves the value as it is.
class LineMembers {
 public:
  explicit LineMembers(simdjson::dom::object object) : object_(object) {}

  Status required(std::string_view name, std::string& text) const {
    std::string_view value;
    if (object_.at_key(name).get(value) != SUCCESS) return wrong_member(name, "there, or not a string");
    text = value;
    return {};
  }
  Status cluster(std::uint64_t& number) const {
    if (object_.at_key("cluster").get(number) != SUCCESS) return wrong_member("cluster", "there, or not a number");
    return {};
  }
  Status text(std::string_view name, std::string& text) const {
    simdjson::dom::element value;
    if (!find(name, value)) return {};
    std::string_view found;
    if (value.get(found) != SUCCESS) return wrong_member(name, "a string");
    text = found;
    return {};
  }
  Status truth(std::string_view name, bool& truth) const {
    simdjson::dom::element value;
    if (find(name, value) && value.get(truth) != SUCCESS) return wrong_member(name, "true or false");
    return {};
  }
  Status share(std::string_view name, double& share) const {
    simdjson::dom::element value;
    if (!find(name, value)) return {};
    if (value.get(share) != SUCCESS || !(share >= 0 && share <= 1)) return wrong_member(name, "a number from 0 to 1");
    return {};
  }
  Status names(std::string_view name, std::vector<std::string>& names) const {
    simdjson::dom::element value;
    if (!find(name, value)) return {};
    simdjson::dom::array list;
    if (value.get(list) != SUCCESS || list.size() > kOriginNamesMaximum) return wrong_member(name, "a short list");
    for (const simdjson::dom::element each : list) {
      std::string_view word;
      if (each.get(word) != SUCCESS || word.size() > kOriginNameBytesMaximum) {
        return wrong_member(name, "a list of names");
      }
      names.emplace_back(word);
    }
    return {};
  }
  // Null for the page that is first.
  Status source(std::optional<std::string>& id) const {
    simdjson::dom::element value;
    if (!find("copied_from", value) || value.is_null()) return {};
    std::string_view found;
    if (value.get(found) != SUCCESS) return wrong_member("copied_from", "an id or null");
    id = std::string(found);
    return {};
  }
  Status change(std::optional<TextChange>& change) const {
    simdjson::dom::element ignored;
    if (!find("added_characters", ignored)) return {};
    TextChange found;
    std::uint64_t paragraphs_added = 0;
    std::uint64_t paragraphs_lost = 0;
    for (const auto& [name, number] :
         {std::pair<std::string_view, std::uint64_t*>{"added_characters", &found.added_characters},
          {"lost_characters", &found.lost_characters},
          {"added_paragraphs", &paragraphs_added},
          {"lost_paragraphs", &paragraphs_lost}}) {
      if (object_.at_key(name).get(*number) != SUCCESS || *number > UINT32_MAX) return wrong_member(name, "a count");
    }
    found.added_paragraphs = static_cast<std::uint32_t>(paragraphs_added);
    found.lost_paragraphs = static_cast<std::uint32_t>(paragraphs_lost);
    change = found;
    return {};
  }

 private:
  bool find(std::string_view name, simdjson::dom::element& value) const {
    return object_.at_key(name).get(value) == SUCCESS;
  }

  simdjson::dom::object object_;
};

Status check_together(const OriginLine& origin) {
  if (origin.copied_from && *origin.copied_from == origin.id) {
    return failure(ErrorCode::kCorruptData, "the page is copied from itself");
  }
  if (!origin.is_traced && origin.copied_from) {
    return failure(ErrorCode::kCorruptData, "the page has a source, but was not traced");
  }
  return {};
}

}  // namespace

std::string_view published_day(const OriginLine& origin) {
  const std::string_view day = std::string_view(origin.date).substr(0, kDayBytes);
  constexpr std::string_view kForm = "0000-00-00";
  if (day.size() < kDayBytes) return {};
  for (std::size_t i = 0; i < kDayBytes; ++i) {
    if (kForm[i] == '-' ? day[i] != '-' : day[i] < '0' || day[i] > '9') return {};
  }
  for (const StatementProblem problem : {StatementProblem::kDateInFuture, StatementProblem::kDateBeforeWeb}) {
    if (std::find(origin.problems.begin(), origin.problems.end(), problem_name(problem)) != origin.problems.end()) {
      return {};
    }
  }
  return day;
}

struct ProvenanceParser::Implementation {
  simdjson::dom::parser parser{kProvenanceLineBytesMaximum};
};

ProvenanceParser::ProvenanceParser() : implementation_(std::make_unique<Implementation>()) {}
ProvenanceParser::~ProvenanceParser() = default;

Status ProvenanceParser::parse(std::string_view line, OriginLine& origin) {
  origin = {};
  simdjson::dom::object object;
  const simdjson::error_code parsed = implementation_->parser.parse(line.data(), line.size()).get(object);
  if (parsed == simdjson::MEMALLOC) {
    // It has some of its memory, takes that for all of it, and would use what it has not.
    implementation_->parser = simdjson::dom::parser(kProvenanceLineBytesMaximum);
    throw std::bad_alloc();
  }
  if (parsed != SUCCESS) return failure(ErrorCode::kCorruptData, "not a JSON object");
  const LineMembers members(object);
  PARAPRINT_TRY(members.required("id", origin.id));
  PARAPRINT_TRY(members.cluster(origin.cluster));
  for (const auto& [name, member] : kTexts) PARAPRINT_TRY(members.text(name, origin.*member));
  for (const auto& [name, member] : kTruths) PARAPRINT_TRY(members.truth(name, origin.*member));
  for (const auto& [name, member] : kShares) PARAPRINT_TRY(members.share(name, origin.*member));
  for (const auto& [name, member] : kNameLists) PARAPRINT_TRY(members.names(name, origin.*member));
  PARAPRINT_TRY(members.source(origin.copied_from));
  PARAPRINT_TRY(members.change(origin.change));
  return check_together(origin);
}

Result<ProvenanceFile> ProvenanceFile::open(std::string path) {
  // Without O_NONBLOCK, opening a pipe would wait for its writer.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return tl::unexpected<Error>(system_error("open", path, errno));
  ProvenanceFile file(std::move(path), descriptor);
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return tl::unexpected<Error>(system_error("open", file.path_, errno));
  if (!S_ISREG(status.st_mode)) return failure(ErrorCode::kInvalidArgument, file.path_ + ": not a regular file");
  return file;
}

ProvenanceFile::ProvenanceFile(ProvenanceFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

ProvenanceFile::~ProvenanceFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

// Fewer bytes only at the end of the file.
Result<std::size_t> ProvenanceFile::read_at(std::uint64_t offset_bytes, char* into, std::size_t size_bytes) const {
  std::size_t done = 0;
  while (done < size_bytes) {
    const ssize_t got = ::pread(descriptor_, into + done, size_bytes - done, static_cast<off_t>(offset_bytes + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return tl::unexpected<Error>(system_error("read", path_, errno));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

Status ProvenanceFile::read(const VisitOrigin& visit, const RefuseLine& refuse) const {
  ProvenanceParser parser;
  OriginLine origin;
  std::vector<char> block(kBlockBytes);
  std::string line;
  ProvenancePlace place{1, 0, 0};
  std::uint64_t line_bytes = 0;  // more than line.size() of one that is too long
  const auto take = [&](std::string_view piece) {
    line_bytes += piece.size();
    if (line_bytes <= kProvenanceLineBytesMaximum) line += piece;
  };
  const auto end_line = [&]() -> Status {
    if (place.line % kLinesPerLook == 0) PARAPRINT_TRY(check_stop());
    place.size_bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(line_bytes, UINT32_MAX));
    Status taken;
    if (line_bytes > kProvenanceLineBytesMaximum) {
      taken = refuse(place, fmt::format("longer than {} bytes", kProvenanceLineBytesMaximum));
    } else if (!line.empty()) {
      const Status parsed = parser.parse(line, origin);
      taken = parsed ? visit(place, origin) : refuse(place, parsed.error().message);
    }
    PARAPRINT_TRY(taken);
    place = {place.line + 1, place.offset_bytes + line_bytes + 1, 0};
    line.clear();
    line_bytes = 0;
    return {};
  };
  for (std::uint64_t offset = 0;;) {
    PARAPRINT_ASSIGN(const std::size_t got, read_at(offset, block.data(), block.size()));
    std::string_view left(block.data(), got);
    for (std::size_t end = left.find('\n'); end != std::string_view::npos; end = left.find('\n')) {
      take(left.substr(0, end));
      PARAPRINT_TRY(end_line());
      left.remove_prefix(end + 1);
    }
    take(left);
    offset += got;
    if (got < block.size()) break;
  }
  // The last line of a file that was cut off.
  if (line_bytes > 0) PARAPRINT_TRY(end_line());
  return {};
}

Status ProvenanceFile::read_line(std::uint64_t offset_bytes, std::uint32_t size_bytes, ProvenanceParser& parser,
                                 OriginLine& origin) const {
  std::string line(std::min<std::size_t>(size_bytes, kProvenanceLineBytesMaximum), '\0');
  PARAPRINT_ASSIGN(const std::size_t got, read_at(offset_bytes, line.data(), line.size()));
  line.resize(got);
  const Status parsed = parser.parse(line, origin);
  if (parsed) return {};
  return failure(ErrorCode::kCorruptData, path_ + ": was changed since it was read");
}

std::string line_message(const std::string& path, std::uint64_t line, std::string_view reason) {
  return fmt::format("{}: line {}: {}", path, line, reason);
}

}  // namespace paraprint::inline provenance
