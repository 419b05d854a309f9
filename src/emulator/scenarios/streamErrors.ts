/** Errors that are sent in a stream, in place of a chunk, with status 200 (docs/service.md, Stream order). */
import { encodeEvent } from '../frames.ts';
import { type ReplyStep, write } from '../steps.ts';
import { ORDER, type Scenario } from './scenario.ts';
import { breakOffIn } from './scenarioParts.ts';

const SERVER_ERROR = { message: 'The server had an error while answering', type: 'server_error' };

/** Three formats of an error that is sent in place of a chunk. */
const ERROR_EVENTS: readonly { readonly name: string; readonly words: string; readonly bytes: string }[] = [
  {
    name: 'error-mid',
    words: 'data: {"error":{…}}',
    bytes: encodeEvent(JSON.stringify({ error: SERVER_ERROR })),
  },
  {
    name: 'error-event-mid',
    words: 'event: error',
    bytes: `event: error\n${encodeEvent(JSON.stringify({ message: SERVER_ERROR.message }))}`,
  },
  {
    name: 'error-object-mid',
    words: '{"object":"error","message":…}',
    bytes: encodeEvent(JSON.stringify({ object: 'error', message: SERVER_ERROR.message, code: 500 })),
  },
];

export const STREAM_ERROR_SCENARIOS: readonly Scenario[] = [
  ...ERROR_EVENTS.flatMap(({ name, words, bytes }) => [
    {
      name: `${name}-stream`,
      row: ORDER,
      title: `An error in the middle of the answer, as ${words}`,
      steps: (steps: readonly ReplyStep[]) => breakOffIn('answer', steps, write(bytes), { type: 'end' }),
    },
    {
      name: `${name}-reasoning`,
      row: ORDER,
      title: `An error in the middle of the reasoning, as ${words}`,
      steps: (steps: readonly ReplyStep[]) => breakOffIn('reasoning', steps, write(bytes), { type: 'end' }),
    },
  ]),
  {
    name: 'error-first',
    row: ORDER,
    title: 'A stream whose only event is an error',
    steps: (steps) => [
      ...steps.filter((step) => step.type === 'head'),
      write(encodeEvent(JSON.stringify({ error: SERVER_ERROR }))),
      { type: 'end' },
    ],
  },
];
