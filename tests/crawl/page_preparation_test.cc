// Preparation of pages, alone and on threads.
#include "crawl/page_preparation.h"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <string>
#include <vector>

#include "profile/profile_members.h"

namespace paraprint {
namespace {

FetchResult answer(int number, const std::string& type, const std::string& body) {
  FetchResult fetch;
  fetch.request.url = "http://a.example/" + std::to_string(number);
  fetch.http_status = 200;
  fetch.response_header = "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\n\r\n";
  fetch.body = body;
  fetch.began_at_seconds = 1'714'557'600;
  return fetch;
}

FetchResult page(int number) {
  std::string body = "<!DOCTYPE html><meta charset=utf-8><article>";
  for (int paragraph = 0; paragraph < 4; ++paragraph) {
    body += "<p>";
    for (int word = 0; word < 40; ++word) body += "word" + std::to_string(number * 1000 + paragraph * 50 + word) + " ";
    body += ".</p>";
  }
  return answer(number, "text/html", body + "</article><a href='/next" + std::to_string(number) + "'>next</a>");
}

void expect_same(const PreparedPage& one, const PreparedPage& other) {
  EXPECT_EQ(one.refusal, other.refusal);
  EXPECT_EQ(one.url, other.url);
  EXPECT_EQ(one.date, other.date);
  EXPECT_EQ(one.payload_digest, other.payload_digest);
  EXPECT_EQ(encoded_profile(one.profile), encoded_profile(other.profile));
  ASSERT_EQ(one.links.urls.size(), other.links.urls.size());
  for (std::size_t i = 0; i < one.links.urls.size(); ++i) EXPECT_EQ(one.links.urls[i].href, other.links.urls[i].href);
}

TEST(PagePreparation, PreparesPagesAndRefusesOtherContent) {
  const CrawlOptions options;
  const auto preparer = PagePreparer::create(options, "paraprint").value();
  const PreparedPage prepared = preparer->prepare(page(7)).value();
  EXPECT_EQ(prepared.refusal, CrawlReason::kNone);
  EXPECT_EQ(prepared.url, "http://a.example/7");
  EXPECT_EQ(prepared.date, "2024-05-01T10:00:00Z");
  EXPECT_GT(prepared.profile.content_characters, 500U);
  ASSERT_EQ(prepared.links.urls.size(), 1U);
  EXPECT_EQ(prepared.links.urls[0].href, "http://a.example/next7");
  EXPECT_EQ(preparer->prepare(answer(1, "image/png", "x"))->refusal, CrawlReason::kContentType);
  EXPECT_EQ(preparer->prepare(answer(2, "text/html", std::string(1000, '\0')))->refusal, CrawlReason::kNotText);
  EXPECT_EQ(preparer->prepare(answer(3, "text/html", ""))->refusal, CrawlReason::kNone);
  FetchResult closed = page(4);
  closed.response_header.insert(closed.response_header.size() - 2, "X-Robots-Tag: nofollow, noindex\r\n");
  const PreparedPage quiet = preparer->prepare(closed).value();
  EXPECT_TRUE(quiet.links.urls.empty());
  EXPECT_TRUE(quiet.links.is_noindex);
}

TEST(PagePreparation, ThreadsGiveTheSameResults) {
  const CrawlOptions options;
  std::atomic<int> woken = 0;
  const auto preparer = PagePreparer::create(options, "paraprint").value();
  std::deque<FetchResult> fetched;
  const auto pool = PreparationPool::create(options, "paraprint", [&] { ++woken; }).value();
  std::vector<std::shared_ptr<PreparationPool::Job>> jobs;
  constexpr int kPages = 60;
  for (int number = 0; number < kPages; ++number) jobs.push_back(pool->start(fetched.emplace_back(page(number))));
  for (int number = 0; number < kPages; ++number) {
    const auto at = static_cast<std::size_t>(number);
    std::optional<PreparedPage> prepared;
    while (!(prepared = pool->take(*jobs[at]))) std::this_thread::yield();
    expect_same(*prepared, preparer->prepare(fetched[at]).value());
    EXPECT_FALSE(pool->take(*jobs[at]));
  }
  while (woken < kPages) std::this_thread::yield();
}

TEST(PagePreparation, ALongPageIsLeftInTheMiddleWhenAsked) {
  const CrawlOptions options;
  const auto preparer = PagePreparer::create(options, "paraprint").value();
  std::string body = "<!DOCTYPE html><meta charset=utf-8>";
  while (body.size() < std::size_t{1} << 20) body += "<p>A paragraph of a long page.";
  const FetchResult fetch = answer(1, "text/html", body);
  const std::atomic<bool> stop{true};
  RunControl control;
  control.stop = &stop;
  EXPECT_EQ(preparer->prepare(fetch, control).error().code, ErrorCode::kCancelled);
  EXPECT_GT(preparer->prepare(fetch)->profile.content_characters, 100'000U);
}

// Jobs that were not begun are dropped.
TEST(PagePreparation, PoolCanBeDestroyedWithPendingWork) {
  const CrawlOptions options;
  std::deque<FetchResult> fetched;
  for (int round = 0; round < 5; ++round) {
    const auto pool = PreparationPool::create(options, "paraprint", [] {}).value();
    for (int number = 0; number < 20; ++number) pool->start(fetched.emplace_back(page(number)));
  }
}

}  // namespace
}  // namespace paraprint
