/** Hostile workspaces, first in Restricted Mode and then trusted (docs/security.md, Hostile workspaces). */
import assert from 'node:assert/strict';
import { appendFileSync, globSync, readFileSync, statSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Turn } from '../../../src/chat/turn.ts';
import { type Asking, watchModals } from '../modals.ts';
import { type Scripted, startScripted, streamOf, until } from '../scripted.ts';
import { ATTACKS, type Attack } from './attacks.ts';
import {
  chatPages,
  contentsOf,
  folders,
  heard,
  heardKeys,
  KEY,
  pathIn,
  profile,
  thief,
  untilShown,
} from './stage.ts';

/** An address that only the user's proxy can reach. The editor uses no proxy for this machine. */
const REMOTE = 'http://svc.k3.example';

let scripted: Scripted;
let asked: Asking;
let stolen: vscode.Disposable;
let commandsRun = 0;
let contents: Readonly<Record<string, Readonly<Record<string, string>>>>;
let listening: number;
let played = 0;
let stolenBytes = 0;
let stolenKeys = 0;
/** What the thief had heard when a test began, so that one fault fails one test. */
let known = 0;

const listeners = () => process.getActiveResourcesInfo().filter((kind) => /server/i.test(kind)).length;
const allContents = () => Object.fromEntries(folders().map(({ name }) => [name, contentsOf(pathIn(name))]));
const execute = (command: string, ...args: unknown[]) => vscode.commands.executeCommand(command, ...args);
const set = (section: string, name: string, value: unknown) =>
  vscode.workspace.getConfiguration(section).update(name, value, vscode.ConfigurationTarget.Global);

/** Saves the key like the user does. */
async function saveKey(): Promise<void> {
  const { showInputBox } = vscode.window;
  Object.assign(vscode.window, { showInputBox: async () => KEY });
  await execute('k3.setKey').then(() => Object.assign(vscode.window, { showInputBox }));
}

describe('Hostile workspaces', () => {
  before(async () => {
    scripted = await startScripted();
    await set('k3', 'routes', {
      scripted: { kind: 'direct', baseUrl: scripted.baseUrl },
      remote: { kind: 'direct', baseUrl: REMOTE },
    });
    for (const route of ['remote', 'scripted']) {
      await set('k3', 'route', route);
      await saveKey();
    }
    asked = watchModals();
    stolen = vscode.commands.registerCommand('hostile.steal', () => void commandsRun++);
    contents = allContents();
    listening = listeners();
  });

  beforeEach(() => {
    for (const list of [asked.titles, asked.details, asked.notes]) list.length = 0;
    asked.answer = undefined;
    known = heard().length;
  });

  after(async () => {
    asked.restore();
    stolen.dispose();
    await set('http', 'proxy', undefined);
    await execute('workbench.action.closeAllEditors');
    await scripted.close();
    const line = `hostile workspaces: ${played} folders × 2, bytes at the thief ${stolenBytes}, of the key ${stolenKeys}`;
    appendFileSync(process.env['K3_TEST_OUTPUT'] ?? '/dev/null', `\n  ${line}\n`);
  });

  it('have a folder for each attack, and an attack for each folder', () => {
    assert.deepEqual(
      ATTACKS.map(({ folder }) => folder).toSorted(),
      folders().map(({ name }) => name),
    );
  });

  describe('in Restricted Mode', () => {
    it('are not trusted', () => assert.equal(vscode.workspace.isTrusted, false));
    playAll();
  });

  describe('that are trusted', () => {
    before(async () => {
      await execute('workbench.trust.manage');
      await until(() => vscode.workspace.isTrusted, 20_000);
      await execute('workbench.action.closeAllEditors');
    });
    playAll();
  });

  it('have a thief that hears what is sent to it', async () => {
    stolenBytes = heard().length;
    stolenKeys = heardKeys();
    await new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${KEY}` };
      get(`http://${thief}/control`, { headers }, resolve).on('error', reject);
    });
    assert.match(heard(), /GET \/control/);
    assert.ok(heardKeys() > stolenKeys);
  });
});

function playAll(): void {
  it('cause no request when they are opened and looked at', lookAtAll).timeout(60_000);

  for (const attack of ATTACKS) {
    it(`${attack.folder}: ${attack.title}`, async () => {
      const turn = await play(attack);
      await CHECKS[attack.folder]?.(turn);
      assertNothingGiven();
      played += 0.5;
    }).timeout(60_000);
  }

  it('have the files that they had, and nothing of the key', () => {
    assert.deepEqual(allContents(), contents);
    assertNoKeyIn(profile);
  });
}

