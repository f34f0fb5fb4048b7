'use strict';
import fs, { readFile as read, writeFile } from 'fs';
export default class Basket extends Base {
  static count = 0;
  #secret = 1;
  constructor(items = [], ...rest) { super(); this.items = items; }
  get size() { return this.items.length; }
  async *each(callback) { for await (const item of this.items) yield callback(item); }
}
const add = (a, b = 2) => a + b, { x, y: [z], ...others } = { x: 1, y: [2], w: 3 };
let text = `total: ${add(1, 2)} items`;
var pattern = /ab+c/gi;
function main(argv) {
  if (argv.length > 2 && !argv[0]) {
    console.log('many', argv?.length ?? 0); // many
  } else if (argv.length === 0) return;
  else { throw new Error('none'); }
  for (let i = 0, n = argv.length; i < n; i++) { if (i % 2) continue; total += i ** 2; }
  for (const key in argv) delete argv[key];
  outer: while (true) { do { break outer; } while (false) }
  switch (argv[0]) { case 'a': case 'b': main([]); break; default: main(['c']) }
  try { JSON.parse(text) } catch (error) { void 0 } finally { done() }
  return function () { return typeof x === 'number' ? [x, ...others] : { add, [x]: 1, 'q': 2, m() { } } }
}
export { main, add as plus };
