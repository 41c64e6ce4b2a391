// Which members of a WACZ file are inputs. Of two members with one name, the later one counts, as for other tools.
#include "archive/wacz_input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <simdjson.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "archive/archive_format.h"
#include "archive/content_stream.h"
#include "base/atomic_file.h"
#include "base/propagate.h"
#include "base/system_error.h"
#include "http/header_block.h"
#include "text/utf8.h"
#include "zip/zip_file_bytes.h"

namespace paraprint::inline archive {
namespace {

constexpr std::string_view kArchiveFolder = "archive/";
constexpr std::string_view kPackageName = "datapackage.json";
constexpr std::string_view kRecoveredName = "/recovered.warc.gz";
constexpr std::size_t kMissingMembersListed = 100;
constexpr std::size_t kManifestPieceBytes = std::size_t{64} << 10;

bool is_warc_name(std::string_view name) {
  const std::string lower = to_lower(name);
  return std::any_of(kCompressionEndings.begin(), kCompressionEndings.end(), [&](std::string_view compression) {
    if (!lower.ends_with(compression)) return false;
    const std::string_view stem = std::string_view(lower).substr(0, lower.size() - compression.size());
    const auto ends_stem = [&](std::string_view ending) { return stem.ends_with(ending); };
    return std::any_of(kWarcFormat.names.begin(), kWarcFormat.names.end(), ends_stem) ||
           std::any_of(kArcFormat.names.begin(), kArcFormat.names.end(), ends_stem);
  });
}

// Whether the character is a part of names on every system.
bool is_safe_character(char c) {
  return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f && c != '\\' && c != ':';
}

// Whether the name stays below a folder on every system.
bool is_safe_name(std::string_view name) {
  if (!std::all_of(name.begin(), name.end(), is_safe_character)) return false;
  while (true) {
    const std::size_t end = std::min(name.find('/'), name.size());
    const std::string_view part = name.substr(0, end);
    if (part.empty() || part == "." || part == ".." || part.size() > kWaczNameBytesMaximum) return false;
    if (end == name.size()) return true;
    name.remove_prefix(end + 1);
  }
}

// Why a member is not an input although it looks like one; empty for all others.
std::string_view refusal_of(std::string_view name) {
  const bool is_in_archive = name.starts_with(kArchiveFolder);
  const bool is_warc = is_warc_name(name);
  const std::string lower = to_lower(name);
  const bool is_wacz = lower.ends_with(kWaczEnding);
  if (!is_in_archive && !is_warc && !is_wacz) return {};
  if (!is_safe_name(name)) return "its name could lead out of a folder";
  if (is_wacz) return "a WACZ file within another one is not read";
  if (!is_in_archive) return "it is a WARC file outside of archive/";
  return is_warc ? std::string_view() : "it is in archive/, but not named like a WARC file";
}

Error member_error(ErrorCode code, const std::string& path, std::string_view name, std::string_view what) {
  return {code, fmt::format("{}: the member '{}' is not read: {}", path, name, what)};
}

Defect unusable_member(const std::string& path, const ZipMember& member, std::string_view reason) {
  return {DefectKind::kUnusableMember,
          path,
          member.place.offset_bytes,
          0,
          0,
          fmt::format("the member '{}' is not read: {}", member.name, reason)};
}

// The whole content of a located member.
Result<std::string> read_content(const std::string& path, const std::shared_ptr<ByteSource>& source,
                                 const ZipMember& member, std::uint64_t max_bytes) {
  const auto fail = [&](ErrorCode code, std::string_view what) {
    return tl::unexpected<Error>(member_error(code, path, member.name, what));
  };
  if (!member.problem.empty()) return fail(ErrorCode::kCorruptData, member.problem);
  const ZipExpansionLimit limit{max_bytes, 1};
  PARAPRINT_ASSIGN(const std::unique_ptr<ZipMemberStream> stream,
                   ZipMemberStream::open(path, member.place, limit, source));
  std::string content;
  std::string piece(kManifestPieceBytes, '\0');
  while (true) {
    PARAPRINT_ASSIGN(const std::size_t got, stream->read(piece.data(), piece.size()));
    if (got == 0) break;
    if (got > max_bytes - content.size()) {
      return fail(ErrorCode::kLimitExceeded, fmt::format("it has more than {} bytes", max_bytes));
    }
    content.append(piece, 0, got);
  }
  PARAPRINT_ASSIGN(const std::optional<ZipProblem> problem, stream->check());
  if (problem) return fail(ErrorCode::kCorruptData, problem->message);
  return content;
}

// Collects what one directory says.
class Listing {
 public:
  Listing(const std::string& path, std::shared_ptr<ByteSource> source) : path_(path), source_(std::move(source)) {}

