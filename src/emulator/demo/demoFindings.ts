/** The findings of the demo, on the numbered lines of the last question, if its schema is for findings. */

import { type JsonObject, toObject } from '../json.ts';
import { DEMO_MARK } from './demoAnswers.ts';

interface NumberedLine {
  readonly file: string;
  readonly number: number;
  readonly text: string;
}

interface Rule {
  readonly pattern: RegExp;
  readonly severity: 'error' | 'warning' | 'info';
  readonly claim: string;
  /** Returns the fixed line; undefined if the finding has no fix. */
  readonly repair?: (line: string) => string;
}

const RULES: readonly Rule[] = [
  {
    pattern: /<=\s*[\w.]+\.length/,
    severity: 'error',
    claim: 'The loop runs past the end: the last index is `length - 1`.',
    repair: (line) => line.replace(/<=(\s*[\w.]+\.length)/, '<$1'),
  },
  {
    pattern: /catch\s*(\([^)]*\))?\s*\{\s*\}|except:\s*(pass)?$/,
    severity: 'error',
    claim: 'An error is caught here and ignored.',
  },
  {
    pattern: /[^=!<>]==[^=]/,
    severity: 'warning',
    claim: '`==` converts types before it compares.',
    repair: (line) => line.replace(/([^=!<>])==([^=])/, '$1===$2'),
  },
  { pattern: /:\s*any\b/, severity: 'warning', claim: '`any` disables type checking here.' },
  {
    pattern: /\bvar\b/,
    severity: 'warning',
    claim: '`var` is visible outside its block.',
    repair: (line) => line.replace(/\bvar\b/, 'let'),
  },
  {
    pattern: /\bargv\b|\bprocess\.env\b/,
    severity: 'warning',
    claim: 'This value is not checked before it is used.',
  },
  {
    pattern: /\bfunction\b|\bdef\b|\bfn\b|=>\s*\{/,
    severity: 'info',
    claim: 'None of the tests shown covers this.',
  },
];

const MAX_FINDINGS = 4;

/** A finding quotes its line up to three times, which would take minutes for a line of a minified file. In characters. */
const MAX_LINE = 500;

/** An answer for a schema with the fields of findings; undefined for other schemas. */
export function toDemoFindings(schema: JsonObject, question: string): JsonObject | undefined {
  const properties = toObject(schema['properties']) ?? {};
  const list = Object.entries(properties).find(([, value]) => isListOfFindings(value))?.[0];
  if (list === undefined) return undefined;
  const findings = findIn(readNumbered(question));
  const others = Object.keys(properties).filter((name) => name !== list);
  return {
    ...Object.fromEntries(others.map((name) => [name, toSummary(findings.length)])),
    [list]: findings,
  };
}

function isListOfFindings(value: unknown): boolean {
  const fields = toObject(toObject(toObject(value)?.['items'])?.['properties']) ?? {};
  return ['file', 'startLine', 'endLine', 'severity', 'claim', 'evidence', 'edit'].every(
    (name) => name in fields,
  );
}

function toSummary(count: number): string {
  if (count === 0) return `${DEMO_MARK} The demo found no problems.`;
  return `${DEMO_MARK} ${count === 1 ? '1 finding' : `${count} findings`} from simple rules.`;
}

/** The lines with a number and a bar below the heading of their file. */
function readNumbered(question: string): readonly NumberedLine[] {
  const lines: NumberedLine[] = [];
  let file = '';
  for (const line of question.split('\n')) {
    const heading = /^## File: (.+) \([^()]*\)$/.exec(line)?.[1];
    if (heading !== undefined) file = heading;
    const [, number, text] = /^ *(\d+) \| (.*)$/.exec(line) ?? [];
    if (number !== undefined && text !== undefined) lines.push({ file, number: Number(number), text });
  }
  return lines;
}

/** The first line that matches each rule, and findings on the first lines of code if too few rules match. */
function findIn(lines: readonly NumberedLine[]): readonly JsonObject[] {
  const code = lines.filter(
    ({ text }) => text.length <= MAX_LINE && /\w/.test(text) && !/^\s*(\/\/|#|\*|\/\*)/.test(text),
  );
  const ruled = RULES.flatMap((rule) => {
    const line = code.find(({ text }) => rule.pattern.test(text));
    return line === undefined ? [] : [toFinding(line, rule, lines)];
  });
  // A line that can be edited, if there is one.
  const first = code.find((line) => isOnce(line, lines)) ?? code[0];
  if (first === undefined || ruled.some(({ edit }) => edit !== null)) return ruled.slice(0, MAX_FINDINGS);
  const named: Rule = {
    pattern: /./,
    severity: 'info',
    claim: 'The purpose of this code is not documented. Add a comment.',
    repair: (line) =>
      `${line.match(/^\s*/)?.[0] ?? ''}${commentSign(first.file)} What this is for (demo).\n${line}`,
  };
  const last = code.find((line) => line.text.includes('return')) ?? code.at(-1) ?? first;
  const edge: Rule = {
    pattern: /./,
    severity: 'warning',
    claim: 'Empty input is not handled explicitly.',
  };
  return [toFinding(first, named, lines), ...ruled, toFinding(last, edge, lines)].slice(0, MAX_FINDINGS);
}

const isOnce = (line: NumberedLine, lines: readonly NumberedLine[]): boolean =>
  lines.filter((other) => other.file === line.file && other.text.includes(line.text)).length === 1;

/** Includes an edit only if the line is unique, because edits must match exactly once. */
function toFinding(line: NumberedLine, rule: Rule, lines: readonly NumberedLine[]): JsonObject {
  const edit =
    rule.repair === undefined || !isOnce(line, lines)
      ? null
      : { find: line.text, replace: rule.repair(line.text) };
  return {
    file: line.file,
    startLine: line.number,
    endLine: line.number,
    severity: rule.severity,
    claim: rule.claim,
    evidence: line.text.trim(),
    edit,
  };
}

function commentSign(file: string): string {
  return /\.(py|rb|sh|ya?ml|toml)$/.test(file) ? '#' : '//';
}
