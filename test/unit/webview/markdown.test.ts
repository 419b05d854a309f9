import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createMarkdown } from '../../../src/webview/markdown.ts';

const md = createMarkdown({ code: '', copy: '', insert: '', apply: '', newFile: '' });
const shown = (source: string) => md.renderInline(source);

describe('A link in an answer', () => {
  it('to a path names the path, and has no address', () => {
    assert.equal(shown('[x](src/x.ts#L7)'), '<span data-path="src/x.ts#L7">x</span>');
    assert.equal(shown('[a b](<my notes/a b.md>)'), '<span data-path="my notes/a b.md">a b</span>');
    assert.equal(
      shown('[`x`](x.ts), [y](https://example.com/)'),
      '<span data-path="x.ts"><code>x</code></span>, <a href="https://example.com/">y</a>',
    );
  });

  for (const target of [
    '../x.ts',
    '/etc/passwd',
    'file:///x.ts',
    'command:k3.stop',
    '%2e%2e/x.ts',
    'src/%E2%80%AEx.ts',
    '%',
  ])
    it(`to ${target} is shown as its source`, () =>
      assert.doesNotMatch(shown(`[x](${target})`), /<(a|span)/));
});
