import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  type CodeLines,
  chooseSurroundings,
  renewCodePrompt as renewSections,
  toCodePrompt,
} from '../../../../src/conversation/prompts/codePrompts.ts';
import { toReviewPrompt } from '../../../../src/conversation/prompts/reviewPrompts.ts';
import { estimateTokens } from '../../../../src/conversation/usage/tokens.ts';
import { growthOf, LINEAR } from '../../../support/growth.ts';

const lines = (startLine: number, text: string): CodeLines => ({
  path: 'src/a.ts',
  language: 'typescript',
  startLine,
  endLine: startLine + text.split('\n').length - 2,
  text,
});

const ask = (code: CodeLines, around: readonly CodeLines[] = []) =>
  toCodePrompt({ task: 'refactor', code, instruction: 'Use `const`.', diagnostics: [], around });

const SENT = lines(4, 'let a = 1;\nlet b = 2;\n');
const NOW = lines(6, 'let a = 1;\nlet c = 3;\nlet b = 2;\n');

describe('The lines around code', () => {
  const all = Array.from({ length: 40 }, (_, line) => `const a${line % 10} = 1;`);
  const cost = estimateTokens(all[0] ?? '') + 1;

  it('are as many before as after, as far as the budget reaches, and only if they are not blank', () => {
    assert.deepEqual(chooseSurroundings(all, 20, 21, 6 * cost), [
      { start: 17, end: 19 },
      { start: 22, end: 24 },
    ]);
    assert.deepEqual(chooseSurroundings(all, 20, 21, 6 * cost - 2), [
      { start: 18, end: 19 },
      { start: 22, end: 23 },
    ]);
    assert.deepEqual(chooseSurroundings(all, 0, 39), []);
    assert.deepEqual(chooseSurroundings([' ', 'a', ''], 1, 1), []);
  });
});

const renewCodePrompt = (prompt: string, sent: string, now: CodeLines, around: readonly CodeLines[]) =>
  renewSections(prompt, [{ sent, now }], around);

describe('A question about code that is asked again', () => {
  it('is the same as one that is asked now', () => {
    assert.equal(renewCodePrompt(ask(SENT), SENT.text, NOW, []), ask(NOW));
  });

  it('has the lines around the code as they are now', () => {
    const before = [lines(0, 'import x;\n'), lines(8, 'before();\n')];
    const now = [lines(0, 'import y;\n'), lines(9, 'now();\n')];
    assert.equal(renewCodePrompt(ask(SENT, before), SENT.text, NOW, now), ask(NOW, now));
  });

  it('has other fences when the code has some now', () => {
    const fenced = lines(4, 'const s = "```";\n');
    assert.equal(renewCodePrompt(ask(SENT), SENT.text, fenced, []), ask(fenced));
    assert.equal(renewCodePrompt(ask(fenced), fenced.text, SENT, []), ask(SENT));
  });

  it('keeps what the user wrote before and after the code', () => {
    const edited = `Please. ${ask(SENT)}\n\nAnd be brief.`;
    assert.equal(renewCodePrompt(edited, SENT.text, NOW, []), `Please. ${ask(NOW)}\n\nAnd be brief.`);
  });

  it('has the code also when a text box has changed the line ends', () => {
    const sent = lines(4, 'let a = 1;\r\nlet b = 2;\r\n');
    const edited = ask(sent).replaceAll('\r\n', '\n');
    assert.equal(renewCodePrompt(edited, sent.text, NOW, []), ask(NOW));
    assert.equal(renewCodePrompt(ask(sent), sent.text, NOW, []), ask(NOW));
  });

  it('isn’t changed when the user has edited the code in it', () => {
    assert.equal(renewCodePrompt(ask(SENT).replace('b = 2', 'b = 5'), SENT.text, NOW, []), undefined);
    assert.equal(renewCodePrompt('What is this?', SENT.text, NOW, []), undefined);
  });

  it('can be a review of several files, of which two have the same lines', () => {
    const review = (...code: readonly CodeLines[]) =>
      toReviewPrompt({ remarks: [], open: [], accepted: [], rejected: [], code });
    const other = { ...SENT, path: 'src/b.ts' };
    const otherNow = { ...lines(1, 'let z;\n'), path: 'src/b.ts' };
    const sections = [
      { sent: SENT.text, now: NOW },
      { sent: other.text, now: otherNow },
    ];
    assert.equal(renewSections(review(SENT, other), sections, []), review(NOW, otherNow));
    assert.equal(renewSections(review(SENT), sections, []), undefined);
  });

  it('can be a review', () => {
    const review = (code: CodeLines) =>
      toReviewPrompt({ remarks: [], open: [], accepted: [], rejected: [], code: [code] });
    assert.equal(renewCodePrompt(review(SENT), SENT.text, NOW, []), review(NOW));
  });

  it('keeps text that only begins as the lines around the code', () => {
    const open = 'For orientation, this:\n\n````\nnever closed\n```\n\n';
    assert.equal(renewCodePrompt(open + ask(SENT), SENT.text, NOW, [SENT]), open + ask(NOW));
  });

  it('takes time in proportion to its length, whatever is attached', () => {
    const heading = 'For orientation, src/a.ts, line 1 (typescript):';
    for (const part of [
      `${heading}\n\n\`\`\`\n`,
      heading,
      `${heading}\n\n\`\`\`ts\nx\n\`\`\`\`\n`,
      'The code, ',
      'The code, a:\n\n```',
      '`',
      '\n',
    ]) {
      const inputOf = (length: number) => `${part.repeat(length)}\n\n${ask(SENT)}`;
      const growth = growthOf(inputOf, (prompt) => renewCodePrompt(prompt, SENT.text, NOW, [SENT]), 2000);
      assert.ok(growth < LINEAR, `${JSON.stringify(part)}: ${growth}`);
    }
  });
});

describe('A question that is asked in the code', () => {
  const made = (task: 'edit' | 'resolve', instruction: string, note?: string) =>
    toCodePrompt({ task, code: SENT, instruction, diagnostics: [], around: [], ...(note && { note }) });

  it('asks for a change in the form that proposals are read from', () => {
    assert.match(made('edit', 'Rename it.'), /^Rename it\.\n\nAnswer in the form that was asked for/);
    assert.match(made('resolve', ''), /^Resolve this merge conflict[^\n]*\n\nAnswer in the form/);
  });

  it('has a note between the words and the rest, and can be asked again with the code as it is now', () => {
    const prompt = made('edit', 'Rename it.', 'Not in the file yet.');
    assert.match(prompt, /^Rename it\.\n\nNot in the file yet\.\n\nAnswer/);
    assert.match(renewCodePrompt(prompt, SENT.text, NOW, []) ?? '', /^Rename it\.\n\nNot in the file yet\./);
  });
});
