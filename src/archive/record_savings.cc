// Only stated types are counted: finding out what a body really is would cost more than copying the record.
#include "archive/record_savings.h"

#include <algorithm>
#include <string_view>

#include "http/header_block.h"
#include "http/url_host.h"

namespace paraprint::inline archive {
namespace {

std::string without_overlong(std::string name) {
  return name.size() <= kSavingsNameBytesMaximum ? std::move(name) : std::string();
}

void add_each(SavingsByClass& to, const SavingsByClass& from) {
  for (std::size_t i = 0; i < kSavingsClassCount; ++i) to[i].add(from[i]);
}

void encode_amounts(const SavingsByClass& classes, ByteWriter& out) {
  for (const SavingsAmounts& amounts : classes) {
    for (const std::uint64_t amount : {amounts.records, amounts.bytes_before, amounts.bytes_after}) {
      out.variable(amount);
    }
  }
}

SavingsByClass decode_amounts(ByteReader& in) {
  SavingsByClass classes;
  for (SavingsAmounts& amounts : classes) {
    for (std::uint64_t* amount : {&amounts.records, &amounts.bytes_before, &amounts.bytes_after}) {
      *amount = in.variable();
    }
  }
  return classes;
}

void encode_table(const std::map<std::string, SavingsByClass>& table, ByteWriter& out) {
  out.variable(table.size());
  for (const auto& [name, classes] : table) {
    out.text(name);
    encode_amounts(classes, out);
  }
}

std::map<std::string, SavingsByClass> decode_table(ByteReader& in) {
  std::map<std::string, SavingsByClass> table;
  for (std::uint64_t left = in.variable(); left > 0 && in.ok(); --left) {
    const std::string_view name = in.text();
    if (name.size() > kSavingsNameBytesMaximum) in.fail();
    add_each(table[std::string(name)], decode_amounts(in));
  }
  return table;
}

}  // namespace

void SavingsAmounts::add(const SavingsAmounts& other) {
  records += other.records;
  bytes_before += other.bytes_before;
  bytes_after += other.bytes_after;
}

void RecordSavings::add(SavingsClass kind, const RawRecord& record, std::uint64_t bytes_after) {
  const SavingsAmounts amounts = {1, record.content_length_bytes, bytes_after};
  const auto index = static_cast<std::size_t>(kind);
  totals_[index].add(amounts);
  by_host_[without_overlong(url_host(record.url))][index].add(amounts);
  by_media_type_[without_overlong(savings_media_type(record))][index].add(amounts);
}

void RecordSavings::add(const RecordSavings& other) {
  add_each(totals_, other.totals_);
  for (const auto& [host, amounts] : other.by_host_) add_each(by_host_[host], amounts);
  for (const auto& [type, amounts] : other.by_media_type_) add_each(by_media_type_[type], amounts);
}

void RecordSavings::encode(ByteWriter& out) const {
  encode_amounts(totals_, out);
  encode_table(by_host_, out);
  encode_table(by_media_type_, out);
}

RecordSavings RecordSavings::decode(ByteReader& in) {
  RecordSavings savings;
  savings.totals_ = decode_amounts(in);
  savings.by_host_ = decode_table(in);
  savings.by_media_type_ = decode_table(in);
  return savings;
}

std::string savings_media_type(const RawRecord& record) {
  if (!record.is_http) return media_type(record.content_type);
  if (record.kind != RecordKind::kPage) return "application/http";
  const std::string_view message = std::string_view(record.payload).substr(0, kParsedHeaderBytesMaximum);
  const std::size_t header_bytes = std::min(header_block_bytes(message), message.size());
  const HeaderBlock header = parse_header_block(message.substr(0, header_bytes));
  const std::string* type = header.find("Content-Type");
  return type == nullptr ? std::string() : media_type(*type);
}

}  // namespace paraprint::inline archive
