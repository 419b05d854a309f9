import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Conversation } from '../../../../src/conversation/conversation.ts';
import type { ConversationChange } from '../../../../src/editor/conversations/conversationChange.ts';
import * as stub from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { answer, DONE, finish, SERVICE_ENDED, turnOf, usage } from '../../conversation/turns.ts';
import { conversation, exchange } from '../../history/support.ts';

const { createTurnProblems } = await withEditorStub(
  () => import('../../../../src/editor/problems/turnProblems.ts'),
);

const cut = turnOf([answer('Half of an ans'), finish('length'), usage(), DONE, SERVICE_ENDED]);
const asked = (id: string) => conversation(id, [exchange(`e ${id}`, 'Why?', [{ ...cut, id: `t ${id}` }])]);

describe('The problems of a conversation', () => {
  const original = { ...stub.languages };
  const { from } = stub.Uri;
  beforeEach(() => {
    Object.assign(stub.Uri, { from: ({ query }: { query: string }) => new stub.Uri(query) });
    Object.assign(stub.languages, {
      createDiagnosticCollection: () => ({
        set: () => undefined,
        delete: () => undefined,
        dispose: () => undefined,
      }),
    });
  });
  afterEach(() => {
    Object.assign(stub.languages, original);
    Object.assign(stub.Uri, { from });
  });

  it('are there when a tab comes to the front that shows it, as after a reload, beside those of the side bar', () => {
    const all = [asked('side'), asked('tab')];
    const [side = assert.fail(), tab = assert.fail()] = all;
    let front: Conversation = side;
    const changes = new stub.EventEmitter<ConversationChange>();
    const never = new stub.EventEmitter<never>().event as never;
    const problems = createTurnProblems({
      conversations: {
        list: () => [],
        loaded: () => all,
        current: () => side,
        front: () => front,
        get: (id: string) => all.find((one) => one.id === id),
        find: () => undefined,
        markSeen: () => undefined,
        onDidChange: changes.event as never,
      },
      structured: { judged: () => undefined, onDidJudge: never },
      routes: { active: () => undefined, named: () => undefined, onDidChange: never },
    });
    assert.deepEqual(
      [problems.conversationOf('t side'), problems.conversationOf('t tab')],
      ['side', undefined],
    );
    front = tab;
    changes.fire({ type: 'front' });
    assert.deepEqual([problems.conversationOf('t side'), problems.conversationOf('t tab')], ['side', 'tab']);
    problems.dispose();
  });
});
