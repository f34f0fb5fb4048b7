#!/usr/bin/env python3
"""Opens pages in a headless Chromium and checks what must hold for each: check.py PAGE.json ...

Each JSON file names a page, and what its charts must show:
  {"page": "x.html", "title": "…", "curve": [[0, 401], [12, 305]], "rows": {"items": 11},
   "search": [["removed", "needle", 1]], "steps": [["Runs by time", "gbr", [[0.5, 0.1]]]],
   "bars": [["Paths by outcome", 7]], "bins": [["Inputs by easiness", 12]],
   "graph": {"nodes": ["T", "Log"], "edges": [["T", "Log"]]},
   "move": {"class": "T", "save": "change.toml"}}
"steps" are values of a curve, "bars" and "bins" the sums of all parts of a chart, "move" is a class
of a comparison that is moved before the specification is saved.
Prints each check that fails, and exits with 1 if there is one.
"""

import json
import sys
from pathlib import Path

from chromium import Chromium

FAILED = []


def check(holds, what, found=""):
    if not holds:
        FAILED.append(f"{what}: {found}" if found != "" else what)


def checked(browser, wanted):
    name = wanted["page"]

    def holds(condition, what, found=""):
        check(condition, f"{name}: {what}", found)

    browser.open(name)
    quiet(browser, holds)
    holds(browser.evaluate("document.querySelector('h1').textContent") == wanted["title"], "title",
          browser.evaluate("document.querySelector('h1').textContent"))
    holds("harmed" not in browser.evaluate("document.title.split('–').pop()"), "a script of the input ran")
    holds(browser.evaluate("document.querySelectorAll('script').length") == 1, "one script")
    holds(browser.evaluate("document.querySelectorAll('main img, main iframe, main script').length") == 0, "no markup of the input")
    plots(browser, wanted, holds)
    charts(browser, wanted, holds)
    graph(browser, wanted, holds)
    moves(browser, wanted, holds)
    folds(browser, holds)
    sorts(browser, holds)
    searches(browser, wanted, holds)
    keys(browser, holds)
    colours(browser, holds)
    narrow(browser, name, holds)
    prints(browser, holds)
    quiet(browser, holds)


def quiet(browser, holds):
    holds(browser.complaints() == [], "the console is silent", browser.complaints())
    holds(browser.requests() == [], "nothing is requested", browser.requests())


def plots(browser, wanted, holds):
    if "curve" not in wanted:
        return
    points = browser.evaluate("""[...document.querySelectorAll('.series.step')].map(series =>
        series.dataset.points.split(' ').map(pair => pair.split(',').map(Number)))""")
    holds(points[0] == wanted["curve"], "size over tests", points[0])
    holds([size for _, size in points[1]] == [size for _, size in wanted["curve"]], "size over time", points[1])
    # What is drawn is what the numbers say: the last point lies where its share of the axes is.
    place = browser.evaluate("""(() => {
        const area = document.querySelector('.area'), path = area.querySelector('.series.step');
        const end = path.getPointAtLength(path.getTotalLength()), { xLeast, xMost, yLeast, yMost, yLog } = area.dataset;
        return { x: end.x / 1000, y: 1 - end.y / 1000, least: [+xLeast, +yLeast], most: [+xMost, +yMost], log: yLog === 'true' };
    })()""")
    x, y = wanted["curve"][-1]
    if not place["log"]:
        share = [(value - low) / (high - low) for value, low, high in zip((x, y), place["least"], place["most"])]
        holds(abs(share[0] - place["x"]) < 0.01 and abs(share[1] - place["y"]) < 0.01, "the end of the curve", place)
    box = browser.evaluate("""(() => { const box = document.querySelector('.area').getBoundingClientRect();
        scrollTo({ top: box.top + scrollY - 200, behavior: 'instant' }); const at = document.querySelector('.area').getBoundingClientRect();
        return [at.left + at.width - 1, at.top + at.height / 2]; })()""")
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=box[0], y=box[1])
    text = browser.evaluate("document.querySelector('.readout').textContent")
    # The pointer is just before the end.
    size = [size for test, size in wanted["curve"] if test < wanted["curve"][-1][0]][-1]
    holds(f"best: {size:,} bytes" in text, "the read-out under the pointer", text)
    total = browser.evaluate("[...document.querySelectorAll('.bin')].reduce((sum, bin) => sum + Number(bin.dataset.count), 0)")
    holds(total == wanted["tests"], "the histogram counts every test", total)
    by_verdict = browser.evaluate("""[...document.querySelectorAll('#tests .bars rect')]
        .reduce((sum, part) => sum + Number(part.dataset.value), 0)""")
    holds(by_verdict == wanted["tests"], "the bars count every test", by_verdict)


