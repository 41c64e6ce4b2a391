// Made-up pages for the tests of distributed runs.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace paraprint {

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

// Articles of made-up words in the templates of a few sites, with copies edited in several ways.
class World {
 public:
  explicit World(std::uint32_t seed) : random_(seed) {}

  std::string json_lines(std::size_t pages) {
    std::string lines;
    std::vector<std::vector<std::string>> articles;
    for (std::size_t page = 0; page < pages; ++page) {
      const bool is_copy = !articles.empty() && below(2) == 0;
      std::vector<std::string> article = is_copy ? edited(articles[below(articles.size())]) : make_article();
      if (!is_copy) articles.push_back(article);
      lines += line_of(page, article);
    }
    return lines;
  }

  // Articles with a notice below, and pages with only the notice.
  std::string site_with_notices() {
    const std::string notice = "<p>" + sentence() + " " + sentence() + "</p>";
    std::string lines;
    for (int page = 0; page < 15; ++page) {
      std::string article;
      for (int at = 0; at < 6 && page < 12; ++at) article += "<p>" + sentence() + " " + sentence() + "</p>";
      lines += fmt::format("{{\"id\":\"n{0}\",\"url\":\"http://n.example/{0}\",\"html\":\"{1}{2}\"}}\n", page, article,
                           notice);
    }
    return lines;
  }

  // Pages of the same sentences in different orders, in some of them with another word. Most algorithms cannot tell the
  // former apart.
  std::string reordered_copies(int pages) {
    std::vector<std::string> sentences(12);
    for (std::string& each : sentences) each = sentence();
    std::string lines;
    for (int page = 0; page < pages; ++page) {
      std::shuffle(sentences.begin(), sentences.end(), random_);
      std::string text;
      for (const std::string& each : sentences) text += each + " ";
      if (page % 3 == 1) text += "Other" + std::to_string(page % 9);
      lines += fmt::format("{{\"id\":\"r{0}\",\"url\":\"http://r{0}.example/\",\"text\":\"{1}\"}}\n", page, text);
    }
    return lines;
  }

  // The same text with another number at the end of each.
  std::string numbered_copies(int pages) {
    std::string text;
    for (int at = 0; at < 40; ++at) text += sentence() + " ";
    std::string lines;
    for (int page = 0; page < pages; ++page) {
      lines +=
          fmt::format("{{\"id\":\"m{0}\",\"url\":\"http://m{0}.example/\",\"text\":\"{1}Number {0}\"}}\n", page, text);
    }
    return lines;
  }

  // Each page and a copy in which every sentence has another word.
  std::string pages_with_a_changed_copy(int pages) {
    std::string lines;
    for (int page = 0; page < pages; ++page) {
      std::string original;
      std::string changed;
      for (int at = 0; at < 20; ++at) {
        const std::string text = sentence();
        original += text + " ";
        changed += "Other" + text.substr(text.find(' ')) + " ";
      }
      for (const auto& [name, text] : {std::pair("original", original), std::pair("changed", changed)}) {
        lines += fmt::format("{{\"id\":\"{0}{1}\",\"url\":\"http://{0}{1}.example/\",\"text\":\"{2}\"}}\n", name, page,
                             text);
      }
    }
    return lines;
  }

 private:
  std::size_t below(std::size_t limit) { return random_() % limit; }

  std::string sentence() {
    std::string text;
    for (std::size_t word = 0; word < 12; ++word) {
      text += word == 0 ? "" : " ";
      for (std::size_t part = 0; part < 3; ++part) {
        text += "bdfgklmnprstv"[below(13)];
        text += "aeiou"[below(5)];
      }
    }
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text + ".";
  }

  std::vector<std::string> make_article() {
    std::vector<std::string> sentences(6 + below(12));
    for (std::string& each : sentences) each = sentence();
    return sentences;
  }

  // Changes a word of some sentences, leaves some out or moves them; rarely changes nothing.
  std::vector<std::string> edited(std::vector<std::string> sentences) {
    for (std::size_t edits = below(6); edits > 0 && !sentences.empty(); --edits) {
      const std::size_t at = below(sentences.size());
      const std::size_t kind = below(4);
      if (kind == 0) sentences.erase(sentences.begin() + static_cast<std::ptrdiff_t>(at));
      if (kind == 1) sentences[at] = "Other" + sentences[at].substr(sentences[at].find(' '));
      if (kind == 2) sentences.push_back(sentence());
      if (kind == 3) std::swap(sentences[at], sentences.front());
    }
    return sentences;
  }

  std::string line_of(std::size_t page, const std::vector<std::string>& sentences) {
    const std::size_t site = below(6);
    std::string html = "<html><body><article>";
    for (std::size_t at = 0; at < sentences.size(); ++at) {
      html += (at % 3 == 0 ? "<p>" : " ") + sentences[at] + (at % 3 == 2 || at + 1 == sentences.size() ? "</p>" : "");
    }
    html += "<p>All that is written here belongs to the people of site number " + std::to_string(site) +
            " and may be read by everyone who comes along.</p></article></body></html>";
    // Some ids occur twice; some pages have neither text nor date.
    const std::string id = "page-" + std::to_string(below(10) == 0 ? page / 2 : page);
    if (below(40) == 0) html = "<html><body></body></html>";
    return "{\"id\":\"" + id + "\",\"url\":\"http://site" + std::to_string(site) + ".example/" + std::to_string(page) +
           "\",\"date\":\"" + (below(3) == 0 ? "" : "2020-01-0" + std::to_string(1 + below(9))) + "\",\"html\":\"" +
           html + "\"}\n";
  }

  std::mt19937 random_;
};

}  // namespace paraprint
