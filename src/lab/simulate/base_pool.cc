// Articles are written once, in the order in which they are found, and read back in random order when groups of pages
// are planned; only their offsets stay in memory. The encoding never leaves this process, so it has no version, magic
// or checksum, and may change freely.
#include "lab/simulate/base_pool.h"

#include "base/assert.h"
#include "base/byte_codec.h"
#include "base/propagate.h"

namespace paraprint::inline lab::inline simulate {

Result<BasePool> BasePool::create(const std::string& folder) {
  PARAPRINT_ASSIGN(TemporaryFile file, TemporaryFile::create(folder));
  BasePool pool;
  pool.file_ = std::move(file);
  return pool;
}

// `base` is not stored: it is the position in the pool.
Status BasePool::add(const Article& article) {
  std::string bytes;
  ByteWriter writer(bytes);
  writer.text(article.title);
  writer.fixed(static_cast<std::uint8_t>(article.language));
  writer.fixed(static_cast<std::uint8_t>(article.is_traditional));
  writer.variable(article.paragraphs.size());
  for (const ArticleParagraph& paragraph : article.paragraphs) {
    writer.text(paragraph.text);
    writer.fixed(static_cast<std::uint8_t>(paragraph.role));
    writer.fixed(paragraph.heading_level);
  }
  offsets_.push_back(file_.size_bytes());
  return file_.append(std::as_bytes(std::span(bytes)));
}

// The end of an article is the begin of the next one: no length is stored.
Result<Article> BasePool::read(std::size_t index) const {
  PARAPRINT_ASSERT(index < offsets_.size());
  const std::uint64_t end = index + 1 < offsets_.size() ? offsets_[index + 1] : file_.size_bytes();
  std::string bytes(end - offsets_[index], '\0');
  PARAPRINT_TRY(file_.read(offsets_[index], std::as_writable_bytes(std::span(bytes))));
  ByteReader reader(bytes);
  Article article;
  article.base = static_cast<std::uint32_t>(index);
  article.title = reader.text();
  article.language = static_cast<ArticleLanguage>(reader.fixed<std::uint8_t>());
  article.is_traditional = reader.fixed<std::uint8_t>() != 0;
  const std::uint64_t count = reader.variable();
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    ArticleParagraph& paragraph = article.paragraphs.emplace_back();
    paragraph.text = reader.text();
    paragraph.role = static_cast<BlockRole>(reader.fixed<std::uint8_t>());
    paragraph.heading_level = reader.fixed<std::uint8_t>();
  }
  if (!reader.ok()) return failure(ErrorCode::kCorruptData, "a base article in the temporary file is damaged");
  return article;
}

}  // namespace paraprint::inline lab::inline simulate