CHART = "[...document.querySelectorAll('figure.chart')].find(one => one.querySelector('.title').textContent === {title})"


def charts(browser, wanted, holds):
    """Compares charts with the numbers that the page was made of."""
    for title, name, values in wanted.get("steps", []):
        points = browser.evaluate(f"""(() => {{ const chart = {CHART.format(title=json.dumps(title))};
            const series = [...chart.querySelectorAll('.series.step')].find(one => one.dataset.name === {json.dumps(name)});
            return series.dataset.points.split(' ').map(pair => pair.split(',').map(Number)); }})()""")
        for x, y in values:
            reached = [share for value, share in points if value <= x * 1.000001]
            holds(reached and abs(reached[-1] - y) < 1e-4, f"{name} of “{title}” at {x}", [y, points])
        holds(abs(points[-1][1] - values[-1][1]) < 1e-4, f"the end of {name} in “{title}”", points[-1])
    for title, total in wanted.get("bars", []):
        shown = browser.evaluate(f"""(() => {{ const chart = {CHART.format(title=json.dumps(title))};
            return [...chart.querySelectorAll('.row')].map(row => [row.querySelector('.note').textContent,
                [...row.querySelectorAll('rect')].reduce((sum, part) => sum + Number(part.dataset.value), 0),
                [...row.querySelectorAll('rect')].reduce((sum, part) => sum + Number(part.getAttribute('width')), 0)]); }})()""")
        holds(sum(row[1] for row in shown) == total, f"the bars of “{title}”", shown)
        longest = max(row[1] for row in shown)
        for note, value, width in shown:
            holds(note.split()[0] == f"{value:,}", f"the number beside a bar of “{title}”", [note, value])
            holds(abs(width - 1000 * value / longest) < 1, f"the length of a bar of “{title}”", [width, value])
    for title, total in wanted.get("bins", []):
        shown = browser.evaluate(f"""(() => {{ const chart = {CHART.format(title=json.dumps(title))};
            return [...chart.querySelectorAll('.bin')].map(bin => [Number(bin.dataset.count), Number(bin.getAttribute('height'))]); }})()""")
        holds(sum(count for count, _ in shown) == total, f"the bins of “{title}”", shown)
        scale = shown[0][1] / shown[0][0] if shown else 0
        holds(all(abs(height - scale * count) < 1 for count, height in shown), f"the heights of “{title}”", shown)


def graph(browser, wanted, holds):
    if "graph" not in wanted:
        return
    names = browser.evaluate("[...document.querySelectorAll('.class-graph .node')].map(node => node.dataset.name)")
    holds(names == wanted["graph"]["nodes"], "the classes of the graph", names)
    edges = browser.evaluate("[...document.querySelectorAll('.class-graph .edge')].map(edge => [edge.dataset.from, edge.dataset.to])")
    holds(edges == wanted["graph"]["edges"], "the edges of the graph", edges)
    # An edge ends in the rows of its classes.
    apart = browser.evaluate("""[...document.querySelectorAll('.class-graph .edge')].filter(edge => {
        const row = name => { const box = [...document.querySelectorAll('.class-graph .node')].find(node => node.dataset.name === name)
            .getBBox(); return box.y + box.height / 2; };
        const end = edge.getPointAtLength(edge.getTotalLength()), start = edge.getPointAtLength(0);
        return Math.abs(start.y - row(edge.dataset.from)) > 6 || Math.abs(end.y - row(edge.dataset.to)) > 6;
    }).length""")
    holds(apart == 0, "edges end at their classes", apart)
    for dark in [False, True]:
        browser.colours(dark)
        for width in [400, 1100, 1500]:
            browser.resize(width)
            outside = browser.evaluate("""[...document.querySelectorAll('.class-graph text')].filter(text => {
                const box = text.getBoundingClientRect(), svg = text.closest('svg').getBoundingClientRect();
                return box.width < 5 || box.height < 9 || box.left < svg.left - 1 || box.right > Math.min(svg.right, innerWidth) + 1;
            }).map(text => text.textContent)""")
            holds(outside == [], f"names of the graph can be read at {width} px", outside)
        same = browser.evaluate("""(() => { const paper = getComputedStyle(document.body).backgroundColor;
            return [...document.querySelectorAll('.class-graph :is(text, rect, circle)')]
                .filter(one => getComputedStyle(one).fill === paper).length; })()""")
        holds(same == 0, "the graph is not in the colour of the paper", same)
    browser.colours(False)
    browser.resize(1280)


