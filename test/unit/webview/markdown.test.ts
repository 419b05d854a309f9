import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createMarkdown } from '../../../src/webview/markdown.ts';

const md = createMarkdown({ code: '', copy: '', insert: '', apply: '', newFile: '' });
const render = (text: string) => md.render(text).trim();

describe('Text from right to left in an answer', () => {
  it('has its direction in each paragraph, heading, and cell', () => {
    assert.equal(render('שלום'), '<p dir="auto">שלום</p>');
    assert.equal(render('## שלום'), '<h2 dir="auto">שלום</h2>');
    assert.match(render('|א|b|\n|--|:-:|\n|1|2|'), /<th dir="auto">א<[\s\S]*<td [^>]*dir="auto"[^>]*>2</);
  });

  it('has its direction in a whole list, also of what is nested in it', () => {
    assert.equal(render('- א\n\n  ב\n- ג').match(/dir=/g)?.length, 1);
    assert.match(render('> 1. א'), /<ol dir="auto">\n<li>א<\/li>/);
    assert.equal(render('- א\n\nב').match(/dir="auto"/g)?.length, 2);
  });

  it('does not turn code around', () => {
    assert.match(render('- א\n  ```js\n  a()\n  ```'), /<div class="code" dir="ltr"/);
  });
});
