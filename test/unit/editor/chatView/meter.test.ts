import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toRoutePlace } from '../../../../src/conversation/routePlace.ts';
import type { Composer } from '../../../../src/editor/composer/composerState.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { toolOf } from '../../conversation/toolTurns.ts';
import { completeTurn, conversationOf, exchangeOf } from '../../conversation/turns.ts';
import { ROUTE } from '../../service/wire.ts';

const { toSurroundings } = await withEditorStub(
  () => import('../../../../src/editor/chatView/surroundings.ts'),
);

const composerWith = (draft: string): Composer => ({
  draft,
  attachments: [],
  working: [],
  rejected: [],
  failed: [],
  waiting: false,
  context: [],
  reading: new Set(),
  instructions: { items: [], omitted: [] },
  editing: undefined,
  otherEdits: [],
  sendingEdits: [],
  edit: () => undefined,
  openBox: () => false,
  leftTexts: () => [],
  dropLeft: () => undefined,
  boxOf: () => undefined,
  leaveBox: () => undefined,
  restore: () => false,
  refusal: undefined,
  refused: undefined,
  format: undefined,
  preset: undefined,
  queue: [],
  queuePaused: false,
  sendingQueued: false,
});

let ratio = 1;
/** The names of the routes. */
let names: readonly string[] = [];
const meterOf = (
  conversation = conversationOf(),
  draft = '',
  tools = ['read'],
  demoKey?: string,
  state: Partial<Parameters<typeof toSurroundings>[2]> = {},
) =>
  toSurroundings(
    conversation,
    composerWith(draft),
    {
      text: draft,
      running: false,
      elsewhere: undefined,
      deleted: false,
      standsIn: false,
      storage: undefined,
      tools: tools.map(toolOf),
      starters: [],
      ...state,
    },
    {
      routes: {
        active: () => ({ route: ROUTE, demoKey }),
        named: (name) => (names.includes(name) ? { route: ROUTE, demoKey } : undefined),
      },
      probes: { lackOf: () => undefined, works: () => false },
      turns: { tokenRatio: () => ratio },
    },
  );

describe('The context meter', () => {
  const valueFor = (...args: Parameters<typeof meterOf>) => meterOf(...args).meter.value;

  it('counts the tools of a new conversation', () => {
    ratio = 1;
    assert.ok(valueFor(conversationOf()) > valueFor(conversationOf(), '', []) + 20);
  });

  it('counts as the route does, with the next question at the latest, and not while the user types', () => {
    ratio = 1;
    const conversation = conversationOf(exchangeOf('a', completeTurn()));
    const draft = 'x'.repeat(4000);
    const before = valueFor(conversation, draft);
    ratio = 2;
    assert.equal(valueFor(conversation, draft), before);
    assert.equal(valueFor(conversation, `${draft}xxxx`), before + 1);
    const next = conversationOf(exchangeOf('a', completeTurn()));
    assert.equal(valueFor(next, draft), before + 1000);
  });

  it('counts for the demo as if nothing was known', () => {
    ratio = 2;
    assert.equal(valueFor(conversationOf(), 'x'.repeat(4000), [], 'sk-demo'), 90 + 1000);
  });

  it('says what is cached also after the route was renamed, and not after another one was chosen', () => {
    ratio = 1;
    const textOf = (routeName: string, routePlace: string) =>
      meterOf(conversationOf(exchangeOf('a', completeTurn('Because.', { routeName, routePlace })))).meter
        .text;
    const cached = textOf(ROUTE.name, toRoutePlace(ROUTE));
    assert.match(cached, /[1-9].* probably cached/);
    assert.equal(textOf('earlier', toRoutePlace(ROUTE)), cached);
    assert.notEqual(textOf('earlier', 'elsewhere'), cached);
    names = ['second'];
    assert.notEqual(textOf('second', toRoutePlace(ROUTE)), cached, 'it can have another key');
  });

  it('warns of a full window by what the route counts', () => {
    const long = 'x'.repeat(2_000_000);
    ratio = 1;
    assert.equal(meterOf(conversationOf(), long).banners.length, 0);
    ratio = 1.9;
    const [banner] = meterOf(conversationOf(), long).banners;
    assert.match(banner?.text ?? '', /context window/);
    assert.equal(banner?.tone, 'note');
  });
});

describe('A banner', () => {
  it('is a problem where something is not saved, and a note about everything else', () => {
    ratio = 1;
    const FULL = { text: 'The disk is full.', exports: true };
    const tonesOf = (state: Parameters<typeof meterOf>[4]) =>
      meterOf(conversationOf(), '', [], undefined, state).banners.map(({ tone, text }) => [
        tone,
        text.slice(0, 14),
      ]);
    assert.deepEqual(tonesOf({ storage: FULL, elsewhere: 'project' }), [
      ['problem', 'The disk is fu'],
      ['note', 'Another window'],
    ]);
    assert.deepEqual(
      tonesOf({ deleted: true, storage: FULL }).map(([tone]) => tone),
      ['note'],
    );
  });

  it('offers an export only if that has what is not saved', () => {
    for (const exports of [true, false]) {
      const storage = { text: 'The disk is full.', exports };
      const { banners } = meterOf(conversationOf(), '', [], undefined, { storage });
      assert.deepEqual(
        banners.flatMap(({ actions }) => actions).map(({ action }) => action),
        exports ? ['export'] : [],
      );
    }
  });
});
