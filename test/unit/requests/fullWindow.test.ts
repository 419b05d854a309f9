import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { omittedIn } from '../../../src/conversation/requestFacts.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import type { TurnContent } from '../../../src/requests/turnContent.ts';
import { CONTEXT_WINDOW_TOKENS } from '../../../src/service/limits.ts';
import { DEFAULT_PRICES } from '../../../src/service/prices.ts';
import { withEditorStub } from '../../support/withEditorStub.ts';
import { toolboxOf } from '../conversation/toolTurns.ts';
import { completeTurn, failedBy, turnOf } from '../conversation/turns.ts';
import { COMPLETE, chunkOf, NEVER, type Reply, ROUTE, scripted, sse } from '../service/wire.ts';
import { headers, RESULT, turnsOver, turnWith } from './fullConversation.ts';

type CardContext = Parameters<typeof import('../../../src/editor/chatView/turnCards.ts').toCards>[1];

const { toCards } = await withEditorStub(() => import('../../../src/editor/chatView/turnCards.ts'));

const ROUNDS = 18;
const calling = (at: number): Reply => ({
  headers,
  body: sse(
    chunkOf({
      tool_calls: [
        { index: 0, id: `i${at}`, type: 'function', function: { name: 'read', arguments: `{"of":"${at}"}` } },
      ],
    }),
    chunkOf({}, 'tool_calls'),
    '[DONE]',
  ),
});

const cardsOf = (
  turn: Turn,
  kept: Partial<Pick<CardContext, 'keepsResults' | 'anyKept' | 'turnOf'>> = {},
  last = true,
) =>
  toCards(turn, {
    earlier: undefined,
    prices: DEFAULT_PRICES,
    last,
    turnOf: () => undefined,
    ...kept,
    whole: () => ({ text: turn.answer, parts: 1, earlier: [], fits: true }),
    proposals: () => [],
    images: 'none',
    goesOn: () => false,
    titleOf: ({ name, arguments: args }) => `${name} ${args}`,
  });

describe('A long turn with tools', () => {
  async function run(more: Partial<TurnContent> = {}) {
    const send = scripted(...Array.from({ length: ROUNDS }, (_, at) => calling(at)), {
      headers,
      body: COMPLETE,
    });
    const turns = turnsOver(send, ROUTE);
    const toolbox = toolboxOf(['read'], async () => ({ text: RESULT }));
    const tools = toolbox.definitions.map(
      ({ name, description, parameters }) =>
        ({ type: 'function', function: { name, description, parameters } }) as const,
    );
    const content: TurnContent = {
      request: { messages: [{ role: 'user', content: 'Why?' }], tools },
      toolbox,
      ...more,
    };
    const prepared = await turns.prepare(
      { asker: 'conversation', countedAs: 'a', content: () => content },
      NEVER,
    );
    assert.ok(prepared.ok);
    let announced: Turn | undefined;
    const turn = await prepared.run({
      signal: NEVER,
      onStep(step) {
        if (step.turn.request.omitted !== undefined) announced ??= step.turn;
      },
    });
    const sizes = send.requests.map(({ body }) => String(body).split('\u00e9').length - 1);
    return { turn, announced, sizes, requests: send.requests };
  }

  it('never fills the context window: results of earlier calls are left out, announced, and listed', async () => {
    const { turn, announced, sizes } = await run();
    assert.equal(turn.outcome, 'complete');
    assert.equal(sizes.length, ROUNDS + 1);
    assert.ok(Math.max(...sizes) < CONTEXT_WINDOW_TOKENS * 0.8, String(sizes));
    assert.equal(
      sizes.filter((size, at) => size < (sizes[at - 1] ?? 0)).length,
      1,
      'once, not in each round',
    );
    // Such results cost more in the cache than the rest costs without it, so all old ones go.
    assert.equal(omittedIn(turn, 0).size, 1);
    assert.ok(announced !== undefined && announced.outcome === undefined);
    const [running] = cardsOf(announced);
    assert.equal(running?.title, 'Some tool results are no longer sent');
    assert.deepEqual(running.actions, []);
    const [card] = cardsOf(turn);
    assert.deepEqual(
      card?.actions.map(({ action }) => action),
      ['send-results'],
    );
    const facts = card?.facts.map(({ label, value }) => `${label}: ${value}`);
    const more = (turn.request.omitted?.[0]?.results.length ?? 0) - 10;
    assert.equal(facts?.length, 11);
    assert.match(facts[0] ?? '', /^read \{"of":"0"\}: about 60K tokens$/);
    assert.equal(facts[10], `… and ${more} more: `);
  });

  it('says what is true now, with a button that changes it, also when it is not the last answer', async () => {
    const { turn, announced } = await run();
    const shown = (keepsResults: true | undefined, last: boolean) => {
      const [card] = cardsOf(turn, { keepsResults }, last);
      return [
        card?.title,
        card?.body.join(' '),
        card?.actions.map(({ action, label }) => `${action}: ${label}`),
      ];
    };
    const { fromRound = 0 } = turn.request.omitted?.[0] ?? {};
    for (const last of [true, false]) {
      assert.deepEqual(shown(undefined, last), [
        'Some tool results are no longer sent',
        `The context window was nearly full, so these results are no longer sent, starting with request ${fromRound + 1} of this answer. They stay in the chat.`,
        ['send-results: Send them again'],
      ]);
      assert.deepEqual(shown(true, last), [
        'Some tool results are sent again',
        `The context window was nearly full, so these results were not sent, starting with request ${fromRound + 1} of this answer. They are sent again with every further question.`,
        ['omit-results: Leave them out again'],
      ]);
    }
    assert.ok(announced);
    assert.deepEqual(cardsOf(announced, { keepsResults: true })[0]?.actions, []);
  });

  it('lists results of earlier answers as well, each with its call', () => {
    const earlier = ['a', 'a', 'gone'].map((of, round) => ({ turn: of, round, index: 0, tokens: 60_000 }));
    const turn = completeTurn('Yes.', { omitted: [{ fromRound: 0, results: [], earlier }] });
    const shown = (keepsResults: true | undefined) => {
      const [card] = cardsOf(turn, {
        keepsResults,
        turnOf: (id) => (id === 'a' ? turnWith('a', 3) : undefined),
      });
      return [card?.body, card?.facts.map(({ label }) => label), card?.actions.map(({ label }) => label)];
    };
    const facts = ['read {"of":"a0"}', 'read {"of":"a1"}', '?'];
    const why = 'The context window was nearly full, so these results of earlier answers';
    assert.deepEqual(shown(undefined), [
      [`${why} are no longer sent, starting with this question. They stay in the chat.`],
      facts,
      ['Send them again'],
    ]);
    assert.deepEqual(shown(true), [
      [`${why} were not sent with this question. They are sent again with every further question.`],
      facts,
      ['Leave them out again'],
    ]);
  });

  it('offers to leave them out again when the context window is too small for a request that has them', () => {
    const failed = turnOf([failedBy('context-overflow')]);
    const actions = (anyKept: boolean) =>
      cardsOf(failed, { anyKept })
        .at(-1)
        ?.actions.map(({ label }) => label);
    assert.deepEqual(actions(false), ['New Conversation', 'Retry', 'Show Log']);
    assert.deepEqual(actions(true), [
      'Leave out tool results again',
      'New Conversation',
      'Retry',
      'Show Log',
    ]);
  });

  it('leaves out nothing if the user wants all to be sent', async () => {
    const { turn, sizes } = await run({ keepsResults: true });
    assert.equal(turn.request.omitted, undefined);
    assert.equal(Math.max(...sizes), ROUNDS * RESULT.length);
  });
});
