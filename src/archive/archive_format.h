// The table of input formats: how each is recognised, and what opens its reader.
//
// To add a format, write src/archive/<format>_reader.cc, which ends with the format's row, and add three entries here:
// an enumerator, the declaration of the row, and its place in kArchiveFormats. Folder search, detection, tests and the
// fuzzer walk the table. Survivors need nothing more: record_writer.h copies the stored bytes of a record. The elements
// of a list say which of their bytes separate them (RawRecord::separator_bytes).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "archive/record.h"

namespace paraprint::inline archive {

class ContentStream;
class RecordReader;
struct InputFile;

// What follows the ending of a format's name if the file is compressed; nothing if it is not.
inline constexpr std::array<std::string_view, 4> kCompressionEndings = {"", ".gz", ".zst", ".zstd"};

}  // namespace paraprint::inline archive

namespace paraprint {

struct ReadOptions;

}  // namespace paraprint

namespace paraprint::inline archive {

enum class ArchiveFormat : std::uint8_t { kWarc, kArc, kJsonLines, kHar, kPage, kPageFolder, kMemory, kUnknown };

// How a format is recognised. Each of the four kinds of evidence is tried for all formats before the next one. Content
// comes first, because names are often wrong and magic numbers hardly ever. A name decides before mere likeness: a WARC
// file whose first record is damaged may start with anything, including JSON.
struct ArchiveFormatRow {
  ArchiveFormat format = ArchiveFormat::kUnknown;
  // Whether content starts as no other format does; null if nothing is that certain. Must not need more bytes than the
  // first record's header.
  bool (*is_start)(std::string_view content) = nullptr;
  // Parts of file names. Folders are searched for files whose names end in one of them.
  std::span<const std::string_view> names = {};
  // Content that starts like this, apart from white space, is likely to have the format; empty: nothing is.
  std::string_view likely_start = {};
  // Parts of file names that decide if there is no other evidence.
  std::span<const std::string_view> weak_names = {};
  std::unique_ptr<RecordReader> (*open)(std::unique_ptr<ContentStream> stream, const InputFile& input,
                                        const ReadOptions& options, DefectSink sink) = nullptr;
};

extern const ArchiveFormatRow kWarcFormat;       // WARC 0.17 to 1.1 (ISO 28500), and WET: WARC with conversion records
extern const ArchiveFormatRow kArcFormat;        // ARC 1 (Internet Archive, 1996)
extern const ArchiveFormatRow kHarFormat;        // HTTP Archive 1.2: one JSON document with requests and responses
extern const ArchiveFormatRow kHtmlPageFormat;   // the file is a page
extern const ArchiveFormatRow kJsonLinesFormat;  // one object per line, with a page in one of its fields
extern const ArchiveFormatRow kTextPageFormat;   // the file is a page without markup

// In the order in which they are tried.
inline constexpr const ArchiveFormatRow* kArchiveFormats[] = {&kWarcFormat,     &kArcFormat,       &kHarFormat,
                                                              &kHtmlPageFormat, &kJsonLinesFormat, &kTextPageFormat};

}  // namespace paraprint::inline archive
