import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, it } from 'mocha';
import type { HostMessage } from '../../../../src/panel/hostMessages.ts';
import type { WebviewMessage } from '../../../../src/panel/webviewMessages.ts';
import { createDeferred } from '../../../../src/service/deferred.ts';
import { createPage } from '../../../../src/webview/chat/page.ts';
import { createMessageBox, type MessageBox } from '../../../../src/webview/composer/messageBox.ts';
import { createRecall } from '../../../../src/webview/composer/recall.ts';
import { panelState, surroundingsView } from '../../../support/views.ts';

let posted: (WebviewMessage | { to: string; message: WebviewMessage })[];
let typing: boolean;
let kept: string | undefined;
let forgotten: number;
let reading: Promise<boolean> | undefined;
let box: MessageBox;

function prepare(): void {
  posted = [];
  typing = false;
  kept = undefined;
  reading = undefined;
  box = createMessageBox({
    post: (message, to) => posted.push(to === undefined ? message : { to, message }),
    isTyping: () => typing,
    endTyping() {
      typing = false;
    },
    recall: { kept: () => kept, aside: () => kept, forget: () => forgotten++, toKeep: (message) => message },
    unread: { text: () => undefined },
    whenRead: () => reading,
  });
  box.show({ conversationId: 'c1', draft: 'Why?' }, undefined);
  forgotten = 0;
}

const refusal = (text: string | undefined): HostMessage => ({
  type: 'surroundings',
  seq: 2,
  surroundings: { ...surroundingsView(), refusal: text },
});
const taken: HostMessage = { type: 'taken', seq: 2, conversationId: 'c1', text: 'Why?' };
const send = (text: string): WebviewMessage => ({ type: 'send', text });

