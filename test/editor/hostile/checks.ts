/** What holds for one hostile workspace only, after its attack. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import * as vscode from 'vscode';
import type { Turn } from '../../../src/conversation/turn.ts';
import { findOtherChat } from '../languageModel/otherChat.ts';
import { streamOf, until } from '../scripted.ts';
import { ask, asked, endTest, known, resultsOf, scripted, send, set } from './playing.ts';
import { assertHeardNothing, callsOf, KEY } from './stage.ts';
import { sendsInstructionsAsText, sendsOutputAsText, sendsPromptsAsText } from './texts.ts';

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
  async 'agent-files'(turn) {
    // What is in .git, and was not asked about.
    for (const text of resultsOf(turn)) assert.ok(!text.includes('fsmonitor'), '.git/config was read');
    await waitsForApproval();
  },
  shell: assertNoTools,
  async 'tool-server'(turn) {
    await assertNoTools(turn);
    const sources = scripted.tools.set.all().map(({ source }) => source);
    assert.ok(!sources.some((source) => source.startsWith('MCP')), sources.join(', '));
  },
  async links(turn) {
    for (const text of resultsOf(turn)) {
      assert.ok(!text.includes('OUTSIDE-OF-ALL'), 'a file outside the workspace was read');
      assert.ok(!text.includes('PORT=1'), '.env was read');
    }
  },
  async 'hidden-arguments'() {
    assert.equal(asked.details.length, 2, `${asked.details.length} questions`);
    assert.ok(asked.details[0]?.includes('notes-⟦U+202E⟧txt.env'), 'the dialog hides a character');
  },
  async 'hidden-characters'() {
    assert.match(asked.details.join(), /U\+202E/);
  },
  async 'local-port'() {
    assert.equal(countListeners(), listening);
  },
  instructed: sendsInstructionsAsText,
  prompts: sendsPromptsAsText,
  'terminal-output': sendsOutputAsText,
  'key-in-log': failsWithTheKey,
};

async function assertNoTools(turn: Turn): Promise<void> {
  for (const text of resultsOf(turn)) assert.match(text, /there is no tool /i);
}

/** A request to another machine takes the proxy of the user's settings, not one of the workspace. */
async function asksThroughTheUsersProxy(): Promise<void> {
  const proxy = await startProxy();
  await set('http', 'proxy', proxy.address);
  try {
    scripted.will(streamOf([{ answer: 'Through the proxy.' }, { finish: 'stop' }]));
    // Making the route the active one takes longer.
    const { answer, failure } = await ask('Where are you?', {}, { routeName: 'remote' });
    assertHeardNothing(known);
    assert.equal(answer, 'Through the proxy.', failure?.kind);
    assert.equal(proxy.connections(), 1);
  } finally {
    await set('http', 'proxy', undefined);
    proxy.close();
  }
}

/** A proxy that leads all requests to the scripted service, through a tunnel if it is asked for one. */
async function startProxy() {
  let connections = 0;
  const port = Number(new URL(scripted.baseUrl).port);
  const server = createServer((socket) => {
    connections++;
    socket.on('error', () => socket.destroy());
    socket.once('data', (head) => {
      const service = connect(port, '127.0.0.1').on('error', () => socket.destroy());
      if (head.toString('latin1').startsWith('CONNECT ')) socket.write('HTTP/1.1 200 OK\r\n\r\n');
      else service.write(head);
      socket.pipe(service).pipe(socket);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    close: () => server.close(),
  };
}

/** A call of another extension's tool waits for the user, whatever files and settings say. Stopped, it never runs. */
async function waitsForApproval(): Promise<void> {
  const name = 'other_chat_run';
  const { approvals, set: tools } = scripted.tools;
  const offered = tools.all().some((tool) => tool.name === name);
  assert.ok(vscode.lm.tools.some((tool) => tool.name === name));
  // In Restricted Mode the tools of others are not offered.
  assert.equal(offered, vscode.workspace.isTrusted, offered ? 'it is offered' : 'it is not offered');
  if (!offered) return;
  const other = await findOtherChat();
  const before = other.runs();
  tools.choose({ without: [], others: [name] });
  try {
    scripted.conversations.create();
    scripted.will(streamOf([callsOf([name, { command: 'approved' }]), { finish: 'tool_calls' }]));
    const turn = await send('Run it.');
    await until(
      () => approvals.waiting().length > 0 || other.runs() > before || turn().outcome !== undefined,
    );
    assert.equal(other.runs(), before, 'it ran');
    assert.deepEqual(
      approvals.waiting().map(({ call }) => call.name),
      [name],
    );
    await endTest();
    assert.equal(turn().outcome, 'stopped');
    assert.equal(other.runs(), before);
  } finally {
    tools.choose({ without: [], others: [] });
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
  assert.ok(!JSON.stringify(turn).includes(KEY), 'the key is in the turn');
}