  Status read() {
    Result<ZipDirectory> directory = ZipDirectory::open(path_, source_);
    Status status = directory ? read_members(*directory) : Status(tl::unexpected<Error>(directory.error()));
    if (status) return finish(directory->file_bytes());
    if (status.error().code != ErrorCode::kCorruptData) return status;
    return recover(status.error().message);
  }
  WaczListing take() { return std::move(listing_); }

 private:
  Status read_members(ZipDirectory& directory) {
    for (;; ++members_) {
      PARAPRINT_ASSIGN(std::optional<ZipMember> member, directory.next());
      if (!member) return {};
      if (members_ == kMaxWaczMembers) {
        report(DefectKind::kBrokenDirectory, 0,
               fmt::format("the directory has more than {} members; the others are not read", kMaxWaczMembers));
        return {};
      }
      if (member->name.ends_with('/')) continue;
      const std::string_view refusal = refusal_of(member->name);
      const bool is_warc = refusal.empty() && member->name.starts_with(kArchiveFolder);
      if (!is_warc && refusal.empty() && member->name != kPackageName) continue;
      PARAPRINT_TRY(directory.locate(*member));
      if (member->problem.empty()) member->problem = refusal;
      if (member->name.starts_with(kArchiveFolder)) names_.insert(member->name);
      if (member->name == kPackageName) {
        package_ = std::move(*member);
      } else if (!member->problem.empty()) {
        refuse(*member, member->problem);
      } else {
        add_warc(std::move(*member));
      }
    }
  }

  void add_warc(ZipMember&& member) {
    const std::string name = member.name;
    const auto [at, is_new] = warcs_.try_emplace(name);
    if (!is_new) refuse(at->second, "a later member has the same name");
    at->second = std::move(member);
  }

  // Forged members can have the same bytes, so that a small file has endless records.
  void remove_overlaps() {
    std::vector<const ZipMember*> by_place;
    for (const auto& [name, member] : warcs_) by_place.push_back(&member);
    std::stable_sort(by_place.begin(), by_place.end(), [](const ZipMember* a, const ZipMember* b) {
      return a->place.offset_bytes < b->place.offset_bytes;
    });
    std::uint64_t end = 0;
    std::vector<std::string> overlapping;
    for (const ZipMember* member : by_place) {
      if (member->place.stored_bytes == 0) continue;
      if (member->place.offset_bytes < end) {
        refuse(*member, "its bytes belong to another member");
        overlapping.push_back(member->name);
      } else {
        end = member->place.offset_bytes + member->place.stored_bytes;
      }
    }
    for (const std::string& name : overlapping) warcs_.erase(name);
  }

  // Below a folder of output, a name is that of a file or of a folder, also while the file is written.
  void remove_folders() {
    const auto has_members = [&](std::string folder) {
      folder += '/';
      const auto first = warcs_.lower_bound(folder);
      return first != warcs_.end() && first->first.starts_with(folder);
    };
    for (auto at = warcs_.begin(); at != warcs_.end();) {
      const bool is_folder = has_members(at->first) || has_members(partial_path(at->first));
      if (is_folder) refuse(at->second, "other members have its name as their folder");
      at = is_folder ? warcs_.erase(at) : std::next(at);
    }
  }

  Status finish(std::uint64_t file_bytes) {
    remove_overlaps();
    remove_folders();
    PARAPRINT_TRY(check_package());
    if (names_.empty()) report(DefectKind::kMissingMember, 0, "there is no WARC file in archive/");
    std::uint64_t warc_bytes = 0;
    for (const auto& [name, member] : warcs_) warc_bytes += member.place.stored_bytes;
    add_input(InputKind::kWacz, "", file_bytes - std::min(file_bytes, warc_bytes));
    for (const auto& [name, member] : warcs_) {
      add_input(InputKind::kFile, "/" + name, member.place.stored_bytes).wacz = WaczPart{path_, member.place};
    }
    return {};
  }

  // Without a directory, the members are between bytes that no reader knows, as in any damaged file.
  Status recover(const std::string& reason) {
    listing_.defects.clear();
    report(DefectKind::kBrokenDirectory, 0, reason + "; the file is searched for compressed records");
    PARAPRINT_ASSIGN(const std::unique_ptr<ZipFileBytes> bytes, ZipFileBytes::open(path_, source_));
    add_input(InputKind::kWacz, "", 0);
    InputFile& whole = add_input(InputKind::kFile, std::string(kRecoveredName), bytes->size_bytes());
    whole.wacz = WaczPart{path_, {}, true};
    return {};
  }

