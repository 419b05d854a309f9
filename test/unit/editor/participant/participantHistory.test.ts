import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Exchange } from '../../../../src/conversation/conversation.ts';
import { PARTICIPANT } from '../../../../src/editor/participant/participantId.ts';
import { ChatRequestTurn, ChatResponseMarkdownPart, ChatResponseTurn } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn } from '../../conversation/turns.ts';
import { conversation, exchange } from '../../history/support.ts';

const { continuationOf } = await withEditorStub(
  () => import('../../../../src/editor/participant/participantHistory.ts'),
);

/** A request and its response. */
type Shown = readonly [prompt: string, text: string];

describe('A chat of the editor whose answers were all stopped', () => {
  const stopped = (id: string, question: string, answer: string): Exchange =>
    exchange(id, question, [{ ...completeTurn(answer), id: `t-${id}`, outcome: 'stopped' }]);
  /** As the editor has it, which drops the results of such answers. */
  const shown = (turns: readonly Shown[]) =>
    turns.flatMap(([prompt, text]) => [
      Object.assign(new ChatRequestTurn(), { prompt, participant: PARTICIPANT }),
      Object.assign(new ChatResponseTurn(), {
        response: [Object.assign(new ChatResponseMarkdownPart(), { value: { value: text } })],
      }),
    ]);

  it('goes on with its own conversation, not with one of another chat that began in the same way', () => {
    const all = [
      conversation('c1', [stopped('e1', 'Why?', ''), stopped('e2', 'Go on.', 'Theirs, at length')]),
      conversation('c2', [stopped('e3', 'Why?', ''), stopped('e4', 'Go on.', 'Mine, at length')]),
      conversation('c3', [stopped('e5', 'Why?', ''), stopped('e6', 'Really?', '')]),
    ];
    const chats = all.map(({ id }) => ({ conversationId: id, prompt: 'Why?', text: '', continued: true }));
    const found = (...turns: readonly Shown[]) =>
      continuationOf({ get: (id) => all.find((one) => one.id === id) }, shown(turns) as never, chats)
        ?.exchangeId;
    assert.equal(found(['Why?', ''], ['Go on.', 'Mine,']), 'e4');
    assert.equal(found(['Why?', ''], ['Really?', '']), 'e6');
    assert.equal(found(['Why?', ''], ['Go on.', '']), 'e2', 'the first of those that can be it');
    assert.equal(found(['Why?', ''], ['Stopped before it was sent', ''], ['Really?', '']), 'e6');
    assert.equal(found(['Why?', ''], ['Go on.', 'Not one of these']), undefined);
  });
});
