/** Finds the places of a source file where one operator can be changed, and the new text for each. */
import { parseSync, Visitor } from 'oxc-parser';

/**
 * A change of one operator.
 * @typedef {{ start: number, end: number, text: string }} Mutation start and end: offsets in the source in UTF-16 units;
 * text: what is written there instead
 */

/** @typedef {{ start: number, end: number }} Span */

/** @type {Record<string, string[]>} */
const operators = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '++': ['--'],
  '--': ['++'],
};

/** Methods, each with a method that does the opposite or a part of the work. */
const methods = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['indexOf', 'lastIndexOf'],
  ['lastIndexOf', 'indexOf'],
  ['find', 'findLast'],
  ['findLast', 'find'],
  ['findIndex', 'findLastIndex'],
  ['findLastIndex', 'findIndex'],
  ['trimStart', 'trimEnd'],
  ['trimEnd', 'trimStart'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
]);

/**
 * Returns every mutation of a TypeScript file, in the order of the text.
 * @param {string} name
 * @param {string} source
 * @returns {Mutation[]}
 */
export function mutationsOf(name, source) {
  /** @type {Mutation[]} */
  const found = [];
  /** @type {Span[]} */
  const skipped = [];
  const text = (/** @type {Span} */ { start, end }) => source.slice(start, end);
  const put = (/** @type {Span} */ { start, end }, /** @type {string} */ instead) =>
    found.push({ start, end, text: instead });

  /** Replaces the operator between two operands by other operators. */
  const between = (/** @type {Span} */ left, /** @type {Span} */ right, /** @type {string} */ operator) => {
    const start = source.indexOf(operator, left.end);
    if (start === -1 || start >= right.start) return;
    for (const other of operators[operator] ?? []) put({ start, end: start + operator.length }, other);
  };
  /** Negates a condition. */
  const negate = (/** @type {{ type: string } & Span} */ test) => {
    if (test.type !== 'UnaryExpression' && test.type !== 'LogicalExpression') put(test, `!(${text(test)})`);
  };

  new Visitor({
    TSLiteralType: (node) => void skipped.push(node),
    BinaryExpression(node) {
      if (node.operator === '+' && [node.left, node.right].some(isText)) return;
      between(node.left, node.right, node.operator);
    },
    LogicalExpression(node) {
      if (node.operator === '??') {
        put(node, text(node.left));
        // A literal default is mostly there for the type only, so it isn't changed itself. Removing it tests whether it is needed.
        if (node.right.type === 'Literal') skipped.push(node.right);
      } else between(node.left, node.right, node.operator);
    },
    AssignmentExpression: (node) => between(node.left, node.right, node.operator),
    UpdateExpression(node) {
      const start = node.prefix ? node.start : node.end - 2;
      for (const other of operators[node.operator] ?? []) put({ start, end: start + 2 }, other);
    },
    UnaryExpression(node) {
      if (node.operator === '!' || node.operator === '-') put(node, text(node.argument));
    },
    AwaitExpression: (node) => void put({ start: node.start, end: node.argument.start }, ''),
    IfStatement(node) {
      negate(node.test);
      if (node.alternate === null) put(node.test, 'false');
    },
    ConditionalExpression: (node) => negate(node.test),
    WhileStatement: (node) => void put(node.test, 'false'),
    ExpressionStatement(node) {
      if (!node.directive) put(node, ';');
    },
    MemberExpression(node) {
      if (node.optional) withoutQuestion(node.object, node.property, node.computed ? '' : '.');
      const other = node.computed || !('name' in node.property) ? undefined : methods.get(node.property.name);
      if (other !== undefined) put(node.property, other);
    },
    CallExpression(node) {
      if (node.optional) withoutQuestion(node.callee, { start: node.end, end: node.end }, '');
      const [first, second, third] = node.arguments;
      if (!first || !second || third || [first, second].some(({ type }) => type === 'SpreadElement')) return;
      if ([first, second].some(({ type }) => /Function/.test(type)) || /\.(min|max)$/.test(text(node.callee)))
        return;
      put(
        { start: first.start, end: second.end },
        `${text(second)}${source.slice(first.end, second.start)}${text(first)}`,
      );
    },
    Literal(node) {
      if ('regex' in node) return found.push(...anchors(node, node.regex));
      if (typeof node.value === 'number') put(node, String(node.value + 1));
      if (typeof node.value === 'boolean') put(node, String(!node.value));
      if (node.value === '') put(node, "'k3'");
    },
  }).visit(parseSync(name, source).program);

  return found
    .filter((one) => !skipped.some(({ start, end }) => start <= one.start && one.end <= end))
    .sort((a, b) => a.start - b.start || a.end - b.end);

  /** Removes the question mark of an optional access or call. */
  function withoutQuestion(
    /** @type {Span} */ object,
    /** @type {Span} */ next,
    /** @type {string} */ instead,
  ) {
    const start = source.indexOf('?.', object.end);
    if (start !== -1 && start < next.start) put({ start, end: start + 2 }, instead);
  }
}

/** Whether a plus beside this operand joins strings. */
function isText(/** @type {{ type: string, value?: unknown }} */ { type, value }) {
  return type === 'TemplateLiteral' || typeof value === 'string';
}

/**
 * Returns a regular expression without its initial `^` and without its final `$`.
 * @param {Span} node
 * @param {{ pattern: string, flags: string }} regex
 * @returns {Mutation[]}
 */
function anchors({ start, end }, { pattern, flags }) {
  const others = [];
  if (pattern.startsWith('^') && pattern.length > 1) others.push(pattern.slice(1));
  if (/[^\\]\$$/.test(pattern)) others.push(pattern.slice(0, -1));
  return others.map((other) => ({ start, end, text: `/${other}/${flags}` }));
}

/**
 * Returns the line of a mutation, from 1, and the line's text with the change in it: `if (a «<→<=» b)`.
 * @param {string} source
 * @param {Mutation} mutation
 */
export function described(source, { start, end, text }) {
  const from = source.lastIndexOf('\n', start - 1) + 1;
  const to = source.indexOf('\n', end);
  const before = source.slice(from, start).trimStart();
  const after = source.slice(end, to === -1 ? undefined : to);
  const old = source.slice(start, end);
  // For a long statement or condition, the short form of the change is enough.
  const change = text.startsWith('!(') && text.includes(old) ? `!(${old})` : `${old}→${text}`;
  return {
    line: source.slice(0, start).split('\n').length,
    change: `${before}«${change}»${after}`.replace(/\s+/g, ' ').trim(),
  };
}