def moves(browser, wanted, holds):
    """Moves a class to another list and back, and saves the specification that says so."""
    if "move" not in wanted:
        return
    name = json.dumps(wanted["move"]["class"])
    row = f"[...document.querySelectorAll('.classes li')].find(row => row.querySelector('code').textContent === {name})"
    where = f"{row}.closest('.classes > div').className"
    saved = "decodeURIComponent(document.getElementById('specification').href.split(',')[1])"
    marked = f"""[...document.querySelectorAll('.class-graph .node')].filter(node => node.dataset.name === {name})
        .every(node => node.classList.contains('affected'))"""
    before, text, was_affected = browser.evaluate(where), browser.evaluate(saved), browser.evaluate(marked)
    browser.evaluate(f"{row}.querySelector('button').click()")
    after = browser.evaluate(where)
    holds({before, after} == {"unaffected", "affected"}, "a click moves the class", [before, after])
    holds(browser.evaluate(f"{row}.classList.contains('moved')"), "the class is marked as moved")
    drawn = f"[...document.querySelectorAll('.class-graph .node')].some(node => node.dataset.name === {name})"
    if browser.evaluate(drawn):
        holds(browser.evaluate(marked) != was_affected, "the graph follows")
    specification = browser.evaluate(saved)
    holds(specification != text and wanted["move"]["class"] in specification, "the specification follows", specification)
    link = "document.getElementById('specification')"
    holds(browser.evaluate(f"{link}.checkVisibility() && {link}.download") == "change.toml", "it can be saved")
    Path(wanted["move"]["save"]).write_text(specification)
    browser.evaluate(f"{row}.querySelector('button').click()")
    holds(browser.evaluate(where) == before, "a second click moves it back", browser.evaluate(where))
    holds(browser.evaluate(saved) == text, "the specification is as before", browser.evaluate(saved))


def folds(browser, holds):
    count = browser.evaluate("document.querySelectorAll('main details').length")
    if not count:
        return
    for key, is_open in [("e", True), ("c", False)]:
        browser.press(key)
        holds(browser.evaluate(f"[...document.querySelectorAll('main details')].every(one => one.open === {str(is_open).lower()})"),
              f"the key {key} folds")
    browser.evaluate("document.querySelector('main summary').click()")
    holds(browser.evaluate("document.querySelector('main details').open"), "a click unfolds")


def sorts(browser, holds):
    heads = browser.evaluate("document.querySelectorAll('main th .sort').length")
    for index in range(min(heads, 40)):
        column = f"""(() => {{ const head = document.querySelectorAll('main th .sort')[{index}].closest('th');
            return [...head.closest('table').tBodies[0].rows].map(row => {{
                const cell = row.cells[head.cellIndex]; return cell.dataset.key === undefined ? cell.textContent.trim() : Number(cell.dataset.key); }}); }})()"""
        orders = {}
        for _ in range(2):
            browser.evaluate(f"document.querySelectorAll('main th .sort')[{index}].click()")
            order = browser.evaluate(f"document.querySelectorAll('main th .sort')[{index}].closest('th').getAttribute('aria-sort')")
            orders[order] = browser.evaluate(column)
        holds(set(orders) == {"ascending", "descending"}, f"column {index} sorts both ways", list(orders))
        if all(isinstance(value, (int, float)) for value in orders.get("ascending", [""])):
            holds(orders["ascending"] == sorted(orders["ascending"]), f"column {index} sorts numbers", orders)
            holds(orders["descending"] == sorted(orders["ascending"], reverse=True), f"column {index} sorts down")


