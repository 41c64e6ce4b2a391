// Reads provenance.jsonl (docs/provenance.md): for the report, which shows the largest clusters, and for the explorer,
// which keeps the places of lines and reads the ones that it shows again.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/result.h"
#include "provenance/provenance_lines.h"

namespace paraprint::inline provenance {

// A longer line is not one of this file: ids and addresses have a few kilobytes, statements half of one.
inline constexpr std::size_t kProvenanceLineBytesMaximum = std::size_t{1} << 20;
// Names in a list of reasons or problems, and the bytes of each. A later version may have names that this one does not
// know; they are passed on.
inline constexpr std::size_t kOriginNamesMaximum = 16;
inline constexpr std::size_t kOriginNameBytesMaximum = 40;

// What a line says of its page. Texts are empty if they are not stated.
struct OriginLine {
  std::string id;
  std::string url;
  std::uint64_t cluster = 0;
  std::string date;  // of publication, as stated: "2010-03-01", or with a time
  std::string date_place;
  std::string modified;
  std::string author;
  std::string site_name;
  std::string source_name;
  std::string source_url;
  std::string canonical_url;
  bool is_traced = false;
  std::optional<std::string> copied_from;  // id
  double confidence = 0;                   // in [0, 1]
  std::vector<std::string> reasons;
  std::vector<std::string> against;
  bool is_first = false;
  double first_confidence = 0;  // in [0, 1]
  std::vector<std::string> problems;
  std::optional<TextChange> change;
};

// The day of a date of publication, "2010-03-01". Empty if there is none, if it has another form, or if `problems` say
// that it cannot be right.
std::string_view published_day(const OriginLine& origin);

// Parses lines. Keeps its memory from line to line. Not thread-safe.
class ProvenanceParser {
 public:
  ProvenanceParser();
  ~ProvenanceParser();
  ProvenanceParser(const ProvenanceParser&) = delete;
  ProvenanceParser& operator=(const ProvenanceParser&) = delete;

  // Replaces `origin`. kCorruptData with what is wrong, for anything that is not such a line; members of other names
  // are ignored. Safe on any input.
  Status parse(std::string_view line, OriginLine& origin);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// A line of the file: where it is, and what it says.
struct ProvenancePlace {
  std::uint64_t line = 0;  // from 1
  std::uint64_t offset_bytes = 0;
  std::uint32_t size_bytes = 0;  // without the line feed
};

// An open file. It stays the same one if it is replaced, as every file of a run is by a later one.
class ProvenanceFile {
 public:
  // Errors: kNotFound, kPermissionDenied, kInputOutput; kInvalidArgument if it is not a regular file.
  static Result<ProvenanceFile> open(std::string path);
  ProvenanceFile(ProvenanceFile&& other) noexcept;
  ProvenanceFile& operator=(ProvenanceFile&&) = delete;
  ~ProvenanceFile();

  const std::string& path() const { return path_; }

  // Calls `visit` for every line in order, or `refuse` with the reason for one that is not a line of this file; an
  // empty line is passed over. Errors: those of both, which end the reading; kInputOutput. Memory: a block and a line.
  using VisitOrigin = std::function<Status(const ProvenancePlace& place, OriginLine& origin)>;
  using RefuseLine = std::function<Status(const ProvenancePlace& place, const std::string& reason)>;
  Status read(const VisitOrigin& visit, const RefuseLine& refuse) const;

  // Reads one line again. kCorruptData if the file was changed meanwhile; kInputOutput. Threads: any number, each with
  // a parser of its own.
  Status read_line(std::uint64_t offset_bytes, std::uint32_t size_bytes, ProvenanceParser& parser,
                   OriginLine& origin) const;

 private:
  ProvenanceFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  Result<std::size_t> read_at(std::uint64_t offset_bytes, char* into, std::size_t size_bytes) const;

  std::string path_;
  int descriptor_ = -1;
};

// "out/provenance.jsonl: line 7: not JSON"
std::string line_message(const std::string& path, std::uint64_t line, std::string_view reason);

}  // namespace paraprint::inline provenance
