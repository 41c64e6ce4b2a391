// Pages of an index: the search, and what the index knows of one of them.
import * as api from "./api.js";
import { address, el, number, percent, safe, score } from "./dom.js";
import { t } from "./messages.js";
import { choice, count, field, form } from "./pages.js";
import { parts, saveButtons, verdictMark } from "./widgets.js";

const LIMIT = 50;
const ORDERS = ["-size", "-cluster", "-first", "-last"];

export const indexLink = (page) => `#/page/${page}`;
export const matchLink = (a, b) => `#/match/${a}/${b}`;

// The address of a page as a link to what is known of it, and its id if that is another name.
export function indexName(page) {
  const name = safe(page.url || page.id);
  return [el("bdi", { class: "title break" }, el("a", { href: indexLink(page.page) }, name)), page.url && page.id !== page.url ? el("bdi", { class: "url" }, safe(page.id)) : null];
}

export function indexTable(rows) {
  return el("div", { class: "scroll" }, el("table", { class: "rows" },
    el("thead", {}, el("tr", {}, el("th", {}, t("page")), el("th", {}, t("first-of-cluster")), el("th", { class: "number" }, t("characters")), el("th", { class: "number" }, t("same-text")),
      el("th", { class: "number" }, t("cluster")), el("th", {}, t("date")), el("th", {}, t("first-seen")), el("th", {}, t("last-seen")))),
    el("tbody", {}, rows.map((row) => el("tr", { class: "row", tabindex: -1, "data-open": indexLink(row.page), "data-compare": row.first ? matchLink(row.page, row.first.page) : null },
      el("td", { class: "page" }, indexName(row)),
      el("td", { class: "page small" }, row.first ? [el("a", { href: matchLink(row.page, row.first.page) }, t("compare")), " ", el("bdi", { class: "quiet break" }, row.first.url || row.first.id)] : ""),
      el("td", { class: "number" }, number(row.characters)),
      el("td", { class: "number" }, row.text_pages > 1 ? el("a", { href: `#/pages?same_text=${row.page}` }, number(row.text_pages)) : ""),
      el("td", { class: "number" }, row.cluster_pages > 1 ? el("a", { href: `#/pages?cluster=${row.page}` }, number(row.cluster_pages)) : ""),
      el("td", { class: "small date" }, row.date.slice(0, 10)), el("td", { class: "small date" }, row.first_seen.slice(0, 10)), el("td", { class: "small date" }, row.last_seen.slice(0, 10)))))));
}

export async function indexPages({ main, query, signal, notice }) {
  const conditions = { ...query };
  delete conditions.offset;
  const search = form("pages", [
    field("url", t("url"), query.url, { "data-search": true }), field("id", t("id"), query.id), field("host", t("host"), query.host),
    choice("role", t("role"), query.role, [["", t("all")], ["first", t("first-pages")], ["copy", t("copies")]]),
    field("characters_minimum", t("characters-from"), query.characters_minimum, count), field("cluster_pages_minimum", t("cluster-from"), query.cluster_pages_minimum, count),
    choice("order", t("order"), query.order, [["", t("order-id")], ...ORDERS.map((name) => [name, t(`order-${name}`)])]),
  ]);
  const result = el("section", { class: "result", "aria-live": "polite" });
  const of = query.cluster === undefined ? query.same_text : query.cluster;
  const only = of === undefined ? "" : el("p", { class: "callout" }, t(query.cluster === undefined ? "only-same-text" : "only-same-cluster"), " ", el("a", { href: indexLink(of) }, t("this-page")), ". ",
    el("a", { href: "#/pages" }, t("every-page")));
  main.replaceChildren(el("h1", {}, t("pages")), search, only, result);
  const offset = Number(query.offset || 0);
  const found = await api.get("pages", { ...conditions, offset, limit: LIMIT }, signal);
  const hrefOf = (next) => `#/pages?${new URLSearchParams({ ...conditions, offset: next })}`;
  result.replaceChildren(el("div", { class: "head-line" }, el("h2", {}, t("found", number(found.total))), saveButtons("pages", conditions, found.total, notice)),
    found.total ? indexTable(found.rows) : el("p", {}, t("nothing")), found.total ? parts(found.total, offset, LIMIT, hrefOf) : "");
}

function related(rows, total, heading, href) {
  if (!rows.length) return "";
  return el("section", {}, el("h2", {}, heading), indexTable(rows), total > rows.length + 1 ? el("p", {}, el("a", { href }, t("show-all", number(total)))) : null);
}

export async function indexPage({ main, path, state, signal }) {
  const found = await api.get("page", { page: path[0] }, signal);
  const facts = [["id", el("bdi", {}, safe(found.id))], ["date", found.date || "\u2014"], ["characters", number(found.characters)], ["first-seen", found.first_seen], ["last-seen", found.last_seen],
    ["cluster", found.cluster_pages > 1 ? el("a", { href: `#/pages?cluster=${found.page}` }, `${number(found.cluster_pages)} ${t("pages").toLowerCase()}`) : "1"]];
  if (found.first) facts.push(["first-of-cluster", el("a", { href: indexLink(found.first.page) }, el("bdi", { class: "break" }, found.first.url || found.first.id))]);
  const matches = el("div", { class: "scroll" }, el("table", { class: "rows" },
    el("thead", {}, el("tr", {}, el("th", {}, t("page")), el("th", {}, t("verdict")), el("th", { class: "number" }, t("score")), el("th", { class: "number" }, t("this-in-that")),
      el("th", { class: "number" }, t("that-in-this")), el("th", { class: "number" }, t("same-text")), el("th", {}, t("date")), el("th", {}))),
    el("tbody", {}, found.matches.map((match) => el("tr", { class: "row", tabindex: -1, "data-open": matchLink(found.page, match.b.page), "data-compare": matchLink(found.page, match.b.page) },
      el("td", { class: "page" }, indexName(match.b)), el("td", {}, verdictMark(match.verdict)), el("td", { class: "number" }, score(match.resemblance)),
      el("td", { class: "number" }, percent(match.containment_a)), el("td", { class: "number" }, percent(match.containment_b)), el("td", { class: "number" }, match.b.text_pages > 1 ? number(match.b.text_pages) : ""),
      el("td", { class: "small date" }, match.b.date.slice(0, 10)), el("td", {}, el("a", { href: matchLink(found.page, match.b.page) }, t("compare"))))))));
  main.replaceChildren(el("h1", {}, t("page")),
    el("section", { class: "card" }, el("p", { class: "lead" }, found.url ? address(found.url) : el("bdi", {}, safe(found.id))),
      el("dl", { class: "keys" }, facts.map(([name, value]) => [el("dt", {}, t(name)), el("dd", {}, value)]))),
    el("section", {}, el("h2", {}, t("matches")), el("p", { class: "quiet small" }, t("matches-note", number(found.compared), state.near), found.left_out ? ` ${t("matches-left-out", number(found.left_out))}` : ""),
      found.matches.length ? matches : el("p", {}, t("no-matches"))),
    related(found.same_text, found.text_pages, t("with-same-text"), `#/pages?same_text=${found.page}`),
    related(found.same_cluster, found.cluster_pages, t("with-same-cluster"), `#/pages?cluster=${found.page}`));
}
