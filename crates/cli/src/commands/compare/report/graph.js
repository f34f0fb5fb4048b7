// Two columns of classes, what may change on the left. A click moves a class to the other column.
const ROW = 26, WIDTH = 900;
const MARKS = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = text => text.replace(/[&<>"]/g, mark => MARKS[mark]);
const outermost = name => name.split('$')[0];

const rule = (kind, names) => names.length ? `\n[[${kind}]]\nclass = [${names.map(name => JSON.stringify(name)).join(', ')}]\n` : '';

// The specification with its rules as they are, but for the classes that were moved.
function specification() {
  const moved = new Map(DATA.classes.filter(it => it.affected !== it.was).map(it => [it.name, it]));
  const stays = name => !moved.has(outermost(name));
  const kept = DATA.rules.map(it => {
    if (!it.classes || it.classes.every(stays)) return it.text;
    const comments = it.text.split('\n').filter(line => line.trim().startsWith('#')).map(line => line + '\n').join('');
    return rule(it.kind, it.classes.filter(stays)) + comments;
  });
  const names = affected => [...moved.values()].filter(it => it.affected === affected).map(it => it.name);
  return DATA.head + kept.join('') + rule('changed', names(true)) + rule('unchanged', names(false));
}

function draw() {
  const place = {}, columns = { true: 0, false: 0 };
  for (const it of DATA.classes) {
    place[it.name] = { x: it.affected ? 20 : WIDTH / 2 + 60, y: 34 + ROW * columns[it.affected]++, affected: it.affected };
  }
  const height = 40 + ROW * Math.max(columns[true], columns[false], 1);
  const lines = DATA.edges.map(([from, to]) => {
    const a = place[from], b = place[to];
    const crosses = a.affected !== b.affected;
    return `<line x1="${a.x - 6}" y1="${a.y - 4}" x2="${b.x - 6}" y2="${b.y - 4}" style="stroke:${crosses ? '#b3261e' : '#ddd'};opacity:.5"/>`;
  });
  const names = DATA.classes.map((it, at) => {
    const spot = place[it.name], colour = it.affected ? '#b3261e' : '#2a7a3b';
    const text = `<text ${it.fixed ? 'class="fixed"' : `data-at="${at}"`} x="${spot.x + 4}" y="${spot.y}">${escaped(it.name)}</text>`;
    return `<circle cx="${spot.x - 6}" cy="${spot.y - 4}" r="4" fill="${colour}"/>${text}`;
  });
  const heads = `<text x="14" y="14" fill="#777">may change</text><text x="${WIDTH / 2 + 54}" y="14" fill="#777">must not change</text>`;
  document.getElementById('graph').innerHTML = `<svg viewBox="0 0 ${WIDTH} ${height}">${heads}${lines.join('')}${names.join('')}</svg>`;
  for (const name of document.querySelectorAll('#graph text[data-at]')) {
    name.addEventListener('click', () => {
      const it = DATA.classes[name.dataset.at];
      it.affected = !it.affected;
      draw();
    });
  }
  document.getElementById('download').href = 'data:text/plain;charset=utf-8,' + encodeURIComponent(specification());
}
draw();