  // datapackage.json lists all members. That those of archive/ are there is all that reading needs of it.
  Status check_package() {
    if (!package_) {
      report(DefectKind::kMissingMember, 0, fmt::format("there is no {}", kPackageName));
      return {};
    }
    const std::uint64_t limit_bytes = kMaxWaczPackageBytes + kMaxWaczPackageBytesPerMember * members_;
    const Result<std::string> text = read_content(path_, source_, *package_, limit_bytes);
    if (!text && (text.error().code == ErrorCode::kInputOutput || text.error().code == ErrorCode::kCancelled)) {
      return tl::unexpected<Error>(text.error());
    }
    if (!text) {
      report(DefectKind::kUnusableMember, package_->place.offset_bytes, text.error().message);
      return {};
    }
    simdjson::dom::parser parser;
    simdjson::dom::array resources;
    if (parser.parse(*text)["resources"].get(resources) != simdjson::SUCCESS) {
      report(DefectKind::kBadJson, package_->place.offset_bytes,
             fmt::format("{} is not an object with resources", kPackageName));
      return {};
    }
    std::uint64_t missing = 0;
    for (const simdjson::dom::element resource : resources) {
      std::string_view listed;
      if (resource["path"].get(listed) != simdjson::SUCCESS || !listed.starts_with(kArchiveFolder)) continue;
      if (names_.contains(listed)) continue;
      if (++missing > kMissingMembersListed) {
        ++listing_.defects.back().count;
      } else {
        report(DefectKind::kMissingMember, 0, fmt::format("{} lists '{}', which is missing", kPackageName, listed));
      }
    }
    return {};
  }

  InputFile& add_input(InputKind kind, const std::string& name, std::uint64_t size_bytes) {
    InputFile& input = listing_.inputs.emplace_back();
    input.kind = kind;
    input.path = path_ + name;
    input.size_bytes = size_bytes;
    input.source = source_;
    return input;
  }

  void refuse(const ZipMember& member, std::string_view reason) {
    listing_.defects.push_back(unusable_member(path_, member, reason));
  }

  void report(DefectKind kind, std::uint64_t offset_bytes, std::string message) {
    listing_.defects.push_back({kind, path_, offset_bytes, 0, 0, std::move(message)});
  }

  const std::string path_;
  const std::shared_ptr<ByteSource> source_;  // null for a file of this machine
  WaczListing listing_;
  std::map<std::string, ZipMember> warcs_;    // usable ones, by name
  std::set<std::string, std::less<>> names_;  // of all members in archive/
  std::uint64_t members_ = 0;                 // that the directory lists and were looked at
  std::optional<ZipMember> package_;
};

ZipExpansionLimit expansion_limit_of(const ReadOptions& options) {
  return {options.bomb_threshold_bytes, options.max_expansion_ratio};
}

DefectKind defect_of(ZipProblemKind kind) {
  switch (kind) {
    case ZipProblemKind::kBroken:
      return DefectKind::kBrokenCompression;
    case ZipProblemKind::kTruncated:
      return DefectKind::kTruncatedCompression;
    case ZipProblemKind::kBomb:
      return DefectKind::kCompressionBomb;
    case ZipProblemKind::kChecksum:
      return DefectKind::kBadChecksum;
  }
  return DefectKind::kBrokenCompression;
}

// Reported at the end, where a run that was resumed reports it, too, and no other one twice.
class CheckedReader final : public RecordReader {
 public:
  CheckedReader(std::unique_ptr<RecordReader> reader, std::shared_ptr<ZipMemberStream> member, std::string path,
                DefectSink sink)
      : reader_(std::move(reader)), member_(std::move(member)), path_(std::move(path)), sink_(std::move(sink)) {}

  Result<std::optional<RawRecord>> next() override {
    PARAPRINT_ASSIGN(std::optional<RawRecord> record, reader_->next());
    if (!record && !std::exchange(is_checked_, true)) {
      PARAPRINT_ASSIGN(const std::optional<ZipProblem> problem, member_->check());
      if (problem) sink_({defect_of(problem->kind), path_, 0, 0, 0, problem->message});
    }
    return record;
  }
  ResumePoint position() const override { return reader_->position(); }
  Status resume(const ResumePoint& point) override { return reader_->resume(point); }
  void keep_everything() override { reader_->keep_everything(); }
  void digest_oversized(PayloadObserver* observer) override { reader_->digest_oversized(observer); }
  ArchiveFormat format() const override { return reader_->format(); }
  Compression compression() const override { return reader_->compression(); }
  std::uint64_t stored_bytes_read() const override { return reader_->stored_bytes_read(); }