def searches(browser, wanted, holds):
    for section, words, count in wanted.get("search", []):
        unfolded = f"document.querySelectorAll('#{section} details[open]').length"
        before = browser.evaluate(unfolded)
        browser.evaluate(f"""(() => {{ const input = document.querySelector('#{section} input[type=search]');
            input.value = {json.dumps(words)}; input.dispatchEvent(new Event('input')); }})()""")
        shown = browser.evaluate(f"""(() => {{ const scope = document.querySelector('#{section} input[type=search]').closest('.table, .searched');
            const rows = scope.matches('.table') ? scope.querySelectorAll('tbody tr') : scope.querySelectorAll('li');
            return [...rows].filter(row => row.checkVisibility() && !row.querySelector('li')).length; }})()""")
        holds(shown == count, f"searching {words!r} in {section}", shown)
        said = browser.evaluate(f"""document.querySelector('#{section} input[type=search]')
            .closest('.table, .searched').querySelector('output').textContent""")
        holds(said.startswith(f"{count} of "), f"the count of {words!r} in {section} is of items", said)
        browser.evaluate(f"""(() => {{ const input = document.querySelector('#{section} input[type=search]');
            input.value = ''; input.dispatchEvent(new Event('input')); }})()""")
        holds(browser.evaluate(unfolded) == before, f"folds of {section} are as before the search")


def keys(browser, holds):
    browser.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    browser.evaluate("document.body.click()")
    sections = browser.evaluate("[...document.querySelectorAll('main > section')].map(section => section.id)")
    for expected in sections[:3]:
        browser.press("j")
        holds(browser.evaluate("document.activeElement.id") == expected, f"the key j goes to {expected}",
              browser.evaluate("document.activeElement.id"))
    browser.press("k")
    holds(browser.evaluate("document.activeElement.id") == sections[min(len(sections), 3) - 2], "the key k goes back")
    holds(browser.evaluate("document.querySelectorAll('nav [aria-current]').length") == 1, "the navigation shows the section")
    browser.press("?")
    holds(browser.evaluate("document.getElementById('keys').open"), "the key ? explains the keys")
    browser.evaluate("document.getElementById('keys').close()")
    if browser.evaluate("document.querySelector('input[type=search]') !== null"):
        browser.press("/")
        holds(browser.evaluate("document.activeElement.type") == "search", "the key / goes to a search")
        browser.press("j")
        holds(browser.evaluate("document.activeElement.value") == "j", "letters of a search are no keys")
        browser.evaluate("document.activeElement.value = ''")
        browser.evaluate("document.activeElement.blur()")


def colours(browser, holds):
    paper = "getComputedStyle(document.body).backgroundColor"
    light = browser.evaluate(paper)
    browser.press("t")
    dark = browser.evaluate(paper)
    holds(light != dark, "the key t changes light and dark", [light, dark])
    browser.press("t")
    browser.press("t")
    holds(browser.evaluate(paper) == light, "and comes back")
    browser.colours(True)
    holds(browser.evaluate(paper) == dark, "dark as the system says", browser.evaluate(paper))
    browser.colours(False)


def narrow(browser, name, holds):
    for width in [400, 1100, 1280]:
        browser.resize(width)
        browser.press("e")
        wide = browser.evaluate("document.documentElement.scrollWidth")
        holds(wide <= width, f"nothing is wider than {width} px", wide)
        cut = browser.evaluate("""[...document.querySelectorAll('main *')].filter(one => {
            if (!one.checkVisibility() || one.closest('svg, thead, .hidden, caption')) return false;
            const box = one.getBoundingClientRect();
            return box.width > 1 && (box.right > innerWidth + 1 || box.left < -1);
        }).slice(0, 5).map(one => one.tagName + '.' + one.className + ': ' + one.textContent.slice(0, 60))""")
        holds(cut == [], f"nothing is cut off at {width} px", cut)
        texts = browser.evaluate("""[...document.querySelectorAll('.plot text')].filter(one => {
            const box = one.getBoundingClientRect();
            return getComputedStyle(one).visibility === 'visible' && box.width && (box.right > innerWidth || box.left < 0);
        }).map(one => one.textContent)""")
        holds(texts == [], f"no text of a chart is cut off at {width} px", texts)


def prints(browser, holds):
    size = len(browser.call("Page.printToPDF")["data"])
    holds(size > 5000, "it prints", size)


def main():
    with Chromium() as browser:
        for path in sys.argv[1:]:
            checked(browser, json.loads(Path(path).read_text()))
    for failure in FAILED:
        print(failure)
    sys.exit(1 if FAILED else 0)


main()
