/**
 * A process that acts as a window: it appends turns to its own conversation and renames another. Arguments: folder,
 * name, number of turns.
 */

import { type Conversation, createConversation, withExchange } from '../../src/conversation/conversation.ts';
import { createTurn } from '../../src/conversation/fold.ts';
import type { Turn } from '../../src/conversation/turn.ts';
import { FACTS } from '../unit/conversation/turns.ts';
import { openAsWindow } from './windowProcess.ts';

const [folder = '', name = '', turns = '0'] = process.argv.slice(2);
const { history, store } = openAsWindow(folder, name);

function append(conversation: Conversation, id: string, text: string, answer: string): Conversation {
  const begun = createTurn(`t-${id}`, Date.now(), FACTS);
  const turn: Turn = { ...begun, answer, outcome: 'complete', phase: 'ended', finishReason: 'stop' };
  const question = { text, images: [], origin: undefined };
  const next = withExchange(conversation, { id: `e-${id}`, question, attempts: [turn], shown: 0 });
  store.put(next, `e-${id}`);
  return next;
}

let own = createConversation(name, Date.now(), name, undefined);
if (store.get('third') === undefined)
  append(createConversation('third', Date.now(), 'third', undefined), `third-${name}`, 'q', 'a');
for (let n = 0; n < Number(turns); n++) {
  own = append(own, `${name}-${n}`, `${name} asks ${n}`, `${name} is told ${n}`);
  history.rename('third', `${name} renamed it ${n}`);
}
store.dispose();
