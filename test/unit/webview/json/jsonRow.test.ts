import assert from 'node:assert/strict';
import { it } from 'mocha';
import { readJsonText } from '../../../../src/panel/jsonText.ts';
import { toValueText } from '../../../../src/webview/json/jsonRow.ts';

it('A value in its row is as it was received, and a long one is cut between two characters', () => {
  const shown = (text: string) => {
    const read = readJsonText(text);
    return read.ok ? toValueText(read.root, text) : assert.fail(text);
  };
  assert.equal(shown('9007199254740993.10'), '9007199254740993.10');
  assert.equal(shown('{"__proto__":1,"__proto__":2}'), '{2}');
  assert.equal(shown('[]'), '[]');
  assert.equal(shown(`"${'😀'.repeat(400)}"`), `"${'😀'.repeat(249)}…`);
  assert.equal(shown(`" ${'😀'.repeat(400)}"`), `" ${'😀'.repeat(249)}…`);
});
