/** Plausible code changes without understanding the code. Each rule changes one line at a time. */
import { resolveConflicts } from './demoConflict.ts';
import type { CodeBlock } from './demoTask.ts';

const FUNCTIONS =
  /(?:^|\n)[ \t]*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function\*?|def|fn|func)\s+([A-Za-z_]\w*)|(?:^|\n)[ \t]*(?:export\s+)?const\s+([A-Za-z_]\w*)\s*=\s*(?:async\s*)?\(/g;

/** Names of the functions that the code declares, in order. */
export function readFunctions(code: string): readonly string[] {
  const names = [...code.matchAll(FUNCTIONS)].map((match) => match[1] ?? match[2] ?? '');
  return [...new Set(names)].filter((name) => name !== '').slice(0, 12);
}

export interface CodeChange {
  readonly code: string;
  /** One sentence for each kind of change. */
  readonly notes: readonly string[];
}

interface Rule {
  readonly from: RegExp;
  readonly to: string;
  readonly note: string;
}

const SCRIPT_REFACTORINGS: readonly Rule[] = [
  { from: /\bvar\b/g, to: 'let', note: 'Replaced `var` with `let`, which has block scope.' },
  { from: /([^=!])==([^=])/g, to: '$1===$2', note: 'Replaced `==` with `===`, which doesn’t convert types.' },
  { from: /!=([^=])/g, to: '!==$1', note: 'Replaced `!=` with `!==`, which doesn’t convert types.' },
  {
    from: /new Array\(\)/g,
    to: '[]',
    note: 'Replaced `new Array()` with the shorter `[]`.',
  },
];

const SCRIPT_FIXES: readonly Rule[] = [
  {
    from: /<=(\s*[\w.]+\.length)/g,
    to: '<$1',
    note: 'Fixed a loop that ran past the end: replaced `<=` with `<` before `.length`.',
  },
  ...SCRIPT_REFACTORINGS.slice(1, 3),
];

const PYTHON_RULES: readonly Rule[] = [
  { from: /== None\b/g, to: 'is None', note: 'Replaced `== None` with `is None`.' },
  { from: /!= None\b/g, to: 'is not None', note: 'Replaced `!= None` with `is not None`.' },
  {
    from: /\bexcept:/g,
    to: 'except Exception:',
    note: 'Replaced bare `except`, which also catches interrupts.',
  },
];

export function refactorCode(block: CodeBlock): CodeChange {
  return applyOrComment(
    block,
    isPython(block) ? PYTHON_RULES : SCRIPT_REFACTORINGS,
    'The demo found nothing to change.',
  );
}

export function fixCode(block: CodeBlock): CodeChange {
  return applyOrComment(
    block,
    isPython(block) ? PYTHON_RULES : SCRIPT_FIXES,
    'The demo found nothing to fix.',
  );
}

/** The code with both sides of its merge conflicts. */
export function resolveCode(block: CodeBlock): CodeChange {
  const code = resolveConflicts(block);
  return code === block.code
    ? applyOrComment(block, [], 'The demo found no merge conflict.')
    : { code, notes: ['Kept both sides of the merge conflict, and removed its markers.'] };
}

/** If no rule applies, adds a comment at the top, so that there is always a change to review. */
function applyOrComment(block: CodeBlock, rules: readonly Rule[], comment: string): CodeChange {
  const used = rules.filter((rule) => block.code.search(rule.from) !== -1);
  if (used.length === 0) {
    const line = `${commentSign(block)} ${comment}`;
    return {
      code: `${line}\n${block.code}`,
      notes: ['Added a comment that nothing needs to change.'],
    };
  }
  const code = used.reduce((text, rule) => text.replace(rule.from, rule.to), block.code);
  return { code, notes: used.map((rule) => rule.note) };
}

/** The code with a comment before each function. */
export function documentCode(block: CodeBlock): CodeChange {
  const names = readFunctions(block.code);
  if (names.length === 0) {
    return {
      code: `${commentSign(block)} What this part does, in one line (demo).\n${block.code}`,
      notes: ['Added a comment at the top.'],
    };
  }
  const lines = block.code.split('\n').flatMap((line) => {
    const name = readFunctions(line)[0];
    if (name === undefined) return [line];
    const indent = /^\s*/.exec(line)?.[0] ?? '';
    const text = `\`${name}\`: parameters, return value, and errors (demo).`;
    return [isScript(block) ? `${indent}/** ${text} */` : `${indent}${commentSign(block)} ${text}`, line];
  });
  return { code: lines.join('\n'), notes: names.map((name) => `Added a comment before \`${name}\`.`) };
}

/** A test file for the functions of the code. */
export function testCode(block: CodeBlock): string {
  const names = readFunctions(block.code);
  const subjects = names.length === 0 ? ['subject'] : names;
  if (isPython(block)) {
    return subjects
      .map((name) => `def test_${name}_accepts_an_empty_input():\n    assert ${name} is not None\n`)
      .join('\n\n');
  }
  const tests = subjects.map(
    (name) =>
      `describe('${name}', () => {\n  it('is a function', () => {\n    assert.equal(typeof ${name}, 'function');\n  });\n});`,
  );
  return `import assert from 'node:assert/strict';\n\n${tests.join('\n\n')}\n`;
}

function isPython(block: CodeBlock): boolean {
  return ['python', 'py'].includes(block.language);
}

function isScript(block: CodeBlock): boolean {
  return !['python', 'py', 'ruby', 'rb', 'shell', 'sh', 'bash', 'yaml', 'toml'].includes(block.language);
}

function commentSign(block: CodeBlock): string {
  return isScript(block) ? '//' : '#';
}