 private:
  std::unique_ptr<RecordReader> reader_;
  std::shared_ptr<ZipMemberStream> member_;
  std::string path_;
  DefectSink sink_;
  bool is_checked_ = false;
};

}  // namespace

// Of a member, or of the directory if there is none.
bool is_zip_start(std::string_view start) {
  return start.starts_with("PK\x03\x04") || start.starts_with("PK\x05\x06");
}

std::string safe_wacz_name(std::string_view name) {
  std::string safe(name);
  for (std::size_t at = 0; at < safe.size();) {
    const DecodedCharacter character = decode_character(safe.data() + at, safe.data() + safe.size());
    const bool is_usable = character.code_point != kInvalidCharacter && is_safe_character(safe[at]) && safe[at] != '/';
    if (!is_usable) safe[at] = '_';
    at += character.size_bytes;
  }
  return safe;
}

Result<bool> is_zip_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return tl::unexpected<Error>(system_error("open", path, errno));
  std::array<char, kZipStartBytes> start{};
  ssize_t got = 0;
  do {
    got = ::read(descriptor, start.data(), start.size());
  } while (got < 0 && errno == EINTR);
  ::close(descriptor);
  // That a file cannot be read is for its reader to say.
  return is_zip_start(std::string_view(start.data(), got > 0 ? static_cast<std::size_t>(got) : 0));
}

Result<WaczListing> list_wacz(const std::string& path, std::shared_ptr<ByteSource> source) {
  Listing listing(path, std::move(source));
  PARAPRINT_TRY(listing.read());
  return listing.take();
}

// A directory that cannot be read has no members: that it is damaged is reported where its inputs are listed.
Result<std::optional<InputWindow>> open_wacz_member(const std::string& path, std::string_view name,
                                                    const ReadOptions& options, std::shared_ptr<ByteSource> source,
                                                    const DefectSink& sink) {
  const auto is_damage = [](const Error& error) { return error.code == ErrorCode::kCorruptData; };
  Result<ZipDirectory> directory = ZipDirectory::open(path, source);
  if (!directory && is_damage(directory.error())) return std::optional<InputWindow>{};
  PARAPRINT_TRY(directory);
  std::optional<ZipMember> found;
  for (std::uint64_t count = 0; count < kMaxWaczMembers; ++count) {
    Result<std::optional<ZipMember>> member = directory->next();
    if (!member && is_damage(member.error())) break;
    PARAPRINT_TRY(member);
    if (!member->has_value()) break;
    if ((*member)->name != name) continue;
    PARAPRINT_TRY(directory->locate(**member));
    found = std::move(**member);
  }
  if (!found) return std::optional<InputWindow>{};
  const auto refuse = [&](std::string_view reason) {
    sink(unusable_member(path, *found, reason));
    return std::optional<InputWindow>{};
  };
  if (!found->problem.empty()) return refuse(found->problem);
  PARAPRINT_ASSIGN(std::shared_ptr<ZipMemberStream> stream,
                   ZipMemberStream::open(path, found->place, expansion_limit_of(options), std::move(source)));
  PARAPRINT_ASSIGN(const std::optional<ZipProblem> problem, stream->check());
  if (problem) return refuse(problem->message);
  PARAPRINT_TRY(stream->seek(0));
  return std::optional(InputWindow(fmt::format("{}/{}", path, name), std::move(stream)));
}

Result<StoredInput> open_stored(const InputFile& input, const ReadOptions& options) {
  if (!input.wacz || input.wacz->is_recovered) {
    if (input.source != nullptr) return StoredInput{InputWindow(input.stored_path(), input.source), nullptr};
    PARAPRINT_ASSIGN(InputWindow window, InputWindow::open(input.stored_path()));
    return StoredInput{std::move(window), nullptr};
  }
  PARAPRINT_ASSIGN(
      std::shared_ptr<ZipMemberStream> member,
      ZipMemberStream::open(input.wacz->file, input.wacz->place, expansion_limit_of(options), input.source));
  return StoredInput{InputWindow(input.path, member), member};
}

Result<std::unique_ptr<ContentStream>> open_stored_content(const InputFile& input, InputWindow window,
                                                           const ReadOptions& options, DefectSink sink) {
  if (input.wacz && input.wacz->is_recovered) return make_gzip_stream(std::move(window), options, std::move(sink));
  return open_content(std::move(window), options, std::move(sink));
}

std::unique_ptr<RecordReader> check_member_at_end(std::unique_ptr<RecordReader> reader,
                                                  std::shared_ptr<ZipMemberStream> member, const InputFile& input,
                                                  DefectSink sink) {
  if (member == nullptr) return reader;
  return std::make_unique<CheckedReader>(std::move(reader), std::move(member), input.path, std::move(sink));
}

}  // namespace paraprint::inline archive
