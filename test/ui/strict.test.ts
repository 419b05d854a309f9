/**
 * The main use with the strict service of test/foreign, which was written without knowledge of the client: over plain
 * HTTP, in a real workbench. It also counts errors of the client in requests that it answers.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import { startForeignService } from '../foreign/service.ts';
import { CANARY } from '../support/canary.ts';
import { askQuestion, focusChat, newConversation, outcomeOf, switchRouteTo } from '../support/chatDriver.ts';
import { startWorkbench, type Workbench } from '../support/workbench.ts';

type ForeignService = Awaited<ReturnType<typeof startForeignService>>;

const KEY = CANARY;
let direct: ForeignService;
let gateway: ForeignService;
let workbench: Workbench;
let chat: Frame;

before(async () => {
  direct = await startForeignService({ route: 'direct', key: KEY, pace: 0.02 });
  gateway = await startForeignService({ route: 'gateway', key: KEY, pace: 0.02 });
  workbench = await startWorkbench({
    env: { K3_API_KEY: KEY, K3_GATEWAY_API_KEY: KEY },
    settings: {
      'k3.routes': {
        straight: { kind: 'direct', baseUrl: direct.url },
        through: { kind: 'gateway', baseUrl: gateway.url },
      },
      'k3.route': 'straight',
    },
  });
  chat = await focusChat(workbench);
});

after(async () => {
  await workbench?.dispose();
  await direct?.close();
  await gateway?.close();
});

const switchRoute = (name: string) => switchRouteTo(workbench, chat, name);

async function askAnew(question: string) {
  chat = await newConversation(workbench);
  return askQuestion(chat, question);
}

interface Expected {
  readonly marker: string;
  readonly outcome: string;
  readonly message?: RegExp;
  /** The number of requests that are allowed. */
  readonly requests?: number;
}

const EXPECTED: readonly Expected[] = [
  { marker: 'budget-spent', outcome: 'spent-on-reasoning', message: /Reasoning used all output tokens/ },
  { marker: 'cut', outcome: 'truncated', message: /cut off/ },
  { marker: 'nothing', outcome: 'empty', message: /The answer is empty/ },
  { marker: 'other-model', outcome: 'complete', message: /Another model answered/ },
  { marker: 'renamed-reasoning', outcome: 'complete' },
  { marker: 'renamed-reasoning:reasoning_details', outcome: 'complete' },
  { marker: 'renamed-reasoning:think', outcome: 'complete' },
  { marker: 'renamed-reasoning:both', outcome: 'complete' },
  { marker: 'no-usage', outcome: 'complete', message: /Usage not reported/ },
  { marker: 'zero-usage', outcome: 'complete', message: /Usage not reported/ },
  { marker: 'usage-in-choice', outcome: 'complete', message: /Usage\s+passed/ },
  { marker: 'no-done', outcome: 'complete' },
  { marker: 'no-done:early', outcome: 'interrupted', message: /without a finish reason/ },
  { marker: 'dropped', outcome: 'interrupted', message: /connection was lost/ },
  { marker: 'error-mid-stream', outcome: 'failed', message: /reported an error|failed/ },
  { marker: '401', outcome: 'failed', message: /key was not accepted/ },
  { marker: '404-direct', outcome: 'failed', message: /the service doesn’t say which/ },
  { marker: '404-gateway', outcome: 'failed', message: /doesn’t recognize the model/ },
  { marker: '429-twice', outcome: 'complete', requests: 3 },
  { marker: 'balance', outcome: 'failed', message: /no balance/ },
  { marker: '503-once', outcome: 'complete', requests: 2 },
  { marker: 'html-200', outcome: 'failed', message: /a web page/ },
  { marker: 'error-200', outcome: 'failed' },
  { marker: 'redirect', outcome: 'failed', message: /not followed/ },
  { marker: 'filtered', outcome: 'filtered', message: /content filter/ },
  { marker: 'filtered:finish', outcome: 'filtered' },
  { marker: 'keep-alive', outcome: 'complete' },
  { marker: 'empty-choices', outcome: 'complete' },
  { marker: 'null-deltas', outcome: 'complete' },
  { marker: 'single-bytes', outcome: 'complete' },
  { marker: 'bare-cr', outcome: 'complete' },
  { marker: 'no-space', outcome: 'complete' },
];

for (const [route, name] of [
  ['straight', 'the direct route'],
  ['through', 'the gateway'],
] as const) {
  describe(`A strict service, on ${name}`, () => {
    const service = () => (route === 'straight' ? direct : gateway);
    before(() => (route === 'straight' ? undefined : switchRoute(route)));

    it('streams reasoning and answer; the steps are in the tree and the usage in the status bar', async () => {
      const answer = await askAnew('What is a good name for a boat?');
      assert.equal(await outcomeOf(answer), 'complete');
      assert.ok((await answer.locator('[data-part="reasoning"]').textContent())?.length);
      await workbench.page.locator('.statusbar-item', { hasText: /tokens.*\$/ }).waitFor();
      const rows = workbench.page.locator('.pane:has([aria-label^="Reasoning"]) .monaco-list-row');
      await rows.nth(2).waitFor();
      await workbench.screenshot(`strict-${route}`);
    });

    it('R11 R4 gets the second question after the same bytes as the first, including its reasoning', async () => {
      const first = service().requests.at(-1)?.text ?? '';
      assert.equal(await outcomeOf(await askQuestion(chat, 'And for a second one?')), 'complete');
      const second = service().requests.at(-1)?.text ?? '';
      const prefix = first.slice(0, first.indexOf(']', first.indexOf('"messages"')));
      assert.ok(prefix.length > 40 && second.startsWith(prefix), `${prefix}\n${second}`);
    });

    for (const { marker, outcome, message, requests = 1 } of EXPECTED) {
      it(`${marker}: ${outcome}`, async () => {
        const before = service().requests.length;
        const answer = await askAnew(`Tell me more [[${marker}]]`);
        assert.equal(await outcomeOf(answer), outcome, await answer.innerText());
        if (message !== undefined) assert.match(await answer.innerText(), message);
        assert.equal(service().requests.length - before, requests);
      });
    }

    it('finds no errors in the requests', () => {
      assert.deepEqual(service().violations, []);
    });
  });
}
