// The first view of an index: how much it knows, and the shape of it.
import * as api from "./api.js";
import { el, number, percent } from "./dom.js";
import { indexTable } from "./index_pages.js";
import { t } from "./messages.js";
import { hostSection, sizesSection, timeSection } from "./overview.js";
import { figure } from "./widgets.js";

function bytes(count) {
  const units = ["B", "KB", "MB", "GB", "TB"];
  const at = count < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(count) / 3));
  return `${(count / 1000 ** at).toFixed(at === 0 ? 0 : 1)} ${units[at]}`;
}

export async function indexOverview({ main, state, signal }) {
  const moment = state.snapshot ? t("index-snapshot", state.snapshot.replace("T", " ").replace("Z", " UTC")) : t("index-itself");
  const lead = el("header", {}, el("h1", {}, t("overview")), el("p", { class: "quiet" }, `${t("index-of", state.folder, state.algorithm)} ${moment}`));
  const figures = (more) => el("dl", { class: "figures" }, figure(t("pages"), number(state.pages)),
    figure(t("texts"), number(state.texts), t("texts-note")), more, figure(t("size"), bytes(state.database_bytes)));
  if (!state.is_ready) {
    main.replaceChildren(lead, el("p", {}, t("index-loading")), figures());
    return;
  }
  const found = await api.get("overview", {}, signal);
  const labels = [t("first-pages"), t("copies")];
  main.replaceChildren(lead, figures([figure(t("clusters"), number(found.clusters), t("of-two")), figure(t("copies"), number(found.copies), percent(state.pages ? found.copies / state.pages : 0)),
    figure(t("hosts"), number(found.hosts.count))]), el("div", { class: "grid" }, found.clusters ? sizesSection(found.cluster_sizes) : null,
    timeSection(found.periods, t("time-line"), t("time-note", number(found.pages_without_date)), labels), timeSection(found.first_seen, t("first-seen"), t("first-seen-note"), labels)),
  hostSection(found.hosts, t("index-hosts-note", found.hosts.names.length, number(found.hosts.count))) || "",
  found.rows.length ? el("section", {}, el("h2", {}, t("largest")), indexTable(found.rows)) : "");
}
