/** The examples of CommonMark and the attacks of DOMPurify's tests, as text of the model, without a page (docs/suites.md). */
import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { describe, it } from 'mocha';
import { toPlainMarkdown } from '../../../src/review/answers/plainMarkdown.ts';
import { createStreamingMarkdown } from '../../../src/webview/text/blocks.ts';
import { createMarkdown } from '../../../src/webview/text/markdown.ts';
import { COMMONMARK, DOMPURIFY } from '../../support/markdownCases.ts';
import { NO_WORDS } from '../../support/markdownWords.ts';

const md = createMarkdown(NO_WORDS);
/** In characters. */
const STEP = process.env['K3_SUITES'] === 'all' ? 1 : 5;
const cases = [...COMMONMARK, ...DOMPURIFY];

describe('The examples of CommonMark and the attacks of DOMPurify', () => {
  it('end as a full rendering when they are streamed in short pieces', () => {
    for (const { name, text } of cases) {
      const streaming = createStreamingMarkdown(md);
      let html = '';
      for (let at = 0; at < text.length; at += STEP) {
        streaming.append(text.slice(at, at + STEP));
        const update = streaming.update();
        if (update.type === 'blocks') html += update.frozen;
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

  it('are words, lists, and quotes in a finding, even for a renderer that shows HTML and links', () => {
    const html = new MarkdownIt({ html: true });
    for (const { name, text } of cases) {
      const shown = html.render(toPlainMarkdown(text));
      const elements = [...shown.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(([, element]) => element);
      assert.deepEqual(
        [...new Set(elements)].filter(
          (element) => !/^(?:p|br|code|strong|ul|ol|li|blockquote)$/.test(element ?? ''),
        ),
        [],
        `${name}: ${shown}`,
      );
    }
  });
});
