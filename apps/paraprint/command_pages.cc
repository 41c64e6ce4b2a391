// extract and profile: one JSON line a page. And version.
#include <fmt/format.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cstdio>
#include <memory>

#include "commands.h"
#include "option_declarations.h"
#include "paraprint/engine.h"
#include "paraprint/index_json.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

using JsonLine = rapidjson::Writer<rapidjson::StringBuffer>;

void put(JsonLine& json, const char* name, std::string_view text) {
  json.Key(name);
  json.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

void put(JsonLine& json, const char* name, std::uint64_t number) {
  json.Key(name);
  json.Uint64(number);
}

struct PagesCommand {
  PageStreamOptions options;
  bool prints_text = false;
  bool prints_bytes = false;
  bool is_quiet = false;
};

std::string_view trimmed_end(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

Status print_text(const StreamedPage& page, bool as_text) {
  const std::string_view text = trimmed_end(page.content.text);
  if (as_text) return write_output_line(text);
  rapidjson::StringBuffer buffer;
  JsonLine json(buffer);
  json.StartObject();
  put(json, "id", page.page.id);
  if (!page.page.url.empty()) put(json, "url", page.page.url);
  if (!page.content.title.empty()) put(json, "title", page.content.title);
  put(json, "text", text);
  json.EndObject();
  return write_output_line({buffer.GetString(), buffer.GetSize()});
}

void put_fingerprint(JsonLine& json, const PageFingerprint& fingerprint) {
  static constexpr std::string_view kStates[] = {"usable", "short", "empty"};
  json.Key("fingerprint");
  json.StartObject();
  put(json, "state", kStates[static_cast<std::size_t>(fingerprint.state)]);
  json.Key("values");
  json.StartArray();
  for (const std::uint64_t value : fingerprint.values) json.String(fmt::format("{:016x}", value).c_str());
  json.EndArray();
  if (!fingerprint.weights.empty()) {
    json.Key("weights");
    json.StartArray();
    for (const float weight : fingerprint.weights) json.Double(weight);
    json.EndArray();
  }
  json.EndObject();
}

Status print_profile(const StreamedPage& page, std::string_view identity, bool with_bytes) {
  const Profile& profile = page.profile;
  rapidjson::StringBuffer buffer;
  JsonLine json(buffer);
  json.StartObject();
  put(json, "id", page.page.id);
  if (!page.page.url.empty()) put(json, "url", page.page.url);
  put(json, "settings", identity);
  put(json, "text_hash", fmt::format("{:016x}{:016x}", profile.text_hash[0], profile.text_hash[1]));
  put(json, "content_characters", std::uint64_t{profile.content_characters});
  json.Key("paragraphs");
  json.StartArray();
  for (const ParagraphProfile& paragraph : profile.paragraphs) {
    json.StartObject();
    put(json, "begin_bytes", std::uint64_t{paragraph.span.begin_bytes});
    put(json, "end_bytes", std::uint64_t{paragraph.span.end_bytes});
    put(json, "content_characters", std::uint64_t{paragraph.content_characters});
    put(json, "hash", fmt::format("{:016x}", paragraph.hash));
    if (paragraph.has_simhash) {
      put(json, "simhash", fmt::format("{:016x}{:016x}", paragraph.simhash.high, paragraph.simhash.low));
    }
    json.EndObject();
  }
  json.EndArray();
  json.Key("anchors");
  json.StartArray();
  for (const SentenceProfile& sentence : profile.sentences) {
    if (!sentence.is_anchor) continue;
    json.String(fmt::format("{:016x}", sentence.hash).c_str());
  }
  json.EndArray();
  if (with_bytes) put(json, "profile", encoded_profile(profile));
  if (page.fingerprint != PageFingerprint{}) put_fingerprint(json, page.fingerprint);
  json.EndObject();
  return write_output_line({buffer.GetString(), buffer.GetSize()});
}

int run_pages(const PagesCommand& command) {
  std::string identity;
  if (command.options.with_profiles) {
    Result<Profiler> profiler = Profiler::create(command.options.profile);
    if (!profiler) return report_error(profiler.error());
    identity = profiler->settings_identity();
  }
  const auto complain = [&](std::string_view line) {
    if (!command.is_quiet) print_line(line);
  };
  const Result<PageStreamOutcome> outcome = for_each_page(
      command.options,
      [&](const StreamedPage& page) {
        return command.options.with_profiles ? print_profile(page, identity, command.prints_bytes)
                                             : print_text(page, command.prints_text);
      },
      complain);
  if (!outcome) return report_error(outcome.error());
  if (Status written = flush_output(); !written) return report_error(written.error());
  return outcome->unreadable_inputs > 0 ? kUnreadableInput : kSuccess;
}

CLI::App* add_pages_command(CLI::App& app, Command& run, const char* name, const char* summary, bool with_profiles,
                            const std::shared_ptr<PagesCommand>& command) {
  CLI::App* pages = app.add_subcommand(name, summary);
  command->options.with_profiles = with_profiles;
  pages->add_option("--input,inputs", command->options.inputs, "WARC, JSONL or HTML files, folders of them, or -")
      ->required();
  pages->add_flag("--quiet", command->is_quiet, "Say nothing about broken records");
  pages->add_option("--threads", command->options.threads, "Threads; 0: one a processor")->capture_default_str();
  declare_profile(*pages, command->options.profile);
  declare_reading(*pages, command->options.reading);
  pages->callback([command, &run] { run = [command] { return run_pages(*command); }; });
  return pages;
}

}  // namespace

void add_extract_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<PagesCommand>();
  CLI::App* extract = add_pages_command(app, run, "extract", "Print the main content of pages", false, command);
  extract->add_flag("--text", command->prints_text, "Plain text instead of JSON lines");
  extract->footer(
      "Prints {\"id\",\"url\",\"title\",\"text\"} a line; the text has each paragraph on a line of its own.\n\n"
      "Examples:\n"
      "  paraprint extract --text page.html\n"
      "  paraprint extract pages.jsonl.gz > texts.jsonl\n"
      "  curl -s https://example.org/ | paraprint extract --text -");
}

void add_profile_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<PagesCommand>();
  CLI::App* profile = add_pages_command(app, run, "profile", "Print the fingerprints of pages", true, command);
  profile->add_flag("--bytes", command->prints_bytes,
                    "Also the byte form in base 64: what `paraprint serve` takes instead of a page");
  profile->footer("Example:\n  paraprint profile crawl.warc.gz > profiles.jsonl");
}

void add_version_command(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand("version", "Print the version and what decides fingerprints");
  command->footer("Example:\n  paraprint version");
  command->callback([&run] {
    run = [] {
      const Result<Profiler> profiler = Profiler::create(ProfileOptions{});
      if (!profiler) return report_error(profiler.error());
      fmt::print("paraprint {}\n{}\n", version(), profiler->settings_identity());
      return static_cast<int>(kSuccess);
    };
  });
}

}  // namespace paraprint::cli
