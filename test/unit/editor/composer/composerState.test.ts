import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { withoutTail } from '../../../../src/conversation/branches.ts';
import { type Conversation, withExchange } from '../../../../src/conversation/conversation.ts';
import { NOTHING_UNSENT, type Unsent } from '../../../../src/conversation/unsent.ts';
import { createComposer } from '../../../../src/editor/composer/composerState.ts';
import { clearSent } from '../../../../src/editor/composer/sentMessage.ts';
import { toAttached } from '../../../../src/editor/context/attachments.ts';
import { conversation, exchange } from '../../history/support.ts';

const IMAGE = { name: 'a.png', url: 'data:image/png;base64,AA==' };
const FILE = { kind: 'file' as const, label: 'a.ts', parts: [{ label: 'a.ts', text: 'a' }] };

/** A composer after each reload, with what was kept before. */
function windowsWith(first: Conversation) {
  let now = first;
  let draft = '';
  let unsent: Unsent = NOTHING_UNSENT;
  return {
    change: (next: Conversation) => {
      now = next;
    },
    reload: () =>
      createComposer('c1', {
        conversations: {
          get: () => now,
          unsent: () => unsent,
          choices: () => unsent,
          queue: () => [],
        },
        draft: () => draft,
        formats: { get: () => undefined, set: () => undefined },
        keepDraft(text) {
          draft = text;
        },
        keepUnsent(parts) {
          unsent = { ...unsent, ...parts };
        },
      }),
  };
}

describe('A composer after a reload of the window', () => {
  const two = conversation('c1', [exchange('e1', 'First', []), exchange('e2', 'Second', [])]);

  it('has its draft, images, context, and the question that is being edited', () => {
    const windows = windowsWith(two);
    const before = windows.reload();
    before.draft = 'Half';
    before.attachments = [IMAGE];
    before.context = [
      { ...toAttached(FILE), changed: true },
      toAttached({ ...FILE, label: 'b.ts', older: true }),
    ];
    before.edit(undefined, { exchangeId: 'e1', text: 'First, but shorter' });
    before.preset = 'Plan';
    const after = windows.reload();
    assert.equal(after.preset, 'Plan');
    assert.equal(after.draft, 'Half');
    assert.deepEqual(after.attachments, [IMAGE]);
    assert.deepEqual(
      after.context.map(({ item, changed }) => [item, changed]),
      [
        [FILE, false],
        [{ ...FILE, label: 'b.ts', older: true }, true],
      ],
    );
    assert.deepEqual(after.editing, { exchangeId: 'e1', text: 'First, but shorter' });
  });

  it('has nothing that was removed or sent', () => {
    const windows = windowsWith(two);
    const before = windows.reload();
    before.attachments = [IMAGE];
    before.edit(undefined, { exchangeId: 'e1', text: 'First, but shorter' });
    before.attachments = [];
    before.edit('e1', undefined);
    assert.deepEqual(windows.reload().attachments, []);
    before.preset = 'Plan';
    before.preset = undefined;
    assert.equal(windows.reload().editing, undefined);
    assert.equal(windows.reload().preset, undefined);
  });

  it('has the text of an edit in its draft, once, when another window removed the question from the path', () => {
    const windows = windowsWith(two);
    windows.reload().edit(undefined, { exchangeId: 'e2', text: 'Second, but shorter' });
    windows.change(withExchange(withoutTail(two, 'e1'), exchange('new', 'Asked in another window', [])));
    for (const composer of [windows.reload(), windows.reload()]) {
      assert.equal(composer.draft, 'Second, but shorter');
      assert.equal(composer.editing, undefined);
    }
  });

  it('has an edited question that was being sent while another panel edited another one', () => {
    const windows = windowsWith(two);
    const before = windows.reload();
    before.sendingEdits = [{ exchangeId: 'e1', text: 'First, but shorter' }];
    before.edit(undefined, { exchangeId: 'e2', text: 'Second' });
    before.edit('e2', { exchangeId: 'e2', text: 'Second, but longer' });
    for (const composer of [windows.reload(), windows.reload()]) {
      assert.deepEqual(composer.editing, { exchangeId: 'e2', text: 'Second, but longer' });
      assert.equal(composer.draft, 'First, but shorter', 'once');
    }
  });

  it('has an edited question that was being sent at its place when nothing else was edited', () => {
    const windows = windowsWith(two);
    const sent = { exchangeId: 'e1', text: 'First, but shorter' };
    windows.reload().sendingEdits = [sent];
    for (const composer of [windows.reload(), windows.reload()])
      assert.deepEqual([composer.editing, composer.draft], [sent, '']);
  });

  it('has what two panels edited, and nothing of the box that was closed or sent', () => {
    const windows = windowsWith(two);
    const before = windows.reload();
    before.edit(undefined, { exchangeId: 'e1', text: 'First, but shorter' });
    before.edit(undefined, { exchangeId: 'e2', text: 'Second, but longer' });
    const after = windows.reload();
    assert.deepEqual([after.editing?.exchangeId, after.draft], ['e2', 'First, but shorter']);
    after.draft = '';
    after.edit(undefined, { exchangeId: 'e1', text: 'First' });
    after.edit('e1', undefined);
    assert.deepEqual([windows.reload().editing?.exchangeId, windows.reload().draft], ['e2', '']);
    // A page that goes to another question leaves the one that it had.
    windows.reload().edit('e2', { exchangeId: 'e1', text: 'First again' });
    assert.deepEqual([windows.reload().editing?.text, windows.reload().draft], ['First again', '']);
  });
});

