import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  fillPrompt,
  parsePrompt,
  promptNameOf,
  typedPrompt,
  variablesOf,
} from '../../../src/instructions/promptFile.ts';

/** A variable as it is written. */
const of = (variable: string) => `$\{${variable}}`;

describe('A prompt file', () => {
  it('has a name, a description, an effort, the tools that may run, and its text', () => {
    const text =
      '---\ndescription: Finds races\neffort: low\ntools: [read_file, find_files]\n---\nLook at it.\n';
    assert.deepEqual(parsePrompt('races', text), {
      name: 'races',
      description: 'Finds races',
      effort: 'low',
      tools: ['read_file', 'find_files'],
      text: 'Look at it.',
    });
    assert.deepEqual(parsePrompt('a', 'Hello'), { name: 'a', description: '', text: 'Hello' });
    // Fields of other programs decide nothing.
    assert.deepEqual(parsePrompt('a', '---\neffort:\nmodel: other\n---\nHello'), {
      name: 'a',
      description: '',
      text: 'Hello',
    });
    // No tools at all, and tools that are no list.
    assert.deepEqual(parsePrompt('a', '---\ntools: []\n---\nHello')?.tools, []);
    assert.deepEqual(parsePrompt('a', '---\ntools: read_file\n---\nHello')?.tools, ['read_file']);
    const two = ['read_file', 'git_log'];
    for (const written of ['read_file, git_log', "'read_file,git_log'", 'read_file git_log'])
      assert.deepEqual(parsePrompt('a', `---\ntools: ${written}\n---\nHello`)?.tools, two, written);
    assert.equal(parsePrompt('a', '---\ntools: []\n---\n \n'), undefined);
  });

  it('has a problem when its effort is none of the choices, its front matter doesn’t end, or it was cut', () => {
    const problem = (text: string, isCut?: boolean) => parsePrompt('a', text, isCut)?.problem;
    const effort = (value: string) => ({ field: 'effort', value });
    assert.deepEqual(problem('---\neffort: huge\n---\nHello'), effort('huge'));
    assert.deepEqual(problem('---\neffort: High\n---\nHello'), effort('High'));
    assert.equal(parsePrompt('a', '---\neffort: [high]\n---\nHello')?.effort, 'high');
    assert.equal(problem('---\neffort: []\n---\nHello'), undefined);
    assert.deepEqual(problem('---\neffort: [low, max]\n---\nHello'), effort('low, max'));
    assert.equal(parsePrompt('a', '---\neffort: huge\n---\nHello')?.effort, undefined);
    assert.deepEqual(problem('---\ntools: []\nHello'), { field: 'end' });
    for (const tools of ['', ' {a: b}', ' [a', '\n  a: b'])
      assert.deepEqual(problem(`---\ntools:${tools}\n---\nHello`), { field: 'tools' }, tools);
    assert.equal(problem('---\nother:\n  a: b\ntools:\n  - a\n---\nHello'), undefined);
    assert.deepEqual(problem('Hello', true), { field: 'length' });
    for (const text of ['Hello', '---\nHello', '---\n\nOne: two', '---\neffort: low # less\n---\nHello'])
      assert.equal(problem(text), undefined, text);
  });

  it('is named by its file', () => {
    assert.equal(promptNameOf('.github/prompts/find-races.prompt.md'), 'find-races');
    assert.equal(promptNameOf('a b.prompt.md'), 'a-b');
    for (const path of ['a.md', '.prompt.md', 'x/.prompt.md'])
      assert.equal(promptNameOf(path), undefined, path);
  });

  it('has variables, each asked once, in their order', () => {
    const inputs = [of('input:what:What to look for'), of('input: what '), of('input:where')];
    const text = `${inputs[0]} in ${of('file')}, ${of('selection')}, ${inputs[1]}, ${inputs[2]}, ${of('env:HOME')}, $\{file`;
    assert.deepEqual(variablesOf(text), [
      { key: 'input:what', kind: 'input', name: 'what', hint: 'What to look for' },
      { key: 'file', kind: 'file' },
      { key: 'selection', kind: 'selection' },
      { key: 'input:where', kind: 'input', name: 'where', hint: '' },
    ]);
    const values = new Map([
      ['input:what', `a $& ${of('file')}`],
      ['file', 'src/a.ts'],
      ['selection', 'src/a.ts:1-2'],
    ]);
    // What was typed is text: it has no variables.
    assert.equal(
      fillPrompt(text, values),
      `a $& ${of('file')} in src/a.ts, src/a.ts:1-2, a $& ${of('file')}, ${inputs[2]}, ${of('env:HOME')}, $\{file`,
    );
  });
});

describe('A prompt in the message box', () => {
  it('is a slash with its name at the beginning, and the words after it', () => {
    assert.deepEqual(typedPrompt('/races'), { name: 'races', rest: '' });
    assert.deepEqual(typedPrompt('/races  only in src\nand test '), {
      name: 'races',
      rest: 'only in src\nand test',
    });
    for (const text of ['races', ' /races', '/', '/ races', '/usr/bin/env', '//', 'a /races'])
      assert.equal(typedPrompt(text), undefined, text);
  });
});
