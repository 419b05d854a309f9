import assert from 'node:assert/strict';
import { setImmediate as soon } from 'node:timers/promises';
import { beforeEach, describe, it } from 'mocha';
import type { Exchange } from '../../../../src/conversation/conversation.ts';
import type { RefusalCheckDeps } from '../../../../src/editor/chatView/refusalCheck.ts';
import type { Composer } from '../../../../src/editor/composer/composerState.ts';
import type { Refusal } from '../../../../src/requests/refusal.ts';
import { EventEmitter } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { answer, completeTurn, turnOf } from '../../conversation/turns.ts';
import { exchange } from '../../history/support.ts';

const { registerRefusalCheck, describeRefusal } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/chatView/refusalCheck.ts')),
  ...(await import('../../../../src/editor/wording/refusalWords.ts')),
}));

const ROUTE = {
  name: 'work',
  kind: 'direct',
  root: '',
  origin: 'https://a.example',
  model: 'svc-k3',
} as const;

let composer: Pick<Composer, 'draft' | 'refusal' | 'refused' | 'failed'>;
let changed: string[];
let route: { name: string; origin: string } | undefined;
let hasKey: boolean;
let running: boolean;
let holder: object | undefined;
let isUnread: boolean;
const settings = new EventEmitter<void>();
const secrets = new EventEmitter<unknown>();
const list = new EventEmitter<{ type: string; conversationId?: string; exchange?: Exchange }>();

function prepare(): void {
  composer = { draft: '', refusal: undefined, refused: undefined, failed: [] };
  changed = [];
  route = undefined;
  hasKey = false;
  running = false;
  holder = undefined;
  isUnread = false;
  const deps = {
    composers: { all: () => [['c1', composer]], changed: (id: string) => changed.push(id) },
    conversations: {
      isRunning: () => running,
      holder: () => holder,
      isUnread: () => isUnread,
      onDidChange: list.event,
    },
    routes: { active: () => route && { route }, onDidChange: settings.event },
    keys: { find: async () => ({ found: hasKey }), onDidChange: secrets.event },
    log: { warn: assert.fail },
  };
  registerRefusalCheck(deps as unknown as RefusalCheckDeps);
}

function refuse(refused: Refusal): void {
  Object.assign(composer, { refused, refusal: describeRefusal(refused) });
}
async function isShownAfter(event: () => void): Promise<boolean> {
  event();
  await soon();
  return composer.refusal !== undefined;
}

describe('The reason why a message was not sent', () => {
  beforeEach(prepare);

  it('stays while there is no route, and goes away when one is added', async () => {
    refuse({ kind: 'no-route' });
    assert.equal(await isShownAfter(() => settings.fire()), true, 'another setting');
    route = ROUTE;
    assert.equal(await isShownAfter(() => settings.fire()), false);
    assert.deepEqual(changed, ['c1'], 'the panels show it');
  });

  it('goes away when the API key is set, or another route is used', async () => {
    route = ROUTE;
    refuse({ kind: 'no-key', route: ROUTE, why: 'none' });
    assert.equal(await isShownAfter(() => settings.fire()), true);
    hasKey = true;
    assert.equal(await isShownAfter(() => secrets.fire(undefined)), false);
    hasKey = false;
    refuse({ kind: 'no-key', route: ROUTE, why: 'none' });
    route = { ...ROUTE, name: 'home' };
    assert.equal(await isShownAfter(() => settings.fire()), false);
  });

  it('goes away when the answer that it waits for has ended, here or in another window', async () => {
    running = true;
    refuse({ kind: 'running' });
    assert.equal(await isShownAfter(() => list.fire({ type: 'listed' })), true);
    running = false;
    assert.equal(await isShownAfter(() => list.fire({ type: 'listed' })), false);
    holder = {};
    refuse({ kind: 'elsewhere', place: 'there' });
    assert.equal(await isShownAfter(() => list.fire({ type: 'listed' })), true);
    holder = undefined;
    assert.equal(await isShownAfter(() => list.fire({ type: 'listed' })), false);
  });

  it('goes away when the conversation can be read', async () => {
    isUnread = true;
    refuse({ kind: 'unread' });
    assert.equal(await isShownAfter(() => list.fire({ type: 'listed' })), true);
    isUnread = false;
    assert.equal(await isShownAfter(() => list.fire({ type: 'replaced' })), false);
  });

  it('of a setting goes away with the next change of a setting, not of a conversation', async () => {
    refuse({ kind: 'transport', message: 'the certificate file is gone' });
    assert.equal(await isShownAfter(() => list.fire({ type: 'listed' })), true);
    assert.equal(await isShownAfter(() => settings.fire()), false);
  });

  it('stays when something else is shown by now', async () => {
    refuse({ kind: 'no-route' });
    composer.refusal = 'The file could not be read.';
    route = ROUTE;
    assert.equal(await isShownAfter(() => settings.fire()), true);
  });
});

describe('The reason why something was not added to a message', () => {
  beforeEach(prepare);

  it('goes away when a command asks in its conversation, not when a message is sent', async () => {
    const why = 'Nothing is selected in a.ts.';
    const asks = (asked: string | undefined, ...attempts: Exchange['attempts']) => {
      const one = exchange('e1', 'Why?', attempts);
      const { question } = one;
      return { ...one, question: { ...question, ...(asked !== undefined && { asked }) } };
    };
    const [running, ended] = [turnOf([answer('So')]), completeTurn()];
    const isShown = (conversationId: string, asked: Exchange, failed = [why]) => {
      Object.assign(composer, { failed, refusal: why });
      return isShownAfter(() => list.fire({ type: 'exchange', conversationId, exchange: asked }));
    };
    assert.equal(await isShown('c1', asks('Explain', running)), false);
    assert.deepEqual(changed, ['c1'], 'the panels show it');
    assert.equal(await isShown('c2', asks('Explain', running)), true);
    assert.equal(await isShown('c1', asks(undefined, running)), true);
    assert.equal(await isShown('c1', asks('Explain', ended)), true, 'another version of it is shown');
    assert.equal(await isShown('c1', asks('Explain', running), []), true, 'why the message was not sent');
    composer.draft = 'And this?';
    assert.equal(
      await isShown('c1', asks('Explain', running)),
      true,
      'it can be why the message was not sent',
    );
    Object.assign(composer, { draft: '', refusal: `Too large. ${why}` });
    list.fire({ type: 'exchange', conversationId: 'c1', exchange: asks('Explain', running) });
    assert.equal(composer.refusal, 'Too large.');
  });
});
