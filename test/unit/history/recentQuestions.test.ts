import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Question } from '../../../src/conversation/question.ts';
import { OTHER_CHATS_PREFIX } from '../../../src/conversation/recalledQuestions.ts';
import { completeTurn } from '../conversation/turns.ts';
import { conversation, exchange, makeFolder, open, PRICES } from './support.ts';

describe('The questions that were asked last', () => {
  it('are those of the workspace, the newest first, across conversations and windows', async () => {
    const folder = await makeFolder();
    const history = open(folder);
    let last = 0;
    const ask = (id: string, workspace: string | undefined, text: string, more: Partial<Question> = {}) => {
      const { exchanges, branches, ...header } = conversation(id, [], { workspace });
      history.putHeader(header);
      const one = exchange(`e${++last}`, text, [{ ...completeTurn(), id: `t${last}` }]);
      history.putExchange(
        id,
        { exchange: { ...one, question: { ...one.question, ...more } }, parent: undefined },
        PRICES,
      );
    };
    ask('c1', 'here', 'First?');
    ask('c2', 'there', 'Elsewhere?');
    ask('c3', undefined, 'Without a folder?');
    ask('c1', 'here', 'Explain this code', { origin: { uri: 'file:///a.ts', startLine: 0, endLine: 1 } });
    ask('c1', 'here', 'Review it', { purpose: 'findings' });
    ask('c1', 'here', 'Look.', { asked: '/races' });
    ask(`${OTHER_CHATS_PREFIX}1`, 'here', 'Asked by another chat');
    ask('c4', 'here', 'Deleted?');
    history.remove('c4');
    ask('c5', 'here', 'Second?', { context: [{ kind: 'file', label: 'a.ts', parts: [] }] });
    const texts = (workspace: string | undefined) =>
      open(folder)
        .recentQuestions(workspace)
        .map(({ text, asked }) => asked ?? text);
    assert.deepEqual(texts('here'), ['Second?', '/races', 'First?']);
    assert.deepEqual(texts(undefined), ['Without a folder?']);
    history.restore('c4');
    assert.deepEqual(texts('here').slice(0, 2), ['Second?', 'Deleted?']);
  });
});
