/**
 * A process that acts as a window: it streams turns into the conversation database until it is killed. Prints a line
 * for each piece that arrived: the number of the turn, the number of the piece, and the time in epoch milliseconds.
 * Arguments: folder, conversation, milliseconds per piece.
 */
import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createConversation, withExchange, withTurn } from '../../src/conversation/conversation.ts';
import { createTurn, foldTurn } from '../../src/conversation/fold.ts';
import { answer, FACTS, finish, reasoning, SERVICE_ENDED } from '../unit/conversation/turns.ts';
import { openAsWindow } from './windowProcess.ts';

const [folder = '', conversationId = '', pieceMs = '2'] = process.argv.slice(2);
const { store } = openAsWindow(folder, conversationId);

const PIECES = 60;
let conversation = createConversation(conversationId, Date.now(), conversationId, undefined);
store.take(conversationId);
for (let n = 0; ; n++) {
  const exchangeId = `${conversationId}-e${n}`;
  let turn = createTurn(`${conversationId}-t${n}`, Date.now(), FACTS);
  const question = { text: `question ${n}`, images: [], origin: undefined };
  conversation = withExchange(conversation, { id: exchangeId, question, attempts: [turn], shown: 0 });
  store.put(conversation, exchangeId);
  for (let piece = 0; piece < PIECES; piece++) {
    const text = `${n}.${piece} `;
    const event = piece < PIECES / 2 ? reasoning(text) : answer(text);
    turn = foldTurn(turn, { at: piece, event });
    conversation = withTurn(conversation, exchangeId, turn);
    store.progress(conversation, turn);
    writeSync(1, `${n} ${piece} ${Date.now()}\n`);
    await pause(Number(pieceMs) * 2 * Math.random());
  }
  for (const event of [finish('stop'), SERVICE_ENDED]) turn = foldTurn(turn, { at: PIECES, event });
  conversation = withTurn(conversation, exchangeId, turn);
  store.put(conversation, exchangeId);
}
