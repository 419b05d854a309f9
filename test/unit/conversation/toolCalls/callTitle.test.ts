import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  argumentsOf,
  toPlainName,
  toTitleLine,
  withArgument,
} from '../../../../src/conversation/toolCalls/callTitle.ts';

describe('The title of a tool call', () => {
  it('has the name of the tool as words', () => {
    assert.equal(toPlainName('get_current-weather'), 'Get current weather');
    assert.equal(toPlainName('echo'), 'Echo');
    assert.equal(toPlainName('__'), '__');
  });

  it('has the first text or number of the arguments', () => {
    assert.equal(withArgument('Echo', { loud: true, message: 'hello', other: 'x' }), 'Echo: hello');
    assert.equal(withArgument('Wait', { seconds: 3 }), 'Wait: 3');
    assert.equal(withArgument('List', { deep: { a: 'b' }, empty: ' ' }), 'List');
  });

  it('does without arguments that are cut off or no object', () => {
    for (const json of ['', '{"path": "a', '[1]', '"a"', 'null'])
      assert.deepEqual(argumentsOf(json), {}, json);
    assert.deepEqual(argumentsOf('{"path":"a"}'), { path: 'a' });
  });

  it('is one line of at most 120 characters, which splits no character', () => {
    assert.equal(toTitleLine('Read a\n\n  b\tc '), 'Read a b c');
    const long = toTitleLine('😀'.repeat(100));
    assert.ok(long.length <= 120 && long.endsWith('😀…'), long);
  });
});
