import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findAskedLines, findRepeatedLines } from '../../../../src/review/findings/askedLines.ts';

const SENT = 'function f() {\n  const a = 1;\n  return a;\n}\n';
const ABOVE = 'import x;\n\n';
const BELOW = '\nfunction g() {\n  const b = 2;\n}\n';

function find(now: string, sent = SENT): string | undefined {
  const place = findAskedLines(now, sent, 2);
  return place && now.slice(place.from, place.to);
}

describe('The lines that a question was about', () => {
  it('are found where they are now', () => {
    assert.equal(find(`// new\n${ABOVE}${SENT}${BELOW}`), SENT);
  });

  it('are found with what was changed inside', () => {
    const now = 'function f() {\n  const a = 1;\n  log(a);\n  return a + 1;\n}\n';
    assert.equal(find(ABOVE + now + BELOW), now);
  });

  it('are found when the first or last line was replaced', () => {
    const first = 'function renamed() {\n  const a = 1;\n  return a;\n}\n';
    assert.equal(find(ABOVE + first + BELOW), first);
    const last = 'function f() {\n  const a = 1;\n  return a;\n};\n';
    assert.equal(find(ABOVE + last + BELOW), last);
  });

  it('are found with other line ends', () => {
    const now = SENT.replace('= 1', '= 2').replaceAll('\n', '\r\n');
    assert.equal(find(`x\r\n${now}y\r\n`), now);
  });

  it('don’t reach to a line such as } that is the same by chance far above or below', () => {
    const more = ['l0\n', 'l1\n', 'l2\n', 'l3\n', 'l4\n'];
    // What was the line above or below is now the line in its place.
    const [above, below] = [`}\n${SENT}`, 'const a = 1;\nlog(a);\n}\n'];
    assert.equal(find(`}\n${more.join('')}${SENT}`, above), `l4\n${SENT}`);
    assert.equal(find(`}\n${more.slice(2).join('')}${SENT}`, above), `}\nl2\nl3\nl4\n${SENT}`);
    assert.equal(find(below.replace('}', `${more.join('')}}`), below), 'const a = 1;\nlog(a);\nl0\n');
    assert.equal(
      find(below.replace('}', `${more.slice(2).join('')}}`), below),
      below.replace('}', 'l2\nl3\nl4\n}'),
    );
  });

  it('aren’t found when only lines are left that are in every file', () => {
    assert.equal(find(`${ABOVE}${BELOW}`), undefined);
    assert.equal(find(''), undefined);
  });

  it('aren’t found when they were moved apart', () => {
    const far = Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join('');
    assert.equal(find(SENT.replace('  return a;\n', `${far}  return a;\n`)), undefined);
  });
});

describe('Lines of a question that are there several times', () => {
  const around = [
    { startLine: 1, endLine: 2, text: 'one\nsame\n' },
    { startLine: 4, endLine: 5, text: 'two\nsame\n' },
  ];
  const find = (text: string, sent = 'same\n') => {
    const place = findRepeatedLines(text, sent, 3, around);
    return place && text.slice(0, place.from).split('\n').length - 1;
  };

  it('are where the lines around them are, also if they were changed', () => {
    for (const end of ['\n', '\r\n']) {
      const to = (text: string) => text.replaceAll('\n', end);
      assert.equal(find(to('zero\none\nsame\nsame\ntwo\nsame\n')), 3);
      assert.equal(find(to('zero\none\nsame\nnot the same\ntwo\nsame\n')), 3);
      assert.equal(find(to('zero\nmore\none\nsame\nother\ntwo\nsame\n')), 4);
    }
  });

  it('are not looked for so if they are there once, were deleted, or those around them are gone', () => {
    assert.equal(find('zero\none\nsame\nonce\ntwo\nsame\n', 'once\n'), undefined);
    assert.equal(find('zero\none\nsame\ntwo\nsame\n'), undefined);
    assert.equal(find('all\nis\nnew\n'), undefined);
  });
});
