// Compares /openapi.json with the router and the table of refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <set>
#include <string>

#include "paraprint/engine.h"
#include "serve/page_service.h"
#include "serve/refusal.h"
#include "serve/routes.h"

namespace paraprint {
namespace {

class DescriptionTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(parser_.parse(kServiceDescription).get(document_), simdjson::SUCCESS); }

  simdjson::dom::parser parser_;
  simdjson::dom::element document_;
};

TEST_F(DescriptionTest, ListsExactlyTheRoutes) {
  std::set<std::string> described;
  simdjson::dom::object paths;
  ASSERT_EQ(document_["paths"].get(paths), simdjson::SUCCESS);
  for (const auto& [path, item] : paths) {
    simdjson::dom::object calls;
    ASSERT_EQ(item.get(calls), simdjson::SUCCESS);
    for (const auto& [name, call] : calls) {
      if (name == "parameters") continue;
      std::string method(name);
      std::transform(method.begin(), method.end(), method.begin(), ::toupper);
      described.insert(method + " " + std::string(path));
      EXPECT_EQ(call["operationId"].is_string(), true) << path;
      EXPECT_EQ(call["responses"]["200"].error(), simdjson::SUCCESS) << path;
    }
  }
  std::set<std::string> routed;
  for (const Route& route : kRoutes) routed.insert(std::string(route.method) + " " + std::string(route.path));
  EXPECT_EQ(described, routed);
}

TEST_F(DescriptionTest, DescribesBodiesAndAuthentication) {
  for (const Route& route : kRoutes) {
    std::string method(route.method);
    std::transform(method.begin(), method.end(), method.begin(), ::tolower);
    const auto call = document_["paths"][route.path][method];
    EXPECT_EQ(call["requestBody"].error() == simdjson::SUCCESS, route.body != BodyKind::kNone) << route.path;
    EXPECT_EQ(call["security"].error() == simdjson::SUCCESS, !route.needs_token) << route.path;
  }
}

TEST_F(DescriptionTest, ListsEveryReason) {
  std::vector<std::string> described;
  for (const auto reason : document_["components"]["schemas"]["Error"]["properties"]["reason"]["enum"]) {
    described.emplace_back(reason.get_string().value());
  }
  std::vector<std::string> known;
  for (std::size_t i = 0; i < kRefusals; ++i) known.emplace_back(refusal_name(static_cast<Refusal>(i)));
  EXPECT_EQ(described, known);
}

TEST_F(DescriptionTest, AllReferencesResolve) {
  std::string_view text = kServiceDescription;
  constexpr std::string_view kMark = "\"$ref\": \"#";
  std::size_t references = 0;
  for (std::size_t at = text.find(kMark); at != std::string_view::npos; at = text.find(kMark, at + 1)) {
    const std::size_t begin = at + kMark.size();
    const std::string pointer(text.substr(begin, text.find('"', begin) - begin));
    EXPECT_EQ(document_.at_pointer(pointer).error(), simdjson::SUCCESS) << pointer;
    ++references;
  }
  EXPECT_GT(references, 30U);
}

TEST_F(DescriptionTest, HasTheProgramVersion) {
  EXPECT_EQ(document_["info"]["version"].get_string().value(), version());
}

}  // namespace
}  // namespace paraprint
