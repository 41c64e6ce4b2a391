// The fictitious run of sample_report.h. Its pages cover what the views must handle: edited, moved and shortened copies
// in Chinese and English, hostile text, a page without text, and clusters larger than the limits.
#include "sample_report.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "report/word_diff.h"

namespace paraprint::sample {
namespace {

using Paragraphs = std::vector<SampleParagraph>;

using namespace std::string_literals;

// Text that breaks pages if it is not escaped.
const std::string kHostile =
    "</script><script>document.title='owned'</script><img src=x onerror=alert(1)> \"quoted\" 'single' &amp; "
    "NUL[\0] ESC[\x1b] broken[\xff\xc3] surrogate[\xed\xa0\x80] override[\xe2\x80\xae"
    "txet] "
    "emoji \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb \xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d "
    "\xd9\x85\xd8\xb1\xd8\xad\xd8\xa8"
    "\xd8\xa7 http://hostile.invalid/beacon.png"s;

Paragraphs library_article() {
  return {
      {"青河市图书馆新馆今日开放 首日接待读者逾万人", BlockRole::kHeading},
      {"本报讯 经过两年零四个月的建设，青河市图书馆新馆今天上午九时正式向公众开放。新馆位于滨水公园东侧，"
       "总建筑面积四万二千平方米，设有阅览座位三千二百个，馆藏图书一百八十万册。"},
      {"开馆首日，许多市民清早便在门前排起长队。家住柳荫路的退休教师周明远带着孙女第一批走进大厅。他说，老馆的座位一到"
       "周末"
       "就不够用，新馆宽敞明亮，孩子们终于有了自己的阅读区。"},
      {"服务时间与借阅规则", BlockRole::kHeading},
      {"新馆每周二至周日开放，时间为上午九时至晚上九时，周一闭馆整理。读者凭身份证或社会保障卡即可办理借阅，每人每次可"
       "借图书"
       "二十册，借期三十天，到期前可在手机上续借一次。"},
      {"馆方介绍，自助借还设备分布在各个楼层，平均三十秒便可完成一次借阅。夜间还书口全天开放，归还的图书由传送带自动分"
       "拣到"
       "十二个类别。"},
      {"地方文献馆是新馆的亮点之一，收藏了清代以来的县志、族谱和老照片共六千余件，其中四百多件首次公开展出。"},
      {"馆长林素清表示，今后每个周末都将举办讲座和读书会，并与全市二十六所中小学合作，把流动图书车开进校园。"},
  };
}

Paragraphs library_repost() {
  Paragraphs p = library_article();
  Paragraphs out = {
      {"首页 > 本地新闻 > 文化", BlockRole::kParagraph, true},
      {"青河图书馆新馆开放，首日读者过万", BlockRole::kHeading},
      p[1],
      p[6],
      {"开馆首日，不少市民一大早便在门前排起长队。家住柳荫路的退休教师周老师带着孙女第一批走进大厅。他说，老馆的座位一"
       "到周末"
       "就不够用，新馆宽敞明亮，孩子们终于有了自己的阅读空间。"},
      p[3],
      {"新馆每周二至周日开放，时间为上午九时至晚上九时，周一闭馆。读者凭身份证、社会保障卡或手机二维码即可办理借阅，每"
       "人每次"
       "可借图书二十册，借期三十天，到期前可续借一次。"},
      {"馆方介绍，自助借还设备分布在各个楼层，平均三十秒便可完成一次借阅。网友评论：终于不用排队了！"},
      p[7],
      {"（编辑：小顾）来源：青河晚报", BlockRole::kParagraph},
      {"版权所有 © 江畔资讯 保留一切权利", BlockRole::kParagraph, true},
  };
  return out;
}

Paragraphs library_excerpt() {
  const Paragraphs p = library_article();
  return {{"文化简讯", BlockRole::kHeading}, p[1], p[4]};
}

Paragraphs ferry_article() {
  return {
      {"The last cable ferry on the Aller will keep running", BlockRole::kHeading},
      {"The wooden cable ferry at Norwick, which has carried farmers, schoolchildren and the occasional stray cow "
       "across the "
       "Aller since 1911, will not close at the end of the year after all. The county council voted on Tuesday to "
       "spend "
       "£340,000 on a new hull."},
      {"For months the crossing had looked doomed. An inspection in March found rot in eleven of the forty oak ribs, "
       "and the "
       "insurer gave the ferry until December. A bridge was discussed, costed at nine million pounds, and quietly "
       "dropped."},
      {"\"You can't put a bridge in a child's memory,\" said Edith Marlow, who has worked the winch for twenty-two "
       "years. \"People "
       "come back after half a lifetime and the first thing they ask is whether the bell still rings.\""},
      {"What happens next", BlockRole::kHeading},
      {"Work starts in February, when the river is lowest, and should take ten weeks.", BlockRole::kListItem},
      {"A shuttle bus will run between the two landings, every half hour on weekdays.", BlockRole::kListItem},
      {"The fare stays at eighty pence; children and bicycles travel free.", BlockRole::kListItem},
      {"The yard at Pell has been asked to reuse as much of the old timber as it can. What cannot be saved will be "
       "made into "
       "benches for both landings, each with the name of a former ferryman."},
      {"The council will review the crossing again in 2031. Until then, Marlow says, she intends to ring the bell "
       "every "
       "morning at six, \"whether the passengers like it or not\"."},
  };
}

Paragraphs ferry_repost() {
  const Paragraphs p = ferry_article();
  return {
      {"Skip to content | News | Sport | Weather", BlockRole::kParagraph, true},
      {"Saved: the Norwick cable ferry", BlockRole::kHeading},
      {"The wooden cable ferry at Norwick, which has carried farmers, schoolchildren and the odd stray cow across the "
       "Aller since 1911, will not close in December after all. The county council voted this week to spend "
       "£340,000 on a new hull."},
      p[3],
      p[2],
      p[4],
      p[5],
      {"A shuttle bus will run between the two landings, every twenty minutes on weekdays.", BlockRole::kListItem},
      p[7],
      p[8],
      {"Share this story: Mail · Print", BlockRole::kParagraph, true},
  };
}

Paragraphs filler_article(int number) {
  const std::string n = std::to_string(number);
  return {
      {"Notes from allotment " + n, BlockRole::kHeading},
      {"Plot " + n +
       " had its first frost in the second week of October, and the beans were finished by the morning. The leeks "
       "stood it "
       "well, as leeks do, and the kale was sweeter for it."},
      {"We dug in two barrows of leaf mould before the rain came. Next year the squash goes where the potatoes were, "
       "and the "
       "path by the water butt gets a proper edge at last."},
  };
}

std::vector<SamplePage> make_pages() {
  std::vector<SamplePage> all = {
      {"https://news.qinghe.example/2024/0501/library.html", "https://news.qinghe.example/2024/0501/library.html",
       "青河市图书馆新馆今日开放", "2024-05-01", library_article()},
      {"https://jiangpan.example/a/88213", "https://jiangpan.example/a/88213",
       "青河图书馆新馆开放，首日读者过万_江畔资讯", "2024-05-02", library_repost()},
      {"https://wenhua.example/brief/17", "https://wenhua.example/brief/17", "文化简讯", "2024-05-03",
       library_excerpt()},
      {"https://aller-valley.example/norwick-ferry", "https://aller-valley.example/norwick-ferry",
       "The last cable ferry on the Aller will keep running", "2024-03-12", ferry_article()},
      {"https://county-wire.example/story?id=4471&ref=home", "https://county-wire.example/story?id=4471&ref=home",
       "Saved: the Norwick cable ferry | County Wire", "2024-03-14", ferry_repost()},
      {"https://mirror.example/norwick-ferry", "https://mirror.example/norwick-ferry",
       "The last cable ferry on the Aller will keep running", "", ferry_article()},
      {"hostile-a\t\"><b>", "javascript:alert(1)", kHostile, "", {{kHostile}, {"A second paragraph, quiet."}}},
      {"hostile-b",
       "https://hostile.example/\"onmouseover=\"alert(1)",
       "</title><script>1</script>",
       "",
       {{kHostile + " and more"}, {"Another end."}}},
      {"lost", "https://lost.example/", "A page whose text is gone", "", {{"gone"}}},
  };
  for (int i = 1; i <= 12; ++i) {
    const std::string url = "https://garden" + std::to_string(i % 4) + ".example/plots/" + std::to_string(i);
    all.push_back({url, url, "Notes from allotment " + std::to_string(i), "2024-10-1" + std::to_string(i % 10),
                   filler_article(i)});
  }
  return all;
}

std::vector<TextSpan> sentences_of(std::string_view text) {
  std::vector<TextSpan> spans;
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t end = text.size();
    for (const std::string_view stop : {"。", "！", ". "}) {
      const std::size_t at = text.find(stop, begin);
      if (at != std::string_view::npos) end = std::min(end, at + stop.size());
    }
    spans.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
    begin = end;
  }
  return spans;
}

double similarity(std::string_view a, std::string_view b) {
  double equal = 0;
  for (const DiffRun& run : diff_words(a, b).runs) equal += run.kind == DiffKind::kEqual ? run.a.size_bytes() : 0;
  return 2 * equal / static_cast<double>(a.size() + b.size());
}

ShownPage shown(const SamplePage& page) {
  ShownPage out;
  out.id = page.id;
  out.url = page.url;
  out.title = page.title;
  out.date = page.date;
  for (const SampleParagraph& paragraph : page.paragraphs) {
    const auto begin = static_cast<std::uint32_t>(out.text.size());
    out.text += paragraph.text;
    out.blocks.push_back(
        {{begin, static_cast<std::uint32_t>(out.text.size())}, paragraph.role, 0, paragraph.is_boilerplate});
    out.text += '\n';
  }
  out.content_characters = static_cast<std::uint32_t>(out.text.size() / 3);
  return out;
}

TextSpan moved_by(TextSpan span, std::uint32_t offset) {
  return {span.begin_bytes + offset, span.end_bytes + offset};
}

ReportPage named(std::uint32_t index) {
  const SamplePage& page = pages()[index];
  return {index, page.id, page.url, page.title, page.date, shown(page).content_characters};
}

ReportMember member(std::uint32_t index, std::uint32_t kept, std::string reason) {
  return {named(index), compare(pages()[index], pages()[kept]).match, std::move(reason)};
}

void add_clusters(ReportCollector& collector) {
  collector.add_cluster({2, 3, named(0), {member(1, 0, "longest"), member(2, 0, "longest")}});
  collector.add_cluster({7, 3, named(3), {member(4, 3, "earliest"), member(5, 3, "earliest")}});
  collector.add_cluster({11, 2, named(7), {member(6, 7, "longest")}});
  collector.add_cluster({12, 2, named(0), {member(8, 0, "longest")}});
  ReportCluster garden{19, 640, named(9), {}};
  for (std::uint32_t i = 10; i < 21; ++i) garden.members.push_back(member(i, 9, "first"));
  collector.add_cluster(std::move(garden));
  const std::map<std::uint64_t, std::uint64_t> sizes = {{1, 7418}, {2, 840}, {3, 209}, {4, 96},
                                                        {6, 41},   {8, 22},  {14, 12}, {31, 4}};
  for (const auto& [size, count] : sizes) {
    for (std::uint64_t i = 0; i < count; ++i) collector.add_cluster_size(size);
  }
}

Summary summary() {
  Summary s;
  s.version = "0.1.0";
  s.command = "dedup";
  s.inputs = {"crawl/part-0.warc.gz", "crawl/part-1.warc.gz", "crawl/odd <name>.warc"};
  s.settings = {{"keep", std::string("longest"), "which copy survives"},
                {"extractor", std::string("blocks"), ""},
                {"near_resemblance", 0.6, "resemblance from which two pages are near copies"},
                {"containment", 0.8, ""},
                {"paragraph_distance_bits", std::int64_t{12}, ""},
                {"match_sentences", true, ""}};
  s.counters = {{"input",
                 {{"records", std::uint64_t{12'871}, ""},
                  {"responses", std::uint64_t{11'204}, ""},
                  {"revisits", std::uint64_t{83}, ""}}},
                {"candidates", {{"pairs", std::uint64_t{48'112}, ""}, {"capped_keys", std::uint64_t{3}, ""}}},
                {"verification", {{"pairs", std::uint64_t{48'112}, ""}, {"matches", std::uint64_t{3'902}, ""}}}};
  s.broken = {
      {"truncated-member",
       2,
       {{"crawl/part-1.warc.gz", 88'214'991, "gzip member ends after 1,204 of 5,120 bytes"},
        {"crawl/odd <name>.warc", 4'096, "file ends inside a record"}}},
      {"bad-length", 1, {{"crawl/part-0.warc.gz", 17'733, "Content-Length says 911, the record has 904 bytes"}}}};
  return s;
}

}  // namespace

const std::vector<SamplePage>& pages() {
  static const std::vector<SamplePage> all = make_pages();
  return all;
}

Comparison compare(const SamplePage& a, const SamplePage& b) {
  constexpr double kSimilar = 0.6;
  Comparison comparison;
  comparison.a = shown(a);
  comparison.b = shown(b);
  std::vector<bool> taken(b.paragraphs.size(), false);
  double matched = 0;
  for (std::size_t i = 0; i < a.paragraphs.size(); ++i) {
    if (a.paragraphs[i].is_boilerplate) continue;
    std::size_t best = b.paragraphs.size();
    double best_similarity = kSimilar;
    for (std::size_t j = 0; j < b.paragraphs.size(); ++j) {
      const double s =
          taken[j] || b.paragraphs[j].is_boilerplate ? 0 : similarity(a.paragraphs[i].text, b.paragraphs[j].text);
      if (s > best_similarity) {
        best = j;
        best_similarity = s;
      }
    }
    const auto index_a = static_cast<std::uint16_t>(i);
    if (best < b.paragraphs.size()) {
      taken[best] = true;
      matched += best_similarity * static_cast<double>(a.paragraphs[i].text.size());
      const bool is_equal = a.paragraphs[i].text == b.paragraphs[best].text;
      comparison.spans.push_back({comparison.a.blocks[i].span, comparison.b.blocks[best].span, index_a,
                                  static_cast<std::uint16_t>(best), static_cast<std::uint8_t>(is_equal ? 0 : 7),
                                  false});
      continue;
    }
    for (const TextSpan sentence : sentences_of(a.paragraphs[i].text)) {
      const auto words = std::string_view(a.paragraphs[i].text).substr(sentence.begin_bytes, sentence.size_bytes());
      for (std::size_t j = 0; j < b.paragraphs.size() && words.size() > 20; ++j) {
        const std::size_t at = taken[j] ? std::string::npos : b.paragraphs[j].text.find(words);
        if (at == std::string::npos) continue;
        matched += static_cast<double>(words.size());
        const TextSpan there{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + words.size())};
        comparison.spans.push_back({moved_by(sentence, comparison.a.blocks[i].span.begin_bytes),
                                    moved_by(there, comparison.b.blocks[j].span.begin_bytes), index_a,
                                    static_cast<std::uint16_t>(j), 0, true});
        break;
      }
    }
  }
  const auto weight = [](const SamplePage& page) {
    double sum = 0;
    for (const SampleParagraph& p : page.paragraphs) sum += p.is_boilerplate ? 0 : static_cast<double>(p.text.size());
    return sum;
  };
  Match& match = comparison.match;
  match.containment_a = static_cast<float>(std::min(1.0, matched / weight(a)));
  match.containment_b = static_cast<float>(std::min(1.0, matched / weight(b)));
  match.resemblance = static_cast<float>(matched / (weight(a) + weight(b) - matched));
  match.matched_characters = static_cast<float>(matched / 3);
  match.verdict = match.resemblance >= 0.999F   ? Verdict::kSame
                  : match.resemblance >= 0.6F   ? Verdict::kNear
                  : match.containment_a >= 0.8F ? Verdict::kContained
                  : match.containment_b >= 0.8F ? Verdict::kContains
                                                : Verdict::kOverlap;
  return comparison;
}

ReportInput report_input() {
  ReportCollector collector{ReportLimits{}};
  for (int i = 0; i < 9102; ++i) {
    collector.add_kept_page("https://host" + std::to_string(i % 37) + ".example/" + std::to_string(i),
                            i % 7 == 0 ? "zh" : "en", i % 300 == 0);
  }
  const std::vector<std::pair<std::string_view, int>> removed = {
      {"same", 1204}, {"near", 611}, {"contained", 239}, {"contains", 48}};
  for (const auto& [verdict, count] : removed) {
    for (int i = 0; i < count; ++i) {
      collector.add_removed_page("https://host" + std::to_string(i * i % 29) + ".example/r" + std::to_string(i),
                                 i % 3 == 0 ? "zh" : "en", verdict);
    }
  }
  add_clusters(collector);
  collector.add_pair({named(2), named(1), compare(pages()[2], pages()[1]).match});
  ReportInput input = collector.take();
  input.title = "Duplicates in crawl/";
  static const Summary kSummary = summary();
  input.summary = &kSummary;
  return input;
}

Result<Comparison> texts_of(std::uint32_t page_a, std::uint32_t page_b) {
  if (pages()[page_a].id == "lost") {
    return failure(ErrorCode::kNotFound, "cannot read crawl/part-1.warc.gz: <gone>");
  }
  return compare(pages()[page_a], pages()[page_b]);
}

}  // namespace paraprint::sample
