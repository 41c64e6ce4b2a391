// Sorting of the report's tables. A header of class "sort" holds a button; cells may carry data-v, the value to sort by.
"use strict";
(function () {
  function valueOf(row, column) {
    const cell = row.cells[column];
    const text = cell.dataset.v === undefined ? cell.textContent.trim() : cell.dataset.v;
    const number = Number(text);
    return text !== "" && !Number.isNaN(number) ? number : text;
  }

  function compare(x, y) {
    if (typeof x === "number" && typeof y === "number") return x - y;
    if (typeof x === "number") return -1;
    if (typeof y === "number") return 1;
    return x < y ? -1 : x > y ? 1 : 0;
  }

  function sort(table, header) {
    const column = header.cellIndex;
    const before = header.getAttribute("aria-sort");
    const first = header.classList.contains("number") ? "descending" : "ascending";
    const order = before === null ? first : before === "ascending" ? "descending" : "ascending";
    for (const other of header.parentNode.cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, (row) => ({ row, value: valueOf(row, column) }));
    rows.sort((x, y) => sign * compare(x.value, y.value));
    body.append(...rows.map((entry) => entry.row));
  }

  for (const header of document.querySelectorAll("th.sort")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener("click", () => sort(header.closest("table"), header));
  }

  // For the browser test: sorts every column both ways and says whether the rows came out in order.
  function selfCheck() {
    const faults = [];
    for (const header of document.querySelectorAll("th.sort")) {
      const table = header.closest("table");
      const count = table.tBodies[0].rows.length;
      for (let turn = 0; turn < 2; ++turn) {
        header.querySelector("button").click();
        const sign = header.getAttribute("aria-sort") === "ascending" ? 1 : -1;
        const values = Array.from(table.tBodies[0].rows, (row) => valueOf(row, header.cellIndex));
        const sorted = values.every((value, i) => i === 0 || sign * compare(values[i - 1], value) <= 0);
        if (!sorted || values.length !== count) faults.push("column " + header.textContent);
      }
    }
    return faults;
  }
  if (location.hash === "#self-check") {
    const faults = selfCheck();
    document.documentElement.dataset.selfCheck = faults.length ? "failed: " + faults.join("; ") : "ok";
  }
})();
