/** What holds for one hostile workspace only, after its attack. */
import assert from 'node:assert/strict';
import type { Turn } from '../../../src/chat/turn.ts';
import { streamOf } from '../scripted.ts';
import { ask, asked, known, REMOTE, resultsOf, scripted, set } from './playing.ts';
import { heard, KEY } from './stage.ts';

/** The number of servers that listen in the extension host. */
const countListeners = () => process.getActiveResourcesInfo().filter((kind) => /server/i.test(kind)).length;

let listening = 0;

/** Notes how many servers listen before the extension is used. */
export function noteListeners(): void {
  listening = countListeners();
}

/** By folder. Each is called with the turn of the attack. */
export const CHECKS: Readonly<Record<string, (turn: Turn) => Promise<void>>> = {
  'redirecting-settings': asksThroughTheUsersProxy,
  'nested-settings': asksThroughTheUsersProxy,
  shell: assertNoTools,
  async 'tool-server'(turn) {
    await assertNoTools(turn);
    const sources = scripted.tools.set.all().map(({ source }) => source);
    assert.ok(!sources.some((source) => source.startsWith('MCP')), sources.join(', '));
  },
  async links(turn) {
    for (const text of resultsOf(turn)) assert.doesNotMatch(text, /OUTSIDE-OF-ALL/);
  },
  async 'hidden-arguments'() {
    assert.equal(asked.details.length, 1);
    assert.match(asked.details[0] ?? '', /notes-⟦U\+202E⟧txt\.env/);
  },
  async 'hidden-characters'() {
    assert.match(asked.details.join(), /U\+202E/);
  },
  async 'local-port'() {
    assert.equal(countListeners(), listening);
  },
  'key-in-log': failsWithTheKey,
};

async function assertNoTools(turn: Turn): Promise<void> {
  for (const text of resultsOf(turn)) assert.match(text, /there is no tool /i);
}

/** A request to another machine takes the proxy of the user's settings, not one of the workspace. */
async function asksThroughTheUsersProxy(): Promise<void> {
  await set('http', 'proxy', scripted.baseUrl);
  await set('k3', 'route', 'remote');
  try {
    scripted.will(streamOf([{ answer: 'Through the proxy.' }, { finish: 'stop' }]));
    const { answer, failure } = await ask('Where are you?');
    assert.equal(heard().slice(known), '');
    assert.equal(answer, 'Through the proxy.', failure?.kind);
    assert.equal(scripted.requests.at(-1)?.url, `${REMOTE}/v1/chat/completions`);
  } finally {
    await set('k3', 'route', 'scripted');
    await set('http', 'proxy', undefined);
  }
}

/** A service that repeats the key in an error. */
async function failsWithTheKey(): Promise<void> {
  scripted.will((response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ error: { message: `Wrong key: Bearer ${KEY}`, type: 'authentication_error' } }),
    );
  });
  const turn = await ask('Who are you?');
  assert.equal(turn.outcome, 'failed');
  assert.doesNotMatch(JSON.stringify(turn), new RegExp(KEY));
}