describe('The text of the message box', () => {
  beforeEach(prepare);

  it('stays until the host takes it, and is not sent twice', () => {
    box.send();
    box.send();
    assert.deepEqual([box.text(), posted], ['Why?', [send('Why?')]]);
    box.receive(taken);
    assert.equal(box.text(), '');
  });

  it('is what was added below it when the host takes it, and is not sent twice', () => {
    box.send();
    box.add('> a step of the reasoning');
    box.receive(taken);
    assert.equal(box.text(), '> a step of the reasoning');
    assert.deepEqual(posted.at(-1), { type: 'draft', text: '> a step of the reasoning' });
  });

  it('is not sent as a draft after the message, by whatever it was sent: it would be in the box again', () => {
    box.setText('/bells ');
    typing = true;
    box.send();
    assert.equal(typing, false);
    assert.deepEqual(posted, [send('/bells ')]);
  });

  it('waits for the images that are being read for it, and goes where it was written, once', async () => {
    const read = createDeferred<boolean>();
    reading = read.promise;
    typing = true;
    box.send();
    box.send();
    const draft: WebviewMessage = { type: 'draft', text: 'Why?' };
    assert.deepEqual([box.text(), typing, posted], ['Why?', false, [draft]]);
    box.show({ conversationId: 'c2', draft: 'How?' }, 'c1');
    read.resolve(true);
    await setImmediate();
    const late = { isLate: true } as const;
    assert.deepEqual(
      [box.text(), posted],
      ['How?', [draft, { to: 'c1', message: { ...send('Why?'), ...late } }]],
    );
    kept = 'Half a dr';
    box.send();
    assert.deepEqual(posted.at(-1), { type: 'draft', text: 'Half a dr' });
    kept = undefined;
    box.setText('How? And');
    await setImmediate();
    // What is typed meanwhile was sent with each key, and stays the draft.
    assert.deepEqual(posted.slice(-2), [
      { type: 'draft', text: 'Half a dr' },
      { to: 'c2', message: { ...send('How?'), draft: 'Half a dr', ...late } },
    ]);
  });

  it('isn’t sent without an image that can’t be read, or is no longer waited for, until it is sent again', async () => {
    reading = Promise.resolve(false);
    box.send();
    assert.ok(box.isWaiting());
    box.receive(refusal('a.bin is not a text file and was not added.'));
    assert.ok(box.isWaiting(), 'that is about something else');
    await setImmediate();
    const draft: WebviewMessage = { type: 'draft', text: 'Why?' };
    assert.deepEqual([box.text(), box.isWaiting(), posted], ['Why?', false, [draft]]);
    reading = undefined;
    box.send();
    assert.deepEqual(posted, [draft, send('Why?')]);
  });

  it('has both messages that are not sent because an image can’t be read', async () => {
    reading = Promise.resolve(false);
    box.send();
    box.setText('How?');
    box.send();
    await setImmediate();
    assert.deepEqual([box.text(), posted.at(-1)], ['How?\nWhy?', { type: 'draft', text: 'How?\nWhy?' }]);
  });

  it('is what the user was writing again, after an earlier message was sent or left', () => {
    kept = 'Half a dr';
    box.send();
    box.receive(taken);
    assert.deepEqual([box.text(), posted.at(-1)], ['Half a dr', { type: 'draft', text: 'Half a dr' }]);
    box.setText('Why?');
    typing = true;
    box.show({ conversationId: 'c2', draft: '' }, 'c1');
    assert.deepEqual(posted.at(-1), { to: 'c1', message: { type: 'draft', text: 'Half a dr' } });
  });

  it('is what the user was writing again when the host empties its draft before it says that the message was taken', () => {
    kept = 'Half a dr';
    box.send();
    box.receive({ type: 'draft', seq: 2, text: '' });
    kept = undefined;
    assert.deepEqual([box.text(), posted.at(-1)], ['Half a dr', { type: 'draft', text: 'Half a dr' }]);
    assert.equal(forgotten, 1);
    box.receive({ ...taken, seq: 3 });
    assert.deepEqual([box.text(), posted.length], ['Half a dr', 2]);
  });

  it('can be sent again after it was refused, and not by other changes around it', () => {
    box.send();
    box.receive(refusal(undefined));
    box.send();
    assert.equal(posted.length, 1);
    box.receive(refusal('The daily cap is exceeded.'));
    box.send();
    assert.deepEqual(posted, [send('Why?'), send('Why?')]);
    assert.equal(box.text(), 'Why?');
  });

  it('can be sent again after the host has kept it without a word, and only if it is that text', () => {
    box.send();
    box.receive({ ...taken, text: 'How?', isKept: true });
    box.send();
    assert.equal(posted.length, 1, 'another message was kept');
    box.receive({ ...taken, isKept: true });
    assert.equal(box.text(), 'Why?');
    box.send();
    assert.deepEqual(posted, [send('Why?'), send('Why?')]);
  });

  it('stays when it was changed before the host took what was sent', () => {
    box.send();
    box.setText('Why? And');
    box.receive(taken);
    assert.equal(box.text(), 'Why? And');
  });

  it('stays when the host takes an earlier message of it late', () => {
    box.send();
    box.setText('How?');
    box.send();
    box.receive(taken);
    assert.equal(box.text(), 'How?');
    box.send();
    assert.equal(posted.length, 2, 'it is still on its way');
    box.receive(refusal('The daily cap is exceeded.'));
    box.send();
    assert.deepEqual(posted, [send('Why?'), send('How?'), send('How?')]);
    box.receive({ ...taken, text: 'How?' });
    assert.equal(box.text(), '');
  });

  it('stays when the host takes a message of another conversation late', () => {
    box.send();
    box.show({ conversationId: 'c2', draft: 'How?' }, 'c1');
    box.send();
    box.receive(taken);
    assert.equal(box.text(), 'How?');
    // The same words in two conversations are two messages.
    box.setText('Why?');
    box.send();
    box.receive(taken);
    assert.equal(box.text(), 'Why?');
  });

  it('is that of another window, but not while something is typed here', () => {
    typing = true;
    box.receive({ type: 'draft', seq: 2, text: 'From there' });
    assert.equal(box.text(), 'Why?');
    typing = false;
    box.receive({ type: 'draft', seq: 3, text: 'From there' });
    assert.equal(box.text(), 'From there');
  });

  it('gets text of a command on a line of its own', () => {
    box.receive({ type: 'compose', seq: 2, text: 'More' });
    assert.equal(box.text(), 'Why?\nMore');
    box.setText('');
    box.receive({ type: 'compose', seq: 3, text: 'More' });
    assert.equal(box.text(), 'More');
  });

  it('is not sent to the conversation that is left when the host has it, which may have a newer one of another panel', () => {
    box.show({ conversationId: 'c2', draft: 'There' }, 'c1');
    assert.deepEqual(posted, []);
  });

  it('with what a command adds goes to the host only if the host does not have it: another panel adds it to newer text', () => {
    box.receive({ type: 'compose', seq: 2, text: 'More' });
    assert.deepEqual([box.text(), posted], ['Why?\nMore', []]);
    typing = true;
    box.receive({ type: 'compose', seq: 3, text: 'And more' });
    assert.deepEqual(posted, [{ type: 'draft', text: 'Why?\nMore\nAnd more' }]);
  });

  it('is what the user was writing, as the host has it, with what a command adds while an earlier message is shown', () => {
    const recall = recallEarlier();
    posted = [];
    box.receive({ type: 'compose', seq: 2, text: 'More' });
    assert.deepEqual([box.text(), recall.kept(), posted], ['Half a dr\nMore', undefined, []]);
  });

  it('is that of a later snapshot, unless it was changed here', () => {
    box.show({ conversationId: 'c1', draft: 'Why not?' }, 'c1');
    assert.equal(box.text(), 'Why not?');
    box.setText('Why no');
    box.show({ conversationId: 'c1', draft: 'Why not?' }, 'c1');
    assert.equal(box.text(), 'Why no');
  });

  it('goes to the conversation it was written in when another one is shown, and not to the one that is shown', () => {
    typing = true;
    box.setText('Why not?');
    box.show({ conversationId: 'c2', draft: 'There' }, 'c1');
    assert.equal(box.text(), 'There');
    assert.deepEqual(posted, [{ to: 'c1', message: { type: 'draft', text: 'Why not?' } }]);
  });

  function recallEarlier(whenRead?: () => Promise<boolean>) {
    const recall = createRecall({
      post: () => undefined,
      text: () => box.text(),
      setText: (text) => box.setText(text),
      announce: () => undefined,
    });
    box = createMessageBox({
      post: (message, to) => posted.push(to === undefined ? message : { to, message }),
      isTyping: () => false,
      endTyping: () => undefined,
      unread: { text: () => undefined },
      recall,
      ...(whenRead && { whenRead }),
    });
    box.show({ conversationId: 'c1', draft: 'Half a dr' }, undefined);
    recall.step(1);
    recall.recalled(['Earlier']);
    assert.equal(box.text(), 'Earlier');
    return recall;
  }

  it('is sent with what the user was writing if it is an earlier message, which stays the draft of the host', () => {
    recallEarlier();
    posted = [];
    box.send();
    assert.deepEqual(posted, [{ type: 'send', text: 'Earlier', draft: 'Half a dr' }]);
  });

  it('keeps what the user was writing when an earlier message was changed, and is sent after another conversation is shown', async () => {
    const recall = recallEarlier(() => Promise.resolve(true));
    box.setText('Earlier, but shorter');
    box.send();
    box.show({ conversationId: 'c2', draft: '' }, 'c1');
    await setImmediate();
    const draft = 'Earlier, but shorter\nHalf a dr';
    const message = { type: 'send', text: 'Earlier, but shorter', draft, rest: 'Half a dr', isLate: true };
    assert.deepEqual([posted.at(-1), recall.aside()], [{ to: 'c1', message }, undefined]);
  });

  it('is what the user was writing again when an earlier message was changed and sent', () => {
    recallEarlier();
    box.setText('Earlier, but shorter');
    box.send();
    assert.deepEqual(posted.at(-1), { type: 'send', text: 'Earlier, but shorter' });
    box.receive({ ...taken, text: 'Earlier, but shorter' });
    assert.deepEqual([box.text(), posted.at(-1)], ['Half a dr', { type: 'draft', text: 'Half a dr' }]);
    // Once: it is the draft again.
    box.send();
    box.receive({ ...taken, text: 'Half a dr' });
    assert.equal(box.text(), '');
  });

  it('is not what the user was writing before any more when another panel has sent that or changed it meanwhile', () => {
    recallEarlier();
    box.receive({ type: 'draft', seq: 2, text: '' });
    box.setText('Next');
    box.send();
    box.receive({ ...taken, text: 'Next' });
    assert.deepEqual([box.text(), posted.at(-1)], ['', { type: 'send', text: 'Next' }]);
  });

  it('is that of the host alone when this has what the user was writing, too, below an earlier message that was changed', () => {
    recallEarlier();
    box.setText('Earlier, but shorter');
    box.receive({ type: 'draft', seq: 2, text: 'Earlier, but short\nHalf a dr' });
    box.send();
    box.receive({ ...taken, text: 'Earlier, but short\nHalf a dr' });
    assert.equal(box.text(), '');
  });

  it('is what the user was writing with the edit of another question, while an earlier message is shown', () => {
    const recall = recallEarlier();
    box.add('Why not?');
    assert.deepEqual(
      [box.text(), posted.at(-1)],
      ['Half a dr\nWhy not?', { type: 'draft', text: 'Half a dr\nWhy not?' }],
    );
    assert.deepEqual([recall.kept(), recall.step(-1)], [undefined, false]);
  });

  it('can be gone back to when another question’s edit is added to an earlier message that was changed', () => {
    const recall = recallEarlier();
    box.setText('Earlier, but shorter');
    box.add('Why not?');
    assert.equal(box.text(), 'Earlier, but shorter\nWhy not?');
    recall.step(1);
    recall.recalled(['Earlier']);
    assert.equal(box.text(), 'Half a dr');
  });

  it('doesn’t come into another conversation with an earlier message', () => {
    const recall = recallEarlier();
    box.show({ conversationId: 'c2', draft: '' }, 'c1');
    recall.step(1);
    recall.recalled(['Earlier']);
    assert.equal(box.text(), 'Earlier');
    box.send();
    box.receive({ ...taken, conversationId: 'c2', text: 'Earlier' });
    assert.equal(box.text(), '');
  });

  it('is not kept as a draft when it was sent before another conversation is shown', () => {
    box.send();
    box.show({ conversationId: 'c2', draft: '' }, 'c1');
    assert.deepEqual(posted, [send('Why?')]);
  });

  it('stays when the page is shown again, which says nothing of what was sent', () => {
    box.setText('How?');
    box.show({ conversationId: 'c1', draft: '' }, 'c1');
    assert.equal(box.text(), 'How?');
    box.setText('Why?');
    box.send();
    box.show({ conversationId: 'c1', draft: 'Why?' }, 'c1');
    assert.equal(box.text(), 'Why?');
    // It was made before the message was there.
    box.setText('Why not?');
    box.send();
    box.show({ conversationId: 'c1', draft: '' }, 'c1');
    assert.equal(box.text(), 'Why not?');
    box.send();
    assert.equal(posted.length, 2);
    box.receive({ ...taken, text: 'Why not?' });
    assert.equal(box.text(), '');
  });

  describe('that the host has not read yet', () => {
    let seq: number;
    let page: ReturnType<typeof createPage>;

    /** A message of the host, which had read this many of the page. */
    function receive(message: { readonly conversationId: string } | { readonly text: string }, read: number) {
      seq += 1;
      const before = page.panel()?.conversationId;
      if ('text' in message) {
        page.fold({ type: 'draft', seq, read, ...message });
        box.receive({ type: 'draft', seq, read, ...message });
        return;
      }
      const panel = { ...panelState([]), ...message, draft: 'Older' };
      page.fold({ type: 'snapshot', seq, read, panel });
      box.show(panel, before);
    }

    beforeEach(() => {
      seq = 0;
      typing = false;
      page = createPage(() => undefined, 'en');
      const isTyping = () => typing;
      const endTyping = () => {
        typing = false;
      };
      const nothing = () => undefined;
      const toKeep = (message: WebviewMessage) => message;
      const recall = { kept: nothing, aside: nothing, forget: nothing, toKeep };
      box = createMessageBox({ ...page, isTyping, endTyping, recall });
      page.post({ type: 'ready' });
      receive({ conversationId: 'c1' }, 1);
    });

    it('is in the box when the host shows another conversation and this one again', () => {
      box.setText('Newer');
      typing = true;
      page.post({ type: 'typed', text: 'Newer' });
      receive({ conversationId: 'c2' }, 1);
      assert.equal(box.text(), 'Older');
      receive({ conversationId: 'c1' }, 2);
      assert.equal(box.text(), 'Newer');
      receive({ conversationId: 'c2' }, 3);
      receive({ conversationId: 'c1' }, 3);
      assert.equal(box.text(), 'Older');
    });

    it('is not replaced by the draft that the host had before', () => {
      box.setText('Newer');
      page.post({ type: 'draft', text: 'Newer' });
      receive({ text: 'Of another panel' }, 1);
      assert.equal(box.text(), 'Newer');
      receive({ text: 'Of another panel' }, 2);
      assert.equal(box.text(), 'Of another panel');
    });

    it('is in the box until it is taken when it was sent, and is not sent twice', () => {
      box.setText('Newer');
      box.send();
      receive({ conversationId: 'c2' }, 1);
      receive({ conversationId: 'c1' }, 1);
      box.send();
      assert.equal(box.text(), 'Newer');
      receive({ text: '' }, 2);
      assert.equal(box.text(), '');
    });
  });
});
