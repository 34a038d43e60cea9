"use strict";
(() => {
  const cell = (row, text, name) => {
    const td = row.insertCell();
    td.textContent = text;
    if (name) td.className = name;
    return td;
  };
  const when = (text) => {
    const d = new Date(text);
    const two = (n) => String(n).padStart(2, "0");
    return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}:${two(d.getMinutes())}`;
  };
  const quote = (s) => "'" + s.replaceAll("'", "'\\''") + "'";

  // Sorting: a click or Enter on a heading.
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((th, column) => {
      const button = document.createElement("button");
      button.textContent = th.textContent;
      th.textContent = "";
      th.append(button);
      button.addEventListener("click", () => {
        const down = th.getAttribute("aria-sort") !== "descending";
        heads.forEach((h) => h.removeAttribute("aria-sort"));
        th.setAttribute("aria-sort", down ? "descending" : "ascending");
        if (table.id === "list") {
          order = { column, down };
          show();
          return;
        }
        const value = (row) => {
          const c = row.cells[column];
          return c.classList.contains("n") ? Number(c.dataset.n ?? c.textContent) || 0 : c.textContent;
        };
        const rows = [...table.tBodies[0].rows].sort((a, b) => compare(value(a), value(b)) * (down ? -1 : 1));
        table.tBodies[0].append(...rows);
      });
    });
  }
  function compare(a, b) {
    return typeof a === "number" ? a - b : a.localeCompare(b);
  }

  const list = document.getElementById("list");
  if (!list) return;
  const entries = JSON.parse(document.getElementById("data").textContent) ?? [];
  const filter = document.getElementById("filter");
  const boxes = [...document.querySelectorAll("[data-decision]")];
  const shown = document.getElementById("shown");
  const body = list.tBodies[0];
  const columns = [(e) => e.decision, (e) => e.rule, (e) => e.command, (e) => e.times, (e) => e.yes, (e) => e.last];
  let order = null;

  function show() {
    const wanted = new Set(boxes.filter((b) => b.checked).map((b) => b.dataset.decision));
    const text = filter.value.toLowerCase();
    let found = entries.filter((e) => wanted.has(e.decision) && (!text || (e.command + "\n" + e.rule + "\n" + e.dir + "\n" + e.agent).toLowerCase().includes(text)));
    if (order) {
      const value = columns[order.column];
      found = [...found].sort((a, b) => compare(value(a), value(b)) * (order.down ? -1 : 1));
    }
    const rows = document.createDocumentFragment();
    for (const e of found) {
      const tr = document.createElement("tr");
      tr.tabIndex = 0;
      tr.entry = e;
      cell(tr, e.decision, "d-" + e.decision);
      cell(tr, e.rule);
      cell(tr, e.command.replaceAll("\n", " ⏎ "), "command");
      cell(tr, e.times, "n");
      cell(tr, e.decision === "ask" ? e.yes : "", "n");
      cell(tr, when(e.last), "n");
      rows.append(tr);
    }
    body.replaceChildren(rows);
    shown.textContent = found.length + " of " + entries.length;
  }

  // Offsets in the log count bytes of UTF-8, strings here count UTF-16 units.
  function marked(command, spans) {
    const pre = document.createElement("pre");
    const bytes = new TextEncoder().encode(command);
    const text = new TextDecoder();
    let at = 0;
    for (const [from, to] of spans ?? []) {
      if (from < at || to <= from || to > bytes.length) continue;
      pre.append(text.decode(bytes.subarray(at, from)));
      const mark = document.createElement("mark");
      mark.textContent = text.decode(bytes.subarray(from, to));
      pre.append(mark);
      at = to;
    }
    pre.append(text.decode(bytes.subarray(at)));
    return pre;
  }

  function toggle(tr) {
    if (!tr || !tr.entry) return;
    if (tr.nextElementSibling?.classList.contains("open")) {
      tr.nextElementSibling.remove();
      return;
    }
    const e = tr.entry;
    const open = document.createElement("tr");
    open.className = "open";
    const td = open.insertCell();
    td.colSpan = 6;
    td.append(marked(e.command, e.spans));
    const dl = document.createElement("dl");
    const facts = { reason: e.reason, "ran instead": e.rewritten, "answered instead": e.answered, rule: e.rule, directory: e.dir, agent: e.agent, tool: e.tool, last: e.last, explain: e.shell ? "longline explain --cwd " + quote(e.dir) + " " + quote(e.command) : "" };
    for (const [name, value] of Object.entries(facts)) {
      if (!value) continue;
      const dt = document.createElement("dt");
      dt.textContent = name;
      const dd = document.createElement("dd");
      dd.textContent = value;
      if (name === "explain" || name === "ran instead") dd.className = "command";
      dl.append(dt, dd);
    }
    td.append(dl);
    tr.after(open);
  }

  body.addEventListener("click", (event) => toggle(event.target.closest("tr")));
  filter.addEventListener("input", show);
  boxes.forEach((b) => b.addEventListener("change", show));
  document.addEventListener("keydown", (event) => {
    if (event.target.tagName === "INPUT") {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const row = document.activeElement?.closest?.("#list tbody tr");
    const step = (next) => {
      let to = row ? (next ? row.nextElementSibling : row.previousElementSibling) : body.rows[0];
      while (to && !to.entry) to = next ? to.nextElementSibling : to.previousElementSibling;
      to?.focus();
    };
    switch (event.key) {
      case "/":
        filter.focus();
        break;
      case "j":
      case "ArrowDown":
        if (event.key === "j" || row) step(true);
        else return;
        break;
      case "k":
      case "ArrowUp":
        if (event.key === "k" || row) step(false);
        else return;
        break;
      case "Enter":
        if (row) toggle(row);
        else return;
        break;
      default:
        return;
    }
    event.preventDefault();
  });
  show();
})();
