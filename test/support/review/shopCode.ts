/** The demo model replaces `var`, `new Array()`, and `==`: three hunks in this code. */
export const SHOP_CODE = `// A small shop.
var total = 0;

function sum(items) {
  var result = new Array();
  for (const item of items) result.push(item);
  return result;
}

function same(a, b) {
  return a == b;
}
`;
