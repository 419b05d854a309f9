import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { NOTHING_UNSENT, type Unsent } from '../../../../src/conversation/unsent.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { conversation, exchange } from '../../history/support.ts';

const { createComposers } = await withEditorStub(
  () => import('../../../../src/editor/composer/composers.ts'),
);

describe('Edited questions of a window that is killed', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  const [first, second] = [
    { exchangeId: 'e1', text: 'First, but shorter' },
    { exchangeId: 'e2', text: 'Second, but longer' },
  ];

  /** Windows one after the other, each of which finds what the one before had written when it was killed. */
  function windows() {
    const open = conversation('c1', [exchange('e1', 'First', []), exchange('e2', 'Second', [])]);
    let unsent: Unsent = NOTHING_UNSENT;
    let draft = '';
    const deps = {
      get: () => open,
      draft: () => draft,
      putDraft(_: string, next: string) {
        draft = next;
      },
      unsent: () => ({ ...unsent, otherEdits: unsent.otherEdits.map((one) => ({ ...one })) }),
      choices: () => unsent,
      putUnsent(_: string, parts: Partial<Unsent>) {
        unsent = { ...unsent, ...parts };
      },
      queue: () => [],
      enqueue: () => undefined,
    };
    return () => createComposers(deps, { get: () => undefined, set: () => undefined }).of('c1');
  }

  it('come back once each when it was killed right after another panel had begun to edit another one', () => {
    const open = windows();
    const killed = open();
    killed.edit(undefined, first);
    mock.timers.tick(400);
    killed.edit(undefined, second);
    const next = open();
    assert.deepEqual([next.editing, next.draft], [second, first.text]);
  });

  it('come back once when it was killed right after one was sent, or came back to its box', () => {
    const open = windows();
    const killed = open();
    killed.edit(undefined, first);
    mock.timers.tick(400);
    killed.sendingEdits = [first];
    const sent = open();
    assert.deepEqual([sent.editing, sent.draft], [first, '']);
    sent.edit('e1', undefined);
    sent.sendingEdits = [first];
    mock.timers.tick(400);
    sent.edit(undefined, first);
    sent.sendingEdits = [];
    const back = open();
    assert.deepEqual([back.editing, back.draft], [first, '']);
  });
});
