/** The examples of CommonMark and the attacks of DOMPurify's tests, as text of the model, without a page (docs/suites.md). */
import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { describe, it } from 'mocha';
import { toPlainMarkdown } from '../../../src/review/plainMarkdown.ts';
import { createStreamingMarkdown } from '../../../src/webview/blocks.ts';
import { createMarkdown } from '../../../src/webview/markdown.ts';
import { COMMONMARK, DOMPURIFY } from '../../support/markdownCases.ts';

const md = createMarkdown({ code: '', copy: '', insert: '', apply: '', newFile: '' });
const cases = [...COMMONMARK, ...DOMPURIFY];

describe('The examples of CommonMark and the attacks of DOMPurify', () => {
  it('end as a full rendering when they are streamed by character', () => {
    for (const { name, text } of cases) {
      const streaming = createStreamingMarkdown(md);
      let html = '';
      for (const character of text) {
        streaming.append(character);
        html += streaming.update().frozen;
      }
      const { frozen, whole } = streaming.finish();
      assert.equal(whole ?? html + frozen, md.render(text, {}), name);
    }
  });

  it('have links to the web only, or links without an address', () => {
    for (const { name, text } of cases)
      for (const [, attributes = ''] of md.render(text, {}).matchAll(/<a\b([^>]*)>/g))
        assert.match(attributes, /^(?: href="https?:\/\/[^"]*"| title="[^"]*")*$/i, name);
  });

  it('are paragraphs of text in a finding, even for a renderer that shows HTML and links', () => {
    const html = new MarkdownIt({ html: true });
    for (const { name, text } of cases) {
      const shown = html.render(toPlainMarkdown(text));
      const elements = [...shown.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(([, element]) => element);
      assert.deepEqual(
        [...new Set(elements)].filter((element) => !/^(?:p|br|code)$/.test(element ?? '')),
        [],
        `${name}: ${shown}`,
      );
    }
  });
});
