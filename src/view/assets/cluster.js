// One cluster: the page kept, who copied from whom, and each page removed with its scores, the reason and its source.
import * as api from "./api.js";
import { copySections } from "./copies.js";
import { address, el, number, percent, safe, score } from "./dom.js";
import { t } from "./messages.js";
import { originCells, originHeads, originText } from "./origins.js";
import { clusterLink, fateMark, fillTitles, pageName, pairLink, parts, reasonText, verdictMark } from "./widgets.js";

const LIMIT = 100;

export async function cluster({ main, state, path, query, signal, notice }) {
  const offset = Number(query.offset || 0);
  const found = await api.get("cluster", { page: path[0], near: query.near, offset, limit: LIMIT }, signal);
  const near = found.is_own ? undefined : found.near;
  const kept = found.kept;
  const facts = el("dl", { class: "keys" }, el("dt", {}, t("url")), el("dd", {}, kept.url ? address(kept.url) : "\u2014"), el("dt", {}, t("id")), el("dd", {}, el("bdi", {}, kept.id)),
    el("dt", {}, t("date")), el("dd", {}, kept.date || "\u2014"), el("dt", {}, t("characters")), el("dd", {}, number(kept.characters)),
    el("dt", {}, t("languages")), el("dd", {}, kept.language), el("dt", {}, t("file")), el("dd", {}, el("bdi", {}, safe(kept.file)), " + ", number(kept.offset_bytes)),
    kept.origin ? [el("dt", {}, t("origin")), el("dd", {}, originText(kept.origin))] : null,
    kept.fate === "kept" ? null : [el("dt", {}, t("what-became")), el("dd", {}, fateMark(kept.fate))]);
  const part = Object.fromEntries(["from", "skip"].filter((name) => query[name] !== undefined).map((name) => [name, query[name]]));
  const given = { ...(near === undefined ? {} : { near }), ...part };
  const hrefOf = (next) => `#/cluster/${path[0]}?${new URLSearchParams({ ...given, offset: next })}`;
  const copies = found.is_own && found.total > 1 ? await copySections({ page: path[0], part, state, signal, notice }) : null;
  const hasOrigins = state.has_provenance && found.is_own;
  main.replaceChildren(el("h1", {}, found.is_own ? `${t("cluster")} ${number(found.cluster)}` : t("cluster"), el("small", { class: "quiet" }, ` \u2002${number(found.total)} ${t("pages").toLowerCase()}`)),
    found.is_own ? "" : el("p", { class: "callout" }, t("at-threshold", found.near), ". ", el("a", { href: clusterLink(path[0]) }, t("as-decided"))),
    el("section", { class: "card" }, el("h2", {}, t("page-kept")), el("p", { class: "lead" }, el("bdi", {}, el("span", { "data-title-of": kept.page }, kept.url || kept.id))), facts),
    ...[copies].flat().filter(Boolean),
    el("section", {}, el("h2", {}, t("members")), found.rows.length ? el("div", { class: "scroll" }, el("table", { class: "rows" },
      el("thead", {}, el("tr", {}, el("th", {}, t("page")), el("th", {}, t("verdict")), el("th", { class: "number" }, t("score")), el("th", { class: "number" }, t("in-kept")),
        el("th", { class: "number" }, t("of-kept")), el("th", {}, t("reason")), el("th", {}, t("date")), hasOrigins ? originHeads() : null, el("th", {}))),
      el("tbody", {}, found.rows.map((row) => el("tr", { class: "row", tabindex: -1, "data-open": pairLink(row.page, kept.page), "data-compare": pairLink(row.page, kept.page) },
        el("td", { class: "page" }, pageName(row, pairLink(row.page, kept.page))), el("td", {}, verdictMark(row.here.verdict)),
        el("td", { class: "number" }, score(row.here.score)), el("td", { class: "number" }, percent(row.here.containment)), el("td", { class: "number" }, percent(row.here.containment_kept)),
        el("td", { class: "small quiet" }, reasonText(row.here.reason)), el("td", { class: "small date" }, row.date.slice(0, 10)), hasOrigins ? originCells(row.page, row.origin) : null,
        el("td", {}, el("a", { href: pairLink(row.page, kept.page) }, t("compare")))))))) : el("p", {}, t("alone")),
    found.total > LIMIT ? parts(found.total - 1, offset, LIMIT, hrefOf) : ""));
  fillTitles(main);
}
