import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ContextChoice } from '../../../../src/panel/context.ts';
import type { WebviewMessage } from '../../../../src/panel/webviewMessages.ts';
import { createMentions } from '../../../../src/webview/composer/mention.ts';

const PROBLEM: ContextChoice = {
  label: 'Open Settings',
  description: 'k3.prompts must be a string, not 5.',
  icon: 'warning',
  reference: undefined,
  action: 'edit-settings',
};
const TESTS: ContextChoice = {
  label: '/tests',
  description: 'Selected code',
  icon: 'sparkle',
  reference: undefined,
};

const FILE: ContextChoice = {
  label: 'a.ts',
  description: '',
  icon: 'file',
  reference: { kind: 'file', uri: 'file:///a.ts' },
};

Object.assign(globalThis, { requestAnimationFrame: () => 0 });

/** A message box with a text. The results for it have these choices. */
function typed(text: string, ...choices: readonly ContextChoice[]) {
  const posted: WebviewMessage[] = [];
  const sent: string[] = [];
  let draft = text;
  const box = {
    value: text,
    selectionStart: text.length,
    selectionEnd: text.length,
    setSelectionRange(start: number, end: number) {
      Object.assign(box, { selectionStart: start, selectionEnd: end });
    },
    focus: () => undefined,
  } as unknown as HTMLTextAreaElement;
  const mentions = createMentions({
    post: (message) => void posted.push(message),
    schedule: () => undefined,
    setDraft(next) {
      draft = next;
    },
    send: () => void sent.push(draft),
  });
  mentions.update(box);
  const press = (key: string) => mentions.onKey({ key, isComposing: false } as KeyboardEvent);
  const find = (query = 1) => mentions.found({ type: 'choices', seq: 1, query, choices });
  const opened = () => posted.some((message) => message.type === 'action');
  /** Puts the cursor somewhere, and types there. */
  const type = (more: string, at = box.selectionStart) => {
    draft = box.value.slice(0, at) + more + box.value.slice(at);
    box.value = draft;
    box.setSelectionRange(at + more.length, at + more.length);
    mentions.update(box);
  };
  return { mentions, press, find, opened, box, sent, posted, type, draft: () => draft };
}

describe('The row after a slash that says what is wrong with a setting', () => {
  it('is chosen by the arrow keys only, so that Enter sends what was typed', () => {
    const { mentions, press, find, opened } = typed('/tmp', PROBLEM);
    find();
    assert.deepEqual(
      [mentions.list()?.active, press('Enter'), press('Tab'), opened()],
      [-1, false, false, false],
    );
    for (const key of ['ArrowDown', 'ArrowUp']) {
      const again = typed('/tmp', PROBLEM);
      again.find();
      again.press(key);
      assert.deepEqual(
        [again.mentions.list()?.active, again.press('Enter'), again.opened()],
        [0, true, true],
      );
    }
  });

  it('does not take an Enter that was pressed before it was there, which sends what was typed', () => {
    const { mentions, press, find, opened, sent } = typed('/tmp', PROBLEM);
    assert.equal(press('Enter'), true);
    find();
    assert.deepEqual([opened(), sent, mentions.list()?.active, press('Enter')], [false, ['/tmp'], -1, false]);
  });

  it('comes after the others, of which the first one is chosen', () => {
    const { mentions, press, find, box, sent } = typed('/te', TESTS, PROBLEM);
    find();
    assert.equal(mentions.list()?.active, 0);
    press('Enter');
    assert.deepEqual([box.value, sent], ['/tests ', ['/tests ']]);
    const up = typed('/te', TESTS, PROBLEM);
    up.find();
    up.press('ArrowUp');
    assert.deepEqual([up.mentions.list()?.active, up.press('Enter'), up.opened()], [1, true, true]);
  });
});

describe('The list of an @ or a slash', () => {
  it('opens in another conversation where it was closed in the one before', () => {
    const { mentions, find, box, type, posted } = typed('/te', TESTS);
    find();
    mentions.close();
    assert.equal(mentions.list(), undefined);
    mentions.forget();
    box.value = '';
    type('/', 0);
    assert.deepEqual(posted.at(-1), { type: 'complete', query: 2, sign: '/', text: '' });
    find(2);
    assert.equal(mentions.list()?.choices.length, 1);
  });
});

