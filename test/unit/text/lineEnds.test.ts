import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { splitEndedLines, splitLines, withPlainLineEnds } from '../../../src/text/lineEnds.ts';

const HEAD = 'diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n';

describe('The line ends of a diff', () => {
  it('are those of other files, where all lines of the file have CRLF', () => {
    assert.equal(withPlainLineEnds(`${HEAD} one\r\n-two\r\n+2\r\n`), `${HEAD} one\n-two\n+2\n`);
    const unended = '\\ No newline at end of file';
    assert.equal(
      withPlainLineEnds(`${HEAD} one\r\n-two\r\n+2\n${unended}\n`),
      `${HEAD} one\n-two\n+2\n${unended}\n`,
    );
  });

  it('stay where they are the change, or part of a line', () => {
    for (const diff of [`${HEAD}-one\r\n+one\n`, `${HEAD} one\n+a\rb\n`, HEAD, ''])
      assert.equal(withPlainLineEnds(diff), diff);
  });
});

describe('The lines of a text', () => {
  it('end at each line end, whichever it is', () => {
    assert.deepEqual(splitLines('a\r\n\nb\rc\n'), ['a', '', 'b', 'c', '']);
    assert.deepEqual(splitLines(''), ['']);
  });

  it('are as many as a file has, where the last line end starts no other line', () => {
    for (const end of ['', '\n', '\r\n', '\r'])
      assert.deepEqual(splitEndedLines(`a\r\nb${end}`), ['a', 'b'], JSON.stringify(end));
    assert.deepEqual(splitEndedLines('a\n\n'), ['a', '']);
  });
});
