/** The texts of files that the tests of this folder open. */
import { SHOP_CODE } from '../../support/review/shopCode.ts';

export const PRICES = `import { sum } from './sum.js';

export function total(items, discount) {
  var prices = items.map(item => item.price);
  var all = sum(prices);
  return all - all * discount;
}

export function count(items) {
  return items.length;
}

export const first = (items) => items[0];

// An old way, no longer called.
export const oldTotal = total;
`;

/** With faults that the demo model finds. */
export const ADDING = `/** Adds up what is in a list. */
export function sum(list) {
  var total = 0;
  for (let i = 0; i <= list.length; i++) total += list[i];
  return total == 0 ? null : total;
}
`;

export const SHORT = 'var a = 1;\n\nfunction same(b, c) {\n  return b == c;\n}\n\nvar d = new Array();\n';

/** That text with all hunks accepted. */
export const TAKEN = 'let a = 1;\n\nfunction same(b, c) {\n  return b === c;\n}\n\nlet d = [];\n';

/** The code of a shop with its first hunk accepted. */
export const PLAIN_ONCE = SHOP_CODE.replace('var total', 'let total');
