/**
 * Faults of the network and the disk in the real panel, with the scripts of test/faults (docs/faults.md). Each question
 * has one outcome card, its text, and one entry in the account, and the next one is answered.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Frame, Locator } from 'playwright-core';
import type { RouteNetwork } from '../../../src/service/types.ts';
import { FAULTS } from '../../faults/all.ts';
import { type Detour, type Expected, type Fault, nameOf, type Phase, type Row } from '../../faults/fault.ts';
import { COMPLETE } from '../../faults/faults/expect.ts';
import type { Ledger } from '../../faults/reply.ts';
import { type Service, startService } from '../../faults/service.ts';
import {
  answerEnded,
  lastAnswerOf,
  newConversation,
  outcomeOf,
  sendQuestion,
} from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import type { Workbench } from '../../support/workbench.ts';
import { type Authority, createAuthority } from '../../unit/service/authority.ts';
import { disk, workbench } from '../review/stage.ts';

/** How the extension gets to the service, and with which limits. */
type Way = 'plain' | 'impatient' | 'http2' | 'proxy';

const TRANSPORTS = {
  plain: 'node',
  impatient: 'node',
  http2: 'undici-h2',
  proxy: 'undici',
} as const satisfies Record<Way, Row['transport']>;

/** Signs of life alone end a turn after four times the limit of its phase, which is in minutes. */
const LIMITS: Partial<Record<Way, object>> = { impatient: { answering: 0.75 / 60 } };

/** With `stops`, the turn is stopped in the fault; without, it ends by itself. */
const PLAYED: readonly (readonly [way: Way, fault: string, phase: Phase, stops?: 'stops'])[] = [
  ['plain', 'upgrade-101', 'first-byte'],
  ['plain', 'reset', 'answering'],
  ['plain', 'gzip-cut', 'answering'],
  ['plain', 'half-open', 'answering', 'stops'],
  ['impatient', 'endless-comments', 'answering'],
  ['http2', 'goaway-graceful', 'answering'],
  ['http2', 'goaway-and-close', 'answering'],
  ['proxy', 'proxy-hangs-up', 'connecting'],
];

const faultNamed = (name: string): Fault =>
  FAULTS.find((fault) => fault.name === name) ?? assert.fail(`there is no fault ${name}`);

const STOPPED: Expected = { outcome: 'stopped', told: /^Stopped.*received so far is kept/s };
const NO_FAULT: Fault = { name: 'none', phases: ['headers'], expected: () => COMPLETE };

