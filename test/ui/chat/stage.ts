/**
 * The workbench of the tests of this folder: the emulator with a route for each scenario, a service with scripted answers, and a
 * limited one.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before } from 'mocha';
import { type Emulator, startEmulator } from '../../../src/emulator/server.ts';
import { CANARY } from '../../support/canary.ts';
import { OUTCOMES } from '../../support/emulatorOutcomes.ts';
import { tidyAfterFailures } from '../../support/leftovers.ts';
import { saveLongConversation } from '../../support/longConversation.ts';
import { type ScriptedService, startScriptedService } from '../../support/scriptedService.ts';
import { startWorkbench, type Workbench } from '../../support/workbench.ts';

export let emulator: Emulator;
export let workbench: Workbench;
export let scripted: ScriptedService;
let limited: Server;

/**
 * One of each kind of card, with its problem. `test/unit/interop/emulatorOutcomes.test.ts` has what the reader is told in all
 * scenarios.
 */
export const SHOWN = OUTCOMES.filter(({ scenario }) =>
  [
    'spent-on-reasoning',
    'truncate',
    'substitute',
    'empty',
    'cut-mid-answer',
    '401',
    '404-gateway',
    'stall-answer',
  ].includes(scenario),
);

/** One route per scenario. The tests switch routes as a user does. */
export function settings(more: Record<string, unknown> = {}): Record<string, unknown> {
  const routes: Record<string, unknown> = {
    plain: { kind: 'direct', baseUrl: emulator.url },
    scripted: { kind: 'direct', baseUrl: scripted.url },
    limited: { kind: 'direct', baseUrl: `http://127.0.0.1:${(limited.address() as AddressInfo).port}/v1` },
  };
  for (const name of [...SHOWN.map(({ scenario }) => scenario), 'slow-reasoning']) {
    routes[name] = {
      kind: name === '404-gateway' ? 'gateway' : 'direct',
      baseUrl: `${emulator.url}/s/${name}`,
    };
  }
  return { 'k3.routes': routes, 'k3.route': 'plain', ...more };
}

before(async () => {
  emulator = await startEmulator({ port: 0, route: 'direct', key: CANARY, tokensPerSecond: 2000 });
  scripted = await startScriptedService();
  limited = createServer((request, response) => {
    request.resume();
    const body = JSON.stringify({ error: { message: 'Rate limit exceeded' } });
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '50' }).end(body);
  });
  await once(limited.listen(0, '127.0.0.1'), 'listening');
  workbench = await startWorkbench({
    env: { K3_API_KEY: CANARY, K3_GATEWAY_API_KEY: CANARY },
    settings: settings(),
  });
  // The database is opened when the chat is.
  saveLongConversation(join(workbench.globalStorage, 'history'));
});

// Another route, too: the tests switch back at their end.
tidyAfterFailures(
  () => workbench,
  'chat',
  () => {
    scripted.forget();
    return workbench.updateSettings(settings());
  },
);

after(async () => {
  await workbench?.dispose();
  await emulator?.close();
  await scripted?.close();
  limited?.close();
});
