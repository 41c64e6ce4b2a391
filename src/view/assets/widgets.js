// What several views share: rows of pages and pairs, their titles, saving, and parts of lists.
import * as api from "./api.js";
import { address, el, number, percent, safe, score } from "./dom.js";
import { known, t } from "./messages.js";

export const verdictDot = (name) => el("i", { class: `dot ${name}`, "aria-hidden": "true" });

export function fateMark(fate) {
  return el("span", { class: "verdict" }, verdictDot(fate), t(`fate-${fate}`));
}
export function verdictMark(verdict) {
  return el("span", { class: "verdict" }, verdictDot(verdict), t(`verdict-${verdict}`));
}

export const pairLink = (a, b) => `#/pair/${a}/${b}`;
export const clusterLink = (page, near) => `#/cluster/${page}${near === undefined ? "" : `?near=${near}`}`;

// The name of a page: its title, once it is known, and its address or id. `href` opens it in the explorer.
export function pageName(page, href) {
  const name = page.url || page.id;
  const title = el("bdi", { class: "title" }, el("a", { href, "data-title-of": page.page }, name));
  return [title, page.url ? address(page.url) : el("bdi", { class: "url" }, safe(page.id))];
}

// Asks for the titles of the pages in `root` and puts them into place of their addresses.
export async function fillTitles(root) {
  const waiting = [...root.querySelectorAll("[data-title-of]")];
  const pages = [...new Set(waiting.map((link) => link.dataset.titleOf))];
  for (let at = 0; at < pages.length; at += 20) {
    let titles;
    try {
      titles = await api.get("titles", { pages: pages.slice(at, at + 20).join(",") });
    } catch (ignored) {
      return;  // the addresses stay
    }
    for (const link of waiting) {
      const title = titles[link.dataset.titleOf];
      if (title) link.textContent = safe(title);
    }
  }
}

export function pageTable(rows, { near } = {}) {
  const hasOrigins = rows.some((row) => row.published || row.copied_from);
  return el("div", { class: "scroll" }, el("table", { class: "rows" },
    el("thead", {}, el("tr", {}, el("th", {}, t("page")), el("th", {}, t("what-became")), el("th", { class: "number" }, t("score")),
      el("th", {}, t("kept-instead")), el("th", { class: "number" }, t("characters")), el("th", { class: "number" }, t("cluster")), el("th", {}, t("date")), hasOrigins ? [el("th", {}, t("published")), el("th", {}, t("copied-from"))] : null)),
    el("tbody", {}, rows.map((row) => el("tr", { class: "row", tabindex: -1, "data-open": clusterLink(row.page, near),
      "data-compare": row.kept ? pairLink(row.page, row.kept.page) : null },
    el("td", { class: "page" }, pageName(row, clusterLink(row.page, near))),
    el("td", {}, fateMark(row.fate)),
    el("td", { class: "number" }, score(row.score)),
    el("td", { class: "page small" }, row.kept ? [el("a", { href: pairLink(row.page, row.kept.page) }, t("compare")), " ",
      el("bdi", { class: "quiet break" }, row.kept.url || row.kept.id)] : row.known_id ? el("bdi", { class: "break" }, row.known_url || row.known_id) : ""),
    el("td", { class: "number" }, number(row.characters)),
    el("td", { class: "number" }, row.cluster_pages > 1 ? el("a", { href: clusterLink(row.page, near) }, number(row.cluster_pages)) : ""),
    el("td", { class: "small date" }, row.date.slice(0, 10)),
    hasOrigins ? [el("td", { class: "small date" }, row.published || ""), el("td", { class: "page small" }, row.copied_from
      ? el("a", { href: pairLink(row.page, row.copied_from.page) }, el("bdi", { class: "break" }, row.copied_from.url || row.copied_from.id)) : "")] : null)))));
}

export function pairTable(rows) {
  return el("div", { class: "scroll" }, el("table", { class: "rows" },
    el("thead", {}, el("tr", {}, el("th", { class: "number" }, t("score")), el("th", {}, t("verdict")), el("th", {}, "A"), el("th", {}, "B"), el("th", {}))),
    el("tbody", {}, rows.map((row) => el("tr", { class: "row", tabindex: -1, "data-open": pairLink(row.a.page, row.b.page) },
      el("td", { class: "number" }, el("a", { href: pairLink(row.a.page, row.b.page) }, Number(row.resemblance).toFixed(3))),
      el("td", {}, verdictMark(row.verdict)),
      el("td", { class: "page" }, pageName(row.a, clusterLink(row.a.page))),
      el("td", { class: "page" }, pageName(row.b, clusterLink(row.b.page))),
      el("td", { class: "small quiet" }, row.is_one_cluster ? t("one-cluster") : t("two-clusters"),
        row.ruling === "none" ? null : [el("br"), t(row.ruling)]))))));
}

// "1 to 50 of 1,234" with links to the parts before and after.
export function parts(total, offset, limit, hrefOf) {
  const last = Math.min(total, offset + limit);
  return el("nav", { class: "parts", "aria-label": t("showing", number(Math.min(total, offset + 1)), number(last), number(total)) },
    el("span", { class: "quiet" }, t("showing", number(Math.min(total, offset + 1)), number(last), number(total))),
    offset > 0 ? el("a", { href: hrefOf(Math.max(0, offset - limit)), "data-turn": "previous" }, t("previous")) : null,
    last < total ? el("a", { href: hrefOf(offset + limit), "data-turn": "next" }, t("next")) : null);
}

// Buttons that save the list at `path` with these conditions.
export function saveButtons(path, parameters, total, notice) {
  const save = async (format, type) => {
    const text = await api.getText(path, { ...parameters, format });
    const link = el("a", { href: URL.createObjectURL(new Blob([text], { type })), download: `${path}.${format}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    const rows = text.split("\n").length - (format === "tsv" ? 2 : 1);
    if (total !== undefined && rows < total) notice(t("saved-cut", number(rows)));
  };
  return el("span", { class: "buttons" },
    el("button", { type: "button", "data-save": "tsv", on: { click: () => save("tsv", "text/tab-separated-values") } }, t("save-tsv")),
    el("button", { type: "button", "data-save": "jsonl", on: { click: () => save("jsonl", "application/x-ndjson") } }, t("save-jsonl")));
}

export function figure(name, value, note) {
  return el("div", {}, el("dt", {}, name), el("dd", {}, value, note ? el("small", {}, note) : null));
}

export function reasonText(reason) {
  return known(`reason-${reason}`, reason);
}

export function commandLine(command, notice) {
  return el("div", { class: "command" }, el("code", {}, command), el("button", { type: "button", class: "copy", on: { click: async () => {
    await navigator.clipboard.writeText(command);
    notice(t("copied"));
  } } }, t("copy")));
}

export { number, percent, score };