describe('A composer whose message was sent', () => {
  const LINES = { ...FILE, kind: 'selection' as const, label: 'a.ts:1-2' };
  const [file, lines] = [toAttached(FILE), toAttached(LINES)];
  const seen = { text: 'a.svg is an SVG image.', offersFile: false };
  const sent = { text: 'Why?', images: [IMAGE], context: [file, lines], rejected: [seen] };
  let composer: ReturnType<ReturnType<typeof windowsWith>['reload']>;
  beforeEach(() => {
    composer = windowsWith(conversation('c1', [])).reload();
    composer.draft = 'Why?';
    composer.attachments = [IMAGE];
    composer.context = [file, lines];
    composer.preset = 'Plan';
  });
  const left = () => [composer.draft, composer.attachments, composer.context, composer.refusal];

  it('is empty, and keeps its preset', () => {
    clearSent(composer, sent);
    assert.deepEqual(left(), ['', [], [], undefined]);
    assert.equal(composer.preset, 'Plan');
  });

  it('is empty, also when a file changed and lines moved while the user was asked about the daily cap', () => {
    composer.context = [
      { ...file, changed: true },
      { ...lines, item: { ...LINES, label: 'a.ts:4-5' } },
    ];
    clearSent(composer, sent);
    assert.deepEqual(left(), ['', [], [], undefined]);
  });

  it('keeps what was typed and attached meanwhile', () => {
    const [image, other] = [{ ...IMAGE, name: 'b.png' }, toAttached({ ...FILE, label: 'b.ts' })];
    composer.draft = 'Why? And';
    composer.attachments = [IMAGE, image];
    composer.context = [file, lines, other];
    const rejected = { text: 'b.svg is an SVG image.', offersFile: false };
    composer.rejected = [seen, rejected];
    composer.refusal = 'c.bin is not a text file and was not added.';
    clearSent(composer, sent);
    assert.deepEqual(left(), ['Why? And', [image], [other], composer.refusal]);
    assert.deepEqual(composer.rejected, [rejected], 'the user has not seen why it wasn’t attached');
  });

  it('keeps only what was added below the message', () => {
    composer.draft = 'Why?\n> a step of the reasoning';
    clearSent(composer, sent);
    assert.equal(composer.draft, '> a step of the reasoning');
    clearSent(composer, { ...sent, text: '' });
    assert.equal(composer.draft, '> a step of the reasoning');
  });
});