/** Opens everything that can be opened without asking the model. */
async function lookAtAll(): Promise<void> {
  await execute('k3.focusChat');
  for (const view of ['k3.reasoning', 'k3.conversations', 'k3.chat']) await execute(`${view}.focus`);
  for (const { uri } of folders()) {
    const names = globSync('{*,.*,.vscode/*}', { cwd: uri.fsPath });
    const files = names.map((name) => vscode.Uri.joinPath(uri, name));
    const texts = files.filter(({ fsPath }) => statSync(fsPath).isFile());
    const [first] = await Promise.all(texts.map((file) => vscode.workspace.openTextDocument(file)));
    assert.ok(first);
    await vscode.window.showTextDocument(first, { preview: true });
  }
  for (const command of ['k3.showUsage', 'k3.openInEditor', 'k3.showRequest', 'k3.showLog', 'k3.copyDiagnostics'])
    await execute(command);
  assert.doesNotMatch(await vscode.env.clipboard.readText(), new RegExp(KEY));
  await execute('k3.focusChat');
  assert.deepEqual(scripted.requests, []);
  assert.equal(heard().slice(known), '');
  assert.deepEqual(asked.titles, []);
}

/** Asks in the open conversation. A turn with many calls takes longer than other tests wait for one. */
async function ask(text: string): Promise<Turn> {
  const { conversations } = scripted;
  const sent = await conversations.ask(conversations.current().id, { text, images: [], origin: undefined });
  assert.ok(sent.ok);
  return until(() => {
    const turn = conversations.find(sent.turnId)?.turn;
    return turn?.outcome !== undefined && turn;
  }, 40_000);
}

/** Asks about a folder, with a model that follows what the folder says, and refuses what is asked. */
async function play({ folder, calls, answer, asksForEach }: Attack): Promise<Turn> {
  const end = `End of ${folder}, ${vscode.workspace.isTrusted ? 'trusted' : 'restricted'}.`;
  if (calls !== undefined) scripted.will(streamOf([calls(), { finish: 'tool_calls' }]));
  scripted.will(streamOf([{ answer: `${answer?.() ?? ''}\n\n${end}` }, { finish: 'stop' }]));
  const before = scripted.requests.length;
  const turn = await ask(`What does ${folder} do?`);
  assert.equal(turn.outcome, 'complete', turn.failure?.kind);
  const received = scripted.requests.slice(before);
  assert.equal(received.length, calls === undefined ? 1 : 2);
  for (const { authorization, body } of received) {
    assert.equal(authorization, `Bearer ${KEY}`);
    assert.doesNotMatch(body, /HOSTILE PROMPT|OUTSIDE-OF-ALL|PASSWORD=of/);
    assert.ok(JSON.parse(body).max_completion_tokens !== 7);
  }
  await untilShown(end);
  if (asksForEach) await acceptAll(turn);
  return turn;
}

/** Accepts what was proposed. Each change asks, and the user refuses. What was not proposed was refused before. */
async function acceptAll(turn: Turn): Promise<void> {
  const proposed = scripted.proposals
    .ofTurn(turn.id)
    .flatMap(({ id, files }) => files.map(({ uri }) => ({ proposalId: id, uri })));
  const edits = turn.rounds.flatMap(({ toolCalls }) => toolCalls.filter(({ name }) => name === 'propose_edit'));
  const refused = edits.filter(({ result }) => result?.refused);
  assert.equal(proposed.length, edits.length - refused.length, JSON.stringify(resultsOf(turn)));
  for (const target of proposed) {
    asked.titles.length = 0;
    await execute('k3.acceptAll', target);
    assert.equal(asked.titles.length, 1, target.uri);
  }
}

/** Holds after each attack. */
function assertNothingGiven(): void {
  assert.equal(heard().slice(known), '');
  assert.equal(commandsRun, 0);
  assert.deepEqual(scripted.tools.approvals.waiting(), []);
  assert.deepEqual(scripted.tools.approvals.always(), []);
  assert.equal(scripted.tools.approvals.inConversations(), 0);
  const html = chatPages();
  assert.doesNotMatch(html, new RegExp(`(?:src|srcset|action|data|poster|style)="[^"]*${thief}`));
  assert.doesNotMatch(html, /href="(?!https?:\/\/|#)[^"]*(?:command|javascript|file|data|vscode):/i);
}

const resultsOf = (turn: Turn) =>
  turn.rounds.flatMap(({ toolCalls }) => toolCalls.map(({ result }) => result?.text ?? ''));

async function assertNoTools(turn: Turn): Promise<void> {
  for (const text of resultsOf(turn)) assert.match(text, /^There is no tool /);
}

/** What holds for one folder. */
const CHECKS: Readonly<Record<string, (turn: Turn) => Promise<void>>> = {
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
    assert.equal(listeners(), listening);
  },
  'key-in-log': failsWithTheKey,
};

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
    response.end(JSON.stringify({ error: { message: `Wrong key: Bearer ${KEY}`, type: 'authentication_error' } }));
  });
  const turn = await ask('Who are you?');
  assert.equal(turn.outcome, 'failed');
  assert.doesNotMatch(JSON.stringify(turn), new RegExp(KEY));
}

function assertNoKeyIn(folder: string): void {
  const found = globSync('**/*', { cwd: folder, exclude: ['heard.bin'] }).filter((name) => {
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() && stat.size < 50_000_000 && readFileSync(path).includes(KEY);
  });
  assert.deepEqual(found, []);
}