describe('An Enter that is pressed before the results are there', () => {
  it('chooses the first of them, or sends what was typed if there is none', () => {
    for (const [text, choices, expected] of [
      ['/te', [TESTS], '/tests '],
      ['/tmp', [], '/tmp'],
      ['Look at @x', [], 'Look at @x'],
    ] as const) {
      const { press, find, sent } = typed(text, ...choices);
      assert.equal(press('Enter'), true, text);
      assert.deepEqual(sent, [], text);
      find();
      assert.deepEqual(sent, [expected], text);
      find();
      assert.equal(sent.length, 1, text);
    }
  });

  it('is not lost when the cursor is moved, the box loses the focus, or more is typed, which is not sent', () => {
    for (const [choices, expected] of [
      [[TESTS], '/tests '],
      [[], '/te'],
    ] as const) {
      const moved = typed('/te', ...choices);
      moved.press('Enter');
      moved.type('', 0);
      moved.find();
      assert.deepEqual(moved.sent, [expected]);
      const left = typed('/te', ...choices);
      left.press('Enter');
      left.mentions.close();
      left.find();
      assert.deepEqual(left.sent, [expected]);
      const more = typed('/te', ...choices);
      more.press('Enter');
      for (const letter of 'so') more.type(letter);
      more.find();
      assert.deepEqual(
        [more.sent, more.box.value, more.draft()],
        [[expected], `${expected}so`, `${expected}so`],
      );
    }
  });

  it('attaches what is found behind an @, and keeps what is typed behind that', () => {
    const { press, find, sent, posted, type, box } = typed('@a', FILE);
    press('Enter');
    type('b');
    find();
    assert.deepEqual([sent, box.value], [[], 'a.ts b']);
    assert.ok(posted.some((message) => message.type === 'attach-context'));
  });

  it('is taken back by Escape, and by a change of what it was about', () => {
    const closed = typed('/te', TESTS);
    closed.press('Enter');
    assert.equal(closed.press('Escape'), true);
    closed.find();
    assert.deepEqual(closed.sent, []);
    const elsewhere = typed('/te', TESTS);
    elsewhere.press('Enter');
    elsewhere.box.value = 'A draft of another conversation.';
    elsewhere.find();
    assert.deepEqual([elsewhere.sent, elsewhere.box.value], [[], 'A draft of another conversation.']);
    const other = typed('/te', TESTS);
    other.press('Enter');
    other.box.value = '/t';
    other.box.setSelectionRange(2, 2);
    other.mentions.update(other.box);
    other.find();
    assert.deepEqual(other.sent, []);
  });

  it('is pressed once also if the box had lost the focus, and its list with it, until Escape', () => {
    for (const key of ['Enter', 'Tab']) {
      const again = typed('/te', TESTS);
      again.press(key);
      again.mentions.close();
      // What is not used here sends what was typed.
      assert.equal(again.press('Enter'), true);
      again.find();
      assert.deepEqual(again.sent, ['/tests ']);
    }
    const escaped = typed('/te', TESTS);
    escaped.press('Enter');
    escaped.mentions.close();
    assert.deepEqual([escaped.press('Escape'), escaped.press('Enter')], [true, false]);
    escaped.find();
    assert.deepEqual(escaped.sent, []);
  });

  it('counts also behind a Tab', () => {
    const { press, find, sent } = typed('/te', TESTS);
    for (const key of ['Tab', 'Enter', 'Tab']) press(key);
    find();
    assert.deepEqual(sent, ['/tests ']);
  });

  it('is kept when the page gets everything again, because the results may be lost: it asks again', () => {
    const { mentions, press, find, posted, type, sent } = typed('/te', TESTS);
    press('Enter');
    type('s');
    mentions.renew();
    assert.deepEqual(
      posted.filter(({ type: kind }) => kind === 'complete'),
      [1, 2].map((query) => ({ type: 'complete', query, sign: '/', text: 'te' })),
    );
    find(2);
    assert.deepEqual(sent, ['/tests ']);
    mentions.renew();
    assert.equal(posted.at(-1)?.type, 'draft', 'the results are there');
  });

  it('is not for another conversation, also if the same is written there', () => {
    const { mentions, press, find, sent, type } = typed('/te', TESTS);
    press('Enter');
    mentions.forget();
    find();
    assert.deepEqual([sent, mentions.list(), press('Enter')], [[], undefined, false]);
    type('s');
    assert.equal(press('Enter'), true);
    find(2);
    assert.deepEqual(sent, ['/tests ']);
  });

  it('leaves a Tab for which nothing is found where it is, and asks for what was typed behind it', () => {
    const more = typed('/tm');
    more.press('Tab');
    more.type('p');
    more.find();
    assert.deepEqual(
      [more.posted.at(-1), more.mentions.list()?.looking],
      [{ type: 'complete', query: 2, sign: '/', text: 'tmp' }, true],
    );
    const { press, find, sent, box } = typed('/tmp');
    press('Tab');
    find();
    assert.deepEqual([sent, box.value, press('Tab')], [[], '/tmp', false]);
  });
});
