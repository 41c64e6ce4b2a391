// The service under kill -9 and load: clients on several connections add, replace and delete pages and record what was
// acknowledged; the service is killed at a random moment. Afterwards the index must be clean, and the next service must
// have and find every acknowledged change, with each page and each text exactly once.
//
//   service_kill_test [KILLS [SEED [PROGRAM]]]    default: 10 1. With PROGRAM, `PROGRAM serve` is killed instead of
//                                                 this program; it writes its search tables less often
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "paraprint/index.h"
#include "paraprint/serve.h"
#include "profile/profile_members.h"
#include "serve/plain_http_client.h"
#include "serve/service_fixture.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

constexpr std::uint32_t kClients = 4;
constexpr std::uint32_t kPages = 240;
constexpr std::uint32_t kVersions = 4;
constexpr std::uint32_t kDeleted = 0;  // the version of a page that is not stored

[[noreturn]] void fail(const std::string& message) {
  fmt::print(stderr, "service_kill_test: {}\n", message);
  std::exit(1);
}

// The service that is killed when no PROGRAM is given.
int serve_until_killed(const std::string& folder) {
  ServeOptions options;
  options.data = folder;
  options.port = 0;
  options.threads = kClients;
  options.log = ServiceLog::kErrors;
  options.index.sync = SyncMode::kAlways;
  options.index.head_pages = 64;  // search tables are written and merged all the time
  ServeEvents events;
  events.log = [](std::string_view line) { fmt::print(stderr, "{}\n", line); };
  if (const Status ended = serve(options, {}, events); !ended) fail(ended.error().message);
  return 0;
}

class KilledService {
 public:
  KilledService(const std::string& program, const std::string& folder) {
    int log[2];
    if (::pipe2(log, O_CLOEXEC) != 0) fail("cannot create a pipe");
    child_ = ::fork();
    if (child_ < 0) fail("cannot fork");
    if (child_ == 0) {
      ::dup2(log[1], STDERR_FILENO);
      if (program.empty()) {
        ::execl("/proc/self/exe", "service_kill_test", "--serve", folder.c_str(), nullptr);
      } else {
        ::execl(program.c_str(), "paraprint", "serve", "--data", folder.c_str(), "--port", "0", "--sync", "always",
                "--log", "errors", nullptr);
      }
      ::_exit(127);
    }
    ::close(log[1]);
    log_ = ::fdopen(log[0], "r");
  }
  ~KilledService() { std::fclose(log_); }
  KilledService(const KilledService&) = delete;
  KilledService& operator=(const KilledService&) = delete;

  // The service's port; waits until it listens.
  std::uint16_t port() {
    if (port_ != 0) return port_;
    std::string line(4096, '\0');
    if (std::fgets(line.data(), static_cast<int>(line.size()), log_) == nullptr) fail("the service ended on its own");
    line.resize(line.find('\0'));
    const std::string port = member_of(line, "port");
    if (port == "(none)") fail("the service is not listening: " + line);
    return port_ = static_cast<std::uint16_t>(std::stoul(port));
  }

  void kill() {
    ::kill(child_, SIGKILL);
    int status = 0;
    ::waitpid(child_, &status, 0);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) fail("the service ended on its own");
  }

 private:
  pid_t child_ = -1;
  std::FILE* log_ = nullptr;
  std::uint16_t port_ = 0;
};

std::string id_of(std::uint32_t page) {
  return fmt::format("page-{}", page);
}

// Pages 2n and 2n + 1, which belong to different clients, share the text of each version.
std::uint64_t text_of(std::uint32_t page, std::uint32_t version) {
  return std::uint64_t{version} * 100'000 + page / 2;
}

std::string body_of(std::uint64_t text) {
  return made_up_text(text, 2);
}

// The versions that each page may have: the last acknowledged one, or one that was requested after it.
using Possible = std::map<std::uint32_t, std::vector<std::uint32_t>>;

// Sends requests until the service is gone. No other client uses the same pages.
void ask_until_killed(std::uint16_t port, std::uint32_t client, std::uint64_t seed, Possible& possible,
                      std::string& complaint) {
  std::mt19937_64 random(seed);
  PlainHttpClient connection(port);
  while (complaint.empty()) {
    const auto page = static_cast<std::uint32_t>(random() % (kPages / kClients)) * kClients + client;
    const auto version = static_cast<std::uint32_t>(random() % (kVersions + 1));
    std::vector<std::uint32_t>& versions = possible[page];
    if (versions.empty()) versions.push_back(kDeleted);
    const bool was_there = versions.front() != kDeleted;  // certain, because only this client changes the page
    versions.push_back(version);
    const PlainHttpClient::Response answer =
        version == kDeleted
            ? connection.exchange(PlainHttpClient::request("DELETE", "/v1/pages/" + id_of(page), "", ""))
            : connection.exchange(PlainHttpClient::request("POST", "/v1/pages?id=" + id_of(page), "text/plain",
                                                           body_of(text_of(page, version))));
    if (answer.status == 0) return;
    if (answer.status == 503 && version != kDeleted) {  // others wait for search tables already; nothing was stored
      versions.pop_back();
      continue;
    }
    const int expected = version == kDeleted && !was_there ? 404 : 200;
    if (answer.status != expected) complaint = fmt::format("{} for {}: {}", answer.status, id_of(page), answer.body);
    versions.assign(1, version);
  }
}

