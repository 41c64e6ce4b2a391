// What provenance.jsonl says of pages, in words and in cells of tables.
import * as api from "./api.js";
import { el, number, percent, safe } from "./dom.js";
import { known, language, t } from "./messages.js";
import { commandLine, pairLink } from "./widgets.js";

export const reasonNames = (names) => names.map((name) => known(`origin-${name}`, name)).join(t("list-comma"));
export const problemNames = (names) => names.map((name) => known(`problem-${name}`, name)).join(t("list-comma"));
export const nameOf = (page) => safe(page.url || page.id);

// The date of publication with the place where it was read.
export function dateText(origin) {
  if (!origin || !origin.date) return "";
  return origin.date_place ? t("date-read-in", origin.date, known(`place-${origin.date_place}`, origin.date_place)) : origin.date;
}

// What speaks for the source of a page and against it, and what is odd about its statements: a sentence or several.
export function originText(origin) {
  if (!origin) return t("no-origin");
  if (origin.unreadable) return origin.unreadable;
  const said = [];
  if (origin.copied_from) said.push(t("copied-with", nameOf(origin.copied_from), percent(origin.confidence)));
  else if (origin.is_first) said.push(t("first-with", percent(origin.first_confidence)));
  else said.push(t(origin.is_traced ? "no-source" : "not-traced"));
  if (origin.date) said.push(t("published-on", dateText(origin)));
  if (origin.copied_from && origin.reasons.length) said.push(t("speaks-for", reasonNames(origin.reasons)));
  if (origin.copied_from && origin.against.length) said.push(t("speaks-against", reasonNames(origin.against)));
  const stated = origin.source_url || origin.source_name;
  if (stated) said.push(t("states-source", safe(stated)));
  if (origin.problems.length) said.push(t("odd-statements", problemNames(origin.problems)));
  if (origin.added_characters !== undefined) said.push(t("text-changed", number(origin.added_characters), number(origin.lost_characters)));
  return said.join(language() === "zh" ? "" : " ");
}

// The cells of a row: published, copied from, confidence, reasons.
export const originHeads = () => [el("th", {}, t("published")), el("th", {}, t("copied-from")), el("th", { class: "number" }, t("confidence")), el("th", {}, t("reasons"))];
export function originCells(page, origin) {
  if (!origin || origin.unreadable) return [el("td", {}), el("td", { class: "small quiet" }, origin ? origin.unreadable : ""), el("td", {}), el("td", {})];
  const source = origin.copied_from;
  return [el("td", { class: "small date", title: dateText(origin) || null }, origin.date ? origin.date.slice(0, 10) : ""),
    el("td", { class: "page small" }, source ? el("a", { href: pairLink(page, source.page) }, el("bdi", { class: "break", "data-title-of": source.page }, nameOf(source))) : origin.is_first ? t("is-first") : ""),
    el("td", { class: "number" }, source ? percent(origin.confidence) : origin.is_first ? percent(origin.first_confidence) : ""),
    el("td", { class: "small quiet" }, source ? reasonNames(origin.reasons) : "", source && origin.against.length ? [el("br"), t("speaks-against", reasonNames(origin.against))] : null,
      origin.problems.length ? [el("br"), problemNames(origin.problems)] : null)];
}

// Lines of the file that were left out.
export function refusedLines(provenance) {
  if (!provenance.lines_refused) return null;
  return el("details", { class: "callout" }, el("summary", {}, t("lines-refused", number(provenance.lines_refused))),
    el("ul", { class: "small" }, provenance.refused.map((line) => el("li", {}, el("bdi", { class: "break" }, safe(line)))),
      provenance.lines_refused > provenance.refused.length ? el("li", {}, t("and-more", number(provenance.lines_refused - provenance.refused.length))) : null));
}

// How to get the file, for a run without one.
export async function howToGet(provenance, state, notice) {
  if (provenance.failure) return el("p", { class: "callout" }, t("provenance-unreadable", safe(provenance.failure)));
  const words = el("p", { class: "quiet" }, t(state.is_traced ? "provenance-gone" : "provenance-missing"));
  return state.is_traced ? [words, commandLine((await api.get("rulings")).command, notice)] : words;
}
