import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ContextChoice } from '../../../../src/panel/context.ts';
import type { WebviewMessage } from '../../../../src/panel/messages.ts';
import { createMentions } from '../../../../src/webview/composer/mention.ts';

const PROBLEM: ContextChoice = {
  label: 'Open Settings',
  description: 'k3.prompts must be a string, not 5.',
  icon: 'warning',
  reference: undefined,
  isProblem: true,
};
const TESTS: ContextChoice = {
  label: '/tests',
  description: 'Selected code',
  icon: 'sparkle',
  reference: undefined,
};

describe('The row after a slash that says what is wrong with a setting', () => {
  Object.assign(globalThis, { requestAnimationFrame: () => 0 });

  function typed(text: string, ...choices: readonly ContextChoice[]) {
    const posted: WebviewMessage[] = [];
    let sent = 0;
    const box = {
      value: text,
      selectionStart: text.length,
      selectionEnd: text.length,
      setSelectionRange: () => undefined,
      focus: () => undefined,
    } as unknown as HTMLTextAreaElement;
    const mentions = createMentions({
      post: (message) => void posted.push(message),
      schedule: () => undefined,
      setDraft: () => undefined,
      send: () => {
        sent += 1;
      },
    });
    mentions.update(box);
    const press = (key: string) => mentions.onKey({ key, isComposing: false } as KeyboardEvent);
    const find = () => mentions.found({ type: 'choices', seq: 1, query: 1, choices });
    const opened = () => posted.some((message) => message.type === 'action');
    return { mentions, press, find, opened, box, sent: () => sent };
  }

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

  it('does not take an Enter that was pressed before it was there', () => {
    const { mentions, press, find, opened } = typed('/tmp', PROBLEM);
    assert.equal(press('Enter'), true);
    find();
    assert.deepEqual([opened(), mentions.list()?.active, press('Enter')], [false, -1, false]);
  });

  it('comes after the others, of which the first one is chosen', () => {
    const { mentions, press, find, box, sent } = typed('/te', TESTS, PROBLEM);
    find();
    assert.equal(mentions.list()?.active, 0);
    press('Enter');
    assert.deepEqual([box.value, sent()], ['/tests ', 1]);
    const up = typed('/te', TESTS, PROBLEM);
    up.find();
    up.press('ArrowUp');
    assert.deepEqual([up.mentions.list()?.active, up.press('Enter'), up.opened()], [1, true, true]);
  });
});