class Checker {
 public:
  Checker() {
    Result<Profiler> profiler = Profiler::create({});
    if (!profiler) fail(profiler.error().message);
    profiler_.emplace(std::move(*profiler));
  }

  // Compares the service with `possible` and reduces that to what is stored, which the next kill must preserve.
  void check_service(std::uint16_t port, Possible& possible) {
    PlainHttpClient connection(port);
    std::uint64_t pages = 0;
    std::set<std::uint64_t> texts;
    for (auto& [page, versions] : possible) {
      const auto stored =
          connection.exchange(PlainHttpClient::request("GET", "/v1/pages/" + id_of(page) + "?profile=true", "", ""));
      if (stored.status != 200 && stored.status != 404) fail(fmt::format("{}: {}", id_of(page), stored.body));
      const std::string profile = stored.status == 404 ? "" : member_of(stored.body, "profile");
      settle(page, versions, profile);
      if (versions.front() == kDeleted) continue;
      ++pages;
      const std::uint64_t text = text_of(page, versions.front());
      if (!texts.insert(text).second) continue;
      const auto found =
          connection.exchange(PlainHttpClient::request("POST", "/v1/lookup", "text/plain", body_of(text)));
      if (found.status != 200 || member_of(found.body, "verdict") != "same") {
        fail(fmt::format("{} is not found: {}", id_of(page), found.body));
      }
    }
    const auto statistics = connection.exchange(PlainHttpClient::request("GET", "/v1/stats", "", ""));
    const std::string counts = member_of(statistics.body, "pages") + " " + member_of(statistics.body, "texts");
    const std::string expected = fmt::format("{} {}", pages, texts.size());
    if (counts != expected) fail(fmt::format("pages and texts: {} are stored, expected {}", counts, expected));
  }

 private:
  void settle(std::uint32_t page, std::vector<std::uint32_t>& versions, const std::string& profile) {
    for (const std::uint32_t version : versions) {
      if (profile != (version == kDeleted ? "" : profile_of(text_of(page, version)))) continue;
      versions.assign(1, version);
      return;
    }
    fail(fmt::format("{} differs from what was acknowledged", id_of(page)));
  }

  const std::string& profile_of(std::uint64_t text) {
    std::string& profile = profiles_[text];
    if (!profile.empty()) return profile;
    Page page;
    page.body = body_of(text);
    page.content_type = "text/plain";
    page.format = PageFormat::kPlainText;
    return profile = encoded_profile(profiler_->profile(page));
  }

  std::optional<Profiler> profiler_;
  std::map<std::uint64_t, std::string> profiles_;
};

// The same check as `paraprint index verify`.
void verify(const std::string& folder) {
  IndexOptions options;
  options.create_if_missing = false;
  Result<std::unique_ptr<PageIndex>> index = PageIndex::open(folder, options);
  // Killed before the index was created.
  if (!index && index.error().code == ErrorCode::kNotFound) return;
  if (!index) fail(index.error().message);
  const Result<VerifyOutcome> verification = (*index)->verify(true);
  if (!verification) fail(verification.error().message);
  if (!verification->is_clean()) fail(verification->findings.front().what);
}

int run(std::uint64_t kills, std::uint64_t seed, const std::string& program) {
  const TemporaryFolder folder;
  std::mt19937_64 random(seed);
  std::vector<Possible> possible(kClients);
  Possible all;
  Checker checker;
  for (std::uint64_t round = 0; round <= kills; ++round) {
    KilledService service(program, folder / "known");
    // One kill in eight comes while the index is being opened, the others while it changes.
    const bool is_early = round % 8 == 7 && round < kills;
    if (!is_early) {
      checker.check_service(service.port(), all);
      for (Possible& of_client : possible) {
        for (auto& [page, versions] : of_client) versions = all.at(page);
      }
    }
    if (round == kills) {
      service.kill();
      break;
    }
    std::vector<std::thread> clients;
    std::vector<std::string> complaints(kClients);
    for (std::uint32_t client = 0; client < kClients && !is_early; ++client) {
      clients.emplace_back(ask_until_killed, service.port(), client, random(), std::ref(possible[client]),
                           std::ref(complaints[client]));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % (is_early ? 60'000 : 300'000)));
    service.kill();
    for (std::thread& client : clients) client.join();
    for (const std::string& complaint : complaints) {
      if (!complaint.empty()) fail(complaint);
    }
    for (const Possible& of_client : possible) {
      for (const auto& [page, versions] : of_client) all[page] = versions;
    }
    verify(folder / "known");
  }
  fmt::print(
      "{} kills of a service, {} pages touched: nothing acknowledged was lost, no page or text is stored twice, every "
      "check was clean\n",
      kills, all.size());
  return 0;
}

}  // namespace
}  // namespace paraprint

int main(int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "10";
  if (first == "--serve" && argc > 2) return paraprint::serve_until_killed(argv[2]);
  return paraprint::run(std::stoull(first), argc > 2 ? std::stoull(argv[2]) : 1, argc > 3 ? argv[3] : "");
}