describe('A fault in the panel', () => {
  let authority: Authority;
  let services: Readonly<Record<'node' | 'undici-h2', Service>>;
  let proxy: Detour;
  let routes: Readonly<Record<Way, object>>;
  let chat: Frame;
  let way: Way | undefined;

  before(async () => {
    authority = await createAuthority();
    const start = (transport: Row['transport']) =>
      startService({
        fault: NO_FAULT,
        phase: 'headers',
        route: 'direct',
        transport,
        authority,
        onFault: () => undefined,
        seen: (ledger) => untilShown(lastAnswerOf(chat), ledger),
      });
    services = { node: await start('node'), 'undici-h2': await start('undici-h2') };
    const stage = { phase: 'connecting', route: 'direct', transport: 'undici' } as const;
    proxy = (await faultNamed('proxy-hangs-up').detour?.(services.node.port, stage)) ?? assert.fail();
    const route = (scheme: string, { port }: Service, network?: RouteNetwork) => ({
      kind: 'direct',
      baseUrl: `${scheme}://127.0.0.1:${port}/v1`,
      ...(network && { network }),
    });
    routes = {
      plain: route('http', services.node),
      impatient: route('http', services.node),
      http2: route('https', services['undici-h2'], { http2: true, caFile: authority.certFile }),
      proxy: route('http', services.node, proxy.network),
    };
    chat = await newConversation(workbench);
  });

  // A test that failed may have left other settings.
  afterEach(function () {
    if (this.currentTest?.state === 'failed') way = undefined;
  });

  after(async () => {
    await proxy.close?.();
    await services.node.close();
    await services['undici-h2'].close();
    authority.remove();
  });

  async function goBy(wanted: Way): Promise<Service> {
    if (wanted !== way)
      await workbench.updateSettings({
        'k3.routes': routes,
        'k3.route': wanted,
        'k3.timeouts': LIMITS[wanted] ?? {},
      });
    way = wanted;
    return services[TRANSPORTS[wanted] === 'undici-h2' ? 'undici-h2' : 'node'];
  }

  /** Asks, and checks what the panel and the account have of it. */
  async function play(by: Way, fault: Fault, phase: Phase, stops = false): Promise<void> {
    const service = await goBy(by);
    const row: Row = { fault, phase, route: 'direct', transport: TRANSPORTS[by] };
    service.next(fault, phase);
    const known = accountOf(workbench).length;
    await sendQuestion(chat, `Why ${nameOf(row)}?`);
    if (stops) {
      await untilFault(service);
      await chat.getByRole('button', { name: 'Stop', exact: true }).click();
    }
    const answer = await answerEnded(chat);
    const { outcome, told, also = [] } = stops ? STOPPED : fault.expected(row);
    assert.equal(await outcomeOf(answer), outcome);
    await untilShown(answer, service.ledger);
    await eventually(async () => {
      const cards = await answer.locator('.card').allInnerTexts();
      assert.equal(cards.length, (outcome === 'complete' ? 0 : 1) + also.length, cards.join('\n'));
      if (told !== undefined) assert.match(cards[0] ?? '', told);
    });
    await eventually(() => assert.deepEqual(accountOf(workbench).slice(known), [outcome]));
  }

  const isAnswered = () => play(way === 'http2' ? 'http2' : 'plain', NO_FAULT, 'headers');

  for (const [by, name, phase, stops] of PLAYED)
    it(`${name}, ${phase}: ${stops ? 'Stop ends it' : 'it has its card'}, and the next question is answered`, async () => {
      await play(by, faultNamed(name), phase, stops !== undefined);
      await isAnswered();
    });

  it('of the disk, which is full while an answer comes, is told until it is saved', async function () {
    const mounted = disk;
    if (mounted === undefined) return this.skip();
    let shown = false;
    const banner = chat.getByRole('alert').filter({ hasText: 'The disk is full' });
    await play(
      'plain',
      {
        ...NO_FAULT,
        name: 'disk-full',
        act: async (reply) => {
          await emptyLog(workbench);
          mounted.fill();
          try {
            await reply.send(reply.rest.slice(0, 6));
            await banner.waitFor();
            // Also at the end of a long conversation, when the page has scrolled there.
            shown = await eventually(async () => {
              const top = await chat.evaluate(
                "document.querySelector('.banner').getBoundingClientRect().top",
              );
              assert.ok(Number(top) > -1, `the banner is at ${top}`);
              return true;
            });
            await workbench.screenshot('disk-full');
          } finally {
            mounted.free();
          }
          await reply.send(reply.rest.slice(6));
          await reply.end();
        },
      },
      'headers',
    );
    assert.ok(shown, 'the banner is scrolled away');
    await banner.waitFor({ state: 'detached' });
    await isAnswered();
  });
});

const databaseOf = ({ globalStorage }: Workbench) => join(globalStorage, 'history/conversations.db');

/** The log of the database keeps its file when it was written back. On a full disk, the next writes would fit in it. */
async function emptyLog(workbench: Workbench): Promise<void> {
  const database = new DatabaseSync(databaseOf(workbench));
  const truncate = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
  try {
    await eventually(() => assert.equal(truncate.get()?.['busy'], 0));
  } finally {
    database.close();
  }
}

/** The outcomes of all turns in the account, in their order. */
function accountOf(workbench: Workbench): readonly string[] {
  const database = new DatabaseSync(databaseOf(workbench), { readOnly: true });
  try {
    return database
      .prepare('SELECT outcome FROM spend ORDER BY at')
      .all()
      .map(({ outcome }) => String(outcome));
  } finally {
    database.close();
  }
}

const untilFault = (service: Service) =>
  eventually(async () => {
    assert.notEqual(service.ledger.faultAt, undefined);
  });

/** Waits until a turn shows exactly the text that was sent. */
async function untilShown(answer: Locator, { text }: Pick<Ledger, 'text'>): Promise<void> {
  const partOf = async (part: string) => {
    const found = answer.locator(`[data-part="${part}"]`);
    return (await found.count()) === 0 ? '' : ((await found.textContent()) ?? '').trim();
  };
  await eventually(async () => {
    assert.equal(await partOf('reasoning'), text.reasoning.trim());
    assert.equal(await partOf('answer'), text.answer.replaceAll('**', '').trim());
  });
}
