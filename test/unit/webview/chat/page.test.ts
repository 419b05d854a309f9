import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { PageMessage } from '../../../../src/panel/webviewMessages.ts';
import { createPage } from '../../../../src/webview/chat/page.ts';
import { exchangeView, panelState, turnView } from '../../../support/views.ts';

function start() {
  const posted: PageMessage[] = [];
  const page = createPage((message) => posted.push(message), 'en');
  const panel = panelState([exchangeView('a', 'Why?', '', turnView('running'))]);
  return { page, posted, panel };
}

describe('The state of the page', () => {
  it('stays as it was when a message was lost', () => {
    const { page, panel } = start();
    assert.equal(page.fold({ type: 'focus', seq: 1 }), 'resync');
    assert.equal(page.panel(), undefined);
    page.fold({ type: 'snapshot', seq: 4, panel });
    assert.equal(page.fold({ type: 'draft', seq: 6, text: 'Lost' }), 'resync');
    assert.equal(page.panel(), panel);
    assert.notEqual(page.fold({ type: 'draft', seq: 5, text: 'Half' }), 'resync');
    assert.equal(page.panel()?.draft, 'Half');
  });

  it('says for which conversation a message is', () => {
    const { page, posted, panel } = start();
    page.post({ type: 'ready' });
    page.fold({ type: 'snapshot', seq: 1, panel: { ...panel, conversationId: 'c7' } });
    page.post({ type: 'stop' });
    page.post({ type: 'stop' }, 'c1');
    assert.deepEqual(
      posted.map(({ conversationId }) => conversationId),
      [undefined, 'c7', 'c1'],
    );
  });

  it('tells screen readers the same in other characters, because they say only what has changed', () => {
    const { page } = start();
    const told = ['Copied', 'Copied', 'Copied', 'Done'].map((text) => {
      page.announce(text);
      return page.announcement();
    });
    assert.deepEqual(
      told.map((text) => text.trim()),
      ['Copied', 'Copied', 'Copied', 'Done'],
    );
    assert.ok(told[0] !== told[1] && told[1] !== told[2], JSON.stringify(told));
  });

  it('has the time of the host, and its words with what they name', () => {
    const { page, panel } = start();
    const words = { ...panel.words, 'Show earlier messages ({0})': '{0} frühere' };
    page.fold({ type: 'snapshot', seq: 1, panel: { ...panel, words, now: Date.now() - 60_000 } });
    assert.ok(Math.abs(Date.now() - 60_000 - page.now()) < 1000);
    assert.equal(page.word('Show earlier messages ({0})', 3), '3 frühere');
  });

  it('has the English forms of its words in a display language without translations', () => {
    const page = createPage(() => undefined, 'ru');
    const { panel } = start();
    page.fold({ type: 'snapshot', seq: 1, panel });
    assert.equal(page.word('{0, plural, one {# tool} other {# tools}}', 21), '21 tools');
  });
});
