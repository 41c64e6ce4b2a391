// Which requests of a browser on the same machine are refused without a token.
#include "serve/client_admission.h"

#include <gtest/gtest.h>

#include "serve/service_fixture.h"

namespace paraprint {
namespace {

using ClientAdmissionTest = ServiceTest;

TEST_F(ClientAdmissionTest, CrossOriginRequestsAreRefused) {
  open();
  RequestHead head = head_of("GET", "/v1/stats", "", 0);
  head.origin = "http://127.0.0.1:8710";
  EXPECT_EQ(outcome(send(head, "")), "200");
  for (const char* origin : {"http://evil.example", "null", "http://127.0.0.1:9999"}) {
    head.origin = origin;
    EXPECT_EQ(outcome(send(head, "")), "403 foreign-origin") << origin;
  }
  head.origin.clear();
  for (const char* host : {"localhost:8710", "[::1]:8710", "127.0.0.9", ""}) {
    head.host = host;
    EXPECT_EQ(outcome(send(head, "")), "200") << host;
  }
  head.host = "rebound.example:8710";
  EXPECT_EQ(outcome(send(head, "")), "403 foreign-origin");
}

// A page of another site that a browser shows cannot read the answer to its images and frames, but could keep the
// service busy with them. They have no Origin.
TEST_F(ClientAdmissionTest, RequestsThatOtherSitesMakeInABrowserAreRefused) {
  const auto outcome_of = [&](const char* site, const char* mode, const char* destination, const char* purpose = "") {
    RequestHead head = head_of("GET", "/v1/stats", "", 0);
    head.fetch_site = site;
    head.fetch_mode = mode;
    head.fetch_destination = destination;
    head.fetch_purpose = purpose;
    return outcome(send(head, ""));
  };
  open();
  EXPECT_EQ(outcome_of("same-origin", "cors", "empty"), "200");
  EXPECT_EQ(outcome_of("none", "navigate", "document"), "200");
  for (const char* site : {"cross-site", "same-site", "cross-site, same-origin"}) {
    EXPECT_EQ(outcome_of(site, "navigate", "document"), "200") << site;  // its reader follows a link
    for (const char* destination : {"image", "iframe", "empty", "script", "style", "document"}) {
      EXPECT_EQ(outcome_of(site, "no-cors", destination), "403 foreign-origin") << site << destination;
    }
    EXPECT_EQ(outcome_of(site, "navigate", "iframe"), "403 foreign-origin") << site;
    EXPECT_EQ(outcome_of(site, "navigate", "document", "prefetch"), "403 foreign-origin") << site;
    EXPECT_EQ(outcome_of(site, "", ""), "403 foreign-origin") << site;
  }
  ServeOptions options;
  options.data = folder_ / "with token";
  options.token = "0123456789abcdef";
  open(options);
  EXPECT_EQ(outcome_of("cross-site", "no-cors", "image"), "401 unauthorized");
}

}  // namespace
}  // namespace paraprint
