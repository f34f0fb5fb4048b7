// What a page of Lapidary does when it is used. Everything can be read without it.
"use strict";
(() => {
  const root = document.documentElement;
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // Light, dark, or as the system says.
  const themes = ["", "light", "dark"];
  const remembered = () => { try { return localStorage.getItem("lapidary-theme") || ""; } catch { return ""; } };
  const setTheme = (theme) => {
    if (theme) root.dataset.theme = theme; else delete root.dataset.theme;
    try { localStorage.setItem("lapidary-theme", theme); } catch { /* a page from disk may have no storage */ }
  };
  const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;
  // The first press always changes what is seen.
  const nextTheme = () => {
    const order = isDark() ? ["", "light", "dark"] : ["", "dark", "light"];
    setTheme(order[(order.indexOf(root.dataset.theme || "") + 1) % order.length]);
  };
  if (themes.includes(remembered())) setTheme(remembered());
  document.getElementById("theme-button").addEventListener("click", nextTheme);

  const keys = document.getElementById("keys");
  document.getElementById("help-button").addEventListener("click", () => keys.showModal());

  // Sorting by the column whose head is pressed.
  const value = (row, column) => {
    const cell = row.cells[column];
    if (!cell) return "";
    const key = cell.dataset.key;
    return key === undefined ? cell.textContent.trim() : Number(key);
  };
  const compare = (one, other) => {
    if (typeof one === "number" && typeof other === "number") return one - other;
    // Rows without a number come last.
    if (typeof one === "number") return -1;
    if (typeof other === "number") return 1;
    return one.localeCompare(other, undefined, { numeric: true });
  };
  const sort = (head) => {
    const table = head.closest("table");
    const body = table.tBodies[0];
    const before = head.getAttribute("aria-sort");
    const falls = before ? before === "ascending" : head.classList.contains("number");
    const sign = falls ? -1 : 1;
    const rows = [...body.rows].map((row) => [value(row, head.cellIndex), row]);
    rows.sort((one, other) => sign * compare(one[0], other[0]));
    all("th", table).forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", falls ? "descending" : "ascending");
    body.append(...rows.map(([, row]) => row));
  };
  all("th .sort").forEach((button) => button.addEventListener("click", () => sort(button.closest("th"))));

  // Searching: rows and folds that lack a word of the search are hidden.
  const search = (input) => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const scope = input.closest(".table, .searched");
    const rows = scope.matches(".table") ? [...scope.querySelector("tbody").rows] : all("li", scope);
    rows.forEach((row) => {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    });
    // A search unfolds everything, and its end folds it again.
    all("details", scope).forEach((details) => {
      if (words.length && !details.open) details.dataset.folded = "true";
      if (words.length) details.open = true;
      if (!words.length && details.dataset.folded) { details.open = false; delete details.dataset.folded; }
    });
    // Items of a tree count, and what they are inside of does not.
    const items = rows.filter((row) => !row.querySelector("li"));
    const output = scope.querySelector("output");
    if (output) output.textContent = words.length ? `${items.filter((row) => !row.hidden).length} of ${items.length}` : "";
  };
  all("input[type=search]").forEach((input) => input.addEventListener("input", () => search(input)));

  // The numbers under the pointer.
  const format = (number, unit) => {
    if (unit === "share") return `${(number * 100).toFixed(1)} %`;
    if (unit === "seconds") {
      if (number >= 100) return `${Math.round(number).toLocaleString("en")} s`;
      if (number >= 1) return `${number.toFixed(1)} s`;
      return number >= 0.001 ? `${(number * 1000).toFixed(1)} ms` : `${(number * 1e6).toFixed(0)} µs`;
    }
    const text = Number(number.toFixed(3)).toLocaleString("en");
    return unit === "bytes" ? `${text} bytes` : text;
  };
  const points = new WeakMap();
  const pointsOf = (series) => {
    if (!points.has(series)) {
      points.set(series, series.dataset.points.split(" ").filter(Boolean).map((pair) => pair.split(",").map(Number)));
    }
    return points.get(series);
  };
  const valueAt = (area, share) => {
    const { xLeast, xMost, xLog } = area.dataset;
    const [least, most] = [Number(xLeast), Number(xMost)];
    return xLog === "true" ? least * (most / least) ** share : least + (most - least) * share;
  };
  const lastUpTo = (list, x) => {
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle][0] <= x) low = middle + 1; else high = middle;
    }
    return list[low - 1];
  };
  const readOut = (area, event) => {
    const box = area.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    const x = valueAt(area, share);
    const { xUnit, yUnit } = area.dataset;
    const parts = all(".series:not(.dots, .mark)", area).flatMap((series) => {
      const point = lastUpTo(pointsOf(series), x);
      return point ? [`${series.dataset.name}: ${format(point[1], yUnit)}`] : [];
    });
    all(".bin", area).forEach(({ dataset: { from, to, count } }) => {
      if (x >= Number(from) && x < Number(to)) parts.push(`${format(Number(from), xUnit)} to ${format(Number(to), xUnit)}: ${count}`);
    });
    const bands = all(".band", area).filter(({ dataset: { from, to } }) => x >= Number(from) && x <= Number(to));
    if (bands.length) parts.push(bands[bands.length - 1].dataset.name);
    const place = xUnit === "number" ? format(Math.floor(x), xUnit) : format(x, xUnit);
    area.closest(".chart").querySelector(".readout").textContent = [`at ${place}`, ...parts].join(" · ");
    const cursor = area.querySelector(".cursor");
    cursor.setAttribute("x1", share * 1000);
    cursor.setAttribute("x2", share * 1000);
    cursor.classList.add("on");
  };
  all(".area").forEach((area) => {
    area.addEventListener("pointermove", (event) => readOut(area, event));
    area.addEventListener("pointerleave", () => { area.closest(".chart").querySelector(".readout").textContent = ""; });
  });

  // The section that is being read, in the navigation and for the keys.
  const sections = all("main > section");
  const links = new Map(all("nav a").map((link) => [link.hash.slice(1), link]));
  const current = () => {
    const middle = innerHeight / 3;
    const atEnd = scrollY > 0 && innerHeight + scrollY >= root.scrollHeight - 2;
    const begun = sections.filter((section) => section.getBoundingClientRect().top <= middle);
    return atEnd && sections.length ? sections.length - 1 : begun.length - 1;
  };
  let chosen = null;
  const follow = () => {
    const at = chosen ?? current();
    links.forEach((link) => link.removeAttribute("aria-current"));
    const link = at >= 0 && links.get(sections[at].id);
    if (link) link.setAttribute("aria-current", "true");
  };
  let waiting = false;
  addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; follow(); });
  }, { passive: true });
  addEventListener("wheel", () => { chosen = null; }, { passive: true });
  addEventListener("pointerdown", () => { chosen = null; });
  const go = (step) => {
    const from = chosen ?? current();
    chosen = Math.min(sections.length - 1, Math.max(0, from + step));
    const section = sections[chosen];
    section.scrollIntoView();
    section.focus({ preventScroll: true });
    follow();
  };

  const fold = (open) => all("main details").forEach((details) => { details.open = open; });
  const toSearch = () => {
    const at = chosen ?? current();
    const here = at >= 0 ? sections[at].querySelector("input[type=search]") : null;
    const input = here || document.querySelector("input[type=search]");
    if (input) input.focus();
  };
  const does = {
    j: () => go(1), k: () => go(-1), e: () => fold(true), c: () => fold(false),
    t: nextTheme, "/": toSearch, "?": () => keys.showModal(),
  };
  addEventListener("keydown", (event) => {
    const isTyping = event.target.closest && event.target.closest("input, textarea, select");
    if (event.key === "Escape" && isTyping) return event.target.blur();
    if (isTyping || keys.open || event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(does, event.key)) return;
    event.preventDefault();
    does[event.key]();
  });

  // A link to a line that is folded away unfolds it.
  const reveal = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let at = target; at; at = at.parentElement) if (at.matches("details")) at.open = true;
    if (target) target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);

  // Paper has no folds, but a page of a thousand sheets helps nobody.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = all("main details:not([open])").filter((details) => details.childElementCount < 60);
    closed.forEach((details) => { details.open = true; });
  });
  addEventListener("afterprint", () => closed.forEach((details) => { details.open = false; }));

  if (location.hash) reveal();
  follow();
  root.dataset.ready = "true";
})();
