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
    // What is none of the choices decides nothing.
    assert.deepEqual(parsePrompt('a', '---\neffort: huge\nmodel: other\n---\nHello'), {
      name: 'a',
      description: '',
      text: 'Hello',
    });
    // No tools at all, and one tool that is no list.
    assert.deepEqual(parsePrompt('a', '---\ntools: []\n---\nHello')?.tools, []);
    assert.deepEqual(parsePrompt('a', '---\ntools: read_file\n---\nHello')?.tools, ['read_file']);
    assert.equal(parsePrompt('a', '---\ntools: []\n---\n \n'), undefined);
  });

  it('is named by its file', () => {
    assert.equal(promptNameOf('.github/prompts/find-races.prompt.md'), 'find-races');
    assert.equal(promptNameOf('a b.prompt.md'), 'a-b');
    for (const path of ['a.md', '.prompt.md', 'x/.prompt.md'])
      assert.equal(promptNameOf(path), undefined, path);
  });

  it('has variables, each asked once, in their order', () => {
    const inputs = [of('input:what:What to look for'), of('input:what'), of('input:where')];
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
