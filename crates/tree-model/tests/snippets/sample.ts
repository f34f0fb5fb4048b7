import type { Shape } from './shape';
export interface Point<T extends number = number> extends Base, Other { readonly x: T; y?: number; move(dx: number, dy?: number): void; [key: string]: unknown }
type Result<T> = { ok: true; value: T } | { ok: false; error: Error } | null;
enum Color { Red, Green = 'green', Blue = 1 << 2 }
abstract class Basket<T> implements Iterable<T> {
  private readonly items: T[] = [];
  constructor(public name: string, protected size?: number) {}
  abstract total(): number;
  static of<U>(...items: U[]): Basket<U> { return undefined as unknown as Basket<U>; }
  get first(): T | undefined { return this.items[0]!; }
  async load(url: string): Promise<Result<T>> {
    const response = await fetch(url, { method: 'GET', headers: {} });
    if (!response.ok) { return { ok: false, error: new Error(`bad ${url}`) }; }
    for (const item of [1, 2, 3]) { this.items.push(item as any); }
    return { ok: true, value: <any>response };
  }
}
function isPoint(value: unknown): value is Point { return typeof value === 'object' && value !== null && 'x' in value; }
declare module 'x' { export function f(a: number): string; }
namespace Inner { export const limit: number = 10; let pair: [string, number] = ['a', 1]; }
const keys: (keyof Point)[] = ['x', 'y'], fn: (a: number, b: string) => void = (a, b) => {};
export default Basket;
