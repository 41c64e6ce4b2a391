// Search for pages and for pairs. Conditions are part of the address, so they can be kept and sent.
import * as api from "./api.js";
import { el, number } from "./dom.js";
import { t } from "./messages.js";
import { fillTitles, pageTable, pairTable, parts, saveButtons } from "./widgets.js";

const LIMIT = 50;
const TEXTS_FOUND_MAXIMUM = 50;
const FATES = ["kept", "removed", "same", "near", "contained", "other", "known", "language"];
const VERDICTS = ["near", "contained", "contains", "overlap", "distinct"];

export function field(name, label, value, attributes) {
  return el("label", {}, el("span", {}, label), el("input", { name, value: value || "", autocomplete: "off", spellcheck: "false", ...attributes }));
}
export function choice(name, label, value, options) {
  return el("label", {}, el("span", {}, label), el("select", { name }, options.map(([key, text]) => el("option", { value: key, selected: key === (value || "") }, text))));
}

export function form(view, children) {
  return el("form", { class: "search", role: "search", on: { submit: (event) => {
    event.preventDefault();
    const given = [...new FormData(event.target)].filter(([, value]) => value !== "");
    const query = new URLSearchParams(given).toString();
    location.hash = `#/${view}${query ? `?${query}` : ""}`;
  } } }, children, el("button", { type: "submit", class: "main" }, t("search")));
}

const share = { type: "number", min: 0, max: 1, step: "any" };
// Typed, so that a year or a month will do.
const day = { inputmode: "numeric", placeholder: "2010-03-01", pattern: "\\d{4}(-\\d{2}(-\\d{2})?)?" };
export const count = { type: "number", min: 0, step: 1 };

export async function pages({ main, state, query, signal, notice }) {
  const conditions = { ...query };
  delete conditions.offset;
  const search = form("pages", [
    field("url", t("url"), query.url, { "data-search": true }), field("title", t("title"), query.title), field("text", t("text"), query.text),
    field("host", t("host"), query.host), field("id", t("id"), query.id),
    choice("fate", t("what-became"), query.fate, [["", t("all")], ...FATES.map((name) => [name, t(`fate-${name}`)])]),
    field("language", t("languages"), query.language, { size: 4 }),
    field("score_minimum", t("score-from"), query.score_minimum, share), field("score_maximum", t("score-to"), query.score_maximum, share),
    field("characters_minimum", t("characters-from"), query.characters_minimum, count),
    field("cluster_pages_minimum", t("cluster-from"), query.cluster_pages_minimum, count),
    state.has_provenance ? [field("published_from", t("published-from"), query.published_from, day), field("published_to", t("published-to"), query.published_to, day),
      field("source", t("source-stated"), query.source),
      choice("origin", t("origin"), query.origin, [["", t("all")], ["first", t("is-first")], ["copy", t("is-copy")]])] : null,
    choice("order", t("order"), query.order, [["", t("order-place")], ...["score", "-score", "-size", "-cluster"].map((name) => [name, t(`order-${name}`)])]),
  ]);
  const result = el("section", { class: "result", "aria-live": "polite" });
  main.replaceChildren(el("h1", {}, t("pages")), search, result);
  if (query.title || query.text) return searchTexts(result, conditions, signal, notice);
  const offset = Number(query.offset || 0);
  const found = await api.get("pages", { ...conditions, offset, limit: LIMIT }, signal);
  const hrefOf = (next) => `#/pages?${new URLSearchParams({ ...conditions, offset: next })}`;
  result.replaceChildren(el("div", { class: "head-line" }, el("h2", {}, t("found", number(found.total))), saveButtons("pages", conditions, found.total, notice)),
    found.total ? pageTable(found.rows) : el("p", {}, t("nothing")), found.total ? parts(found.total, offset, LIMIT, hrefOf) : "");
  fillTitles(result);
}

// Texts have to be read again, which takes a moment for each thousand: step by step, until enough are found or the reader
// stops it.
async function searchTexts(result, conditions, signal, notice) {
  let read = 0;
  let from = 0;
  const rows = [];
  const told = el("span", { class: "quiet" }, t("reading-texts", 0, 0));
  const control = el("span", { class: "buttons" });
  const list = el("div");
  result.replaceChildren(el("div", { class: "head-line" }, told, control), list);
  const run = async () => {
    let isStopped = false;
    const wanted = rows.length + TEXTS_FOUND_MAXIMUM;
    control.replaceChildren(el("button", { type: "button", "data-stop": true, on: { click: () => { isStopped = true; } } }, t("stop")));
    while (from !== null && rows.length < wanted && !isStopped) {
      const step = await api.get("pages", { ...conditions, from, limit: TEXTS_FOUND_MAXIMUM }, signal);
      read += step.pages_read;
      from = step.next;
      rows.push(...step.rows);
      told.textContent = t("reading-texts", number(read), number(rows.length));
      if (step.rows.length) {
        list.replaceChildren(pageTable(rows));
        fillTitles(list);
      }
    }
    if (from === null) {
      control.replaceChildren();
      if (!rows.length) list.replaceChildren(el("p", {}, t("nothing")));
      return;
    }
    told.textContent = t("cut-off", number(read));
    control.replaceChildren(el("button", { type: "button", on: { click: () => run().catch((error) => notice(error.message)) } }, t("search-on")));
  };
  await run();
}

export async function pairs({ main, query, signal, notice }) {
  const conditions = { ...query };
  delete conditions.offset;
  const search = form("pairs", [
    field("url", t("url"), query.url, { "data-search": true }),
    field("score_minimum", t("score-from"), query.score_minimum, share), field("score_maximum", t("score-to"), query.score_maximum, share),
    choice("verdict", t("verdict"), query.verdict, [["", t("all")], ...VERDICTS.map((name) => [name, t(`verdict-${name}`)])]),
    choice("order", t("order"), query.order, [["", t("order-score")], ["-score", t("order--score")]]),
  ]);
  const result = el("section", { class: "result", "aria-live": "polite" });
  main.replaceChildren(el("h1", {}, t("pairs")), search, result);
  const offset = Number(query.offset || 0);
  const found = await api.get("pairs", { ...conditions, offset, limit: LIMIT }, signal);
  const hrefOf = (next) => `#/pairs?${new URLSearchParams({ ...conditions, offset: next })}`;
  result.replaceChildren(el("div", { class: "head-line" }, el("h2", {}, t("found", number(found.total))), saveButtons("pairs", conditions, found.total, notice)),
    found.total ? pairTable(found.rows) : el("p", {}, t("nothing")), found.total ? parts(found.total, offset, LIMIT, hrefOf) : "");
  fillTitles(result);
}
