/** Plays an attack: looks at the folders, asks, and refuses. The conversation and the key belong to the whole run. */
import assert from 'node:assert/strict';
import { globSync, statSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Question } from '../../../src/conversation/question.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { readPromptsFolder, readSettings } from '../../../src/editor/settings/settings.ts';
import type { AttemptOptions } from '../../../src/requests/conversationRequest.ts';
import { type Asking, watchModals } from '../modals.ts';
import { type Scripted, startScripted, streamOf, until } from '../scripted.ts';
import type { Attack } from './attacks.ts';
import { assertHeardNothing, chatPages, folders, heard, KEY, thief, untilShown } from './stage.ts';

/** An address that only the user's proxy can reach. The editor uses no proxy for this machine. */
const REMOTE = 'http://svc.k3.example';

export let scripted: Scripted;
export let asked: Asking;
/** What the thief had heard when a test began, so that one fault fails one test. */
export let known = 0;
let commandsRun = 0;
/** The hostile workspaces are tested by themselves, with all extensions of the editor. */
const playsAll = process.env['K3_TEST_ALL_EXTENSIONS'] !== undefined;
let stolen: vscode.Disposable;
/** What was given when a test began. */
let given: ReturnType<typeof readGiven>;

/** What no text of a workspace changes. */
const readGiven = () => ({
  settings: readSettings(),
  promptsFolder: readPromptsFolder().path,
  tools: scripted.tools.set.chosen().map(({ name }) => name),
  choice: scripted.tools.set.choice(),
});

export const execute = (command: string, ...args: unknown[]) =>
  vscode.commands.executeCommand(command, ...args);
export const set = (section: string, name: string, value: unknown) =>
  vscode.workspace.getConfiguration(section).update(name, value, vscode.ConfigurationTarget.Global);

/** Connects the extension to the service, with the key in secret storage. */
export async function connect(): Promise<void> {
  scripted = await startScripted();
  await set('k3', 'routes', {
    scripted: { kind: 'direct', baseUrl: scripted.baseUrl },
    remote: { kind: 'direct', baseUrl: REMOTE },
    // Of the name that the settings of the folders make the active route.
    work: { kind: 'gateway', baseUrl: REMOTE },
  });
  scripted.willList((response) => void response.writeHead(404).end());
  for (const route of ['work', 'remote', 'scripted']) {
    await set('k3', 'route', route);
    await saveKey();
  }
  // The key of this route is tried at once. The others can't be reached without a proxy.
  await until(() => scripted.requests.length > 0);
  await execute('k3.focusChat');
  asked = watchModals();
  stolen = vscode.commands.registerCommand('hostile.steal', () => void commandsRun++);
}

/** Each test begins with a new conversation, and with nothing that the one before has left. */
export function startTest(): void {
  for (const list of [asked.titles, asked.details, asked.notes]) list.length = 0;
  known = heard().length;
  scripted.forget();
  scripted.conversations.create();
  given = readGiven();
}

/** Stops what a failed test has left running. */
export async function endTest(): Promise<void> {
  const { conversations } = scripted;
  const { id } = conversations.current();
  conversations.stop(id);
  await until(() => !conversations.isRunning(id));
}

export async function disconnect(): Promise<void> {
  asked.restore();
  stolen.dispose();
  await set('http', 'proxy', undefined);
  await execute('workbench.action.closeAllEditors');
  await scripted.close();
}

/** Saves the key like the user does. */
async function saveKey(): Promise<void> {
  const { showInputBox } = vscode.window;
  Object.assign(vscode.window, { showInputBox: async () => KEY });
  await execute('k3.setKey').then(() => Object.assign(vscode.window, { showInputBox }));
}

/** Opens everything that can be opened without asking the model. */
export async function lookAtAll(): Promise<void> {
  const before = scripted.requests.length;
  await execute('k3.focusChat');
  for (const view of ['k3.reasoning', 'k3.conversations', 'k3.chat']) await execute(`${view}.focus`);
  const files = folders().map(({ uri }) =>
    globSync('{*,.*,.vscode/*}', { cwd: uri.fsPath })
      .map((name) => vscode.Uri.joinPath(uri, name))
      .filter(({ fsPath }) => statSync(fsPath).isFile()),
  );
  await Promise.all(files.flat().map((file) => vscode.workspace.openTextDocument(file)));
  // Beside all other tests, one of them is enough: each editor is drawn.
  for (const [first] of playsAll ? files : files.slice(0, 1)) {
    assert.ok(first);
    await vscode.window.showTextDocument(first, { preview: true });
  }
  for (const command of [
    'k3.showUsage',
    'k3.openInEditor',
    'k3.showRequest',
    'k3.showLog',
    'k3.copyDiagnostics',
  ])
    await execute(command);
  assert.doesNotMatch(await vscode.env.clipboard.readText(), new RegExp(KEY));
  await execute('k3.focusChat');
  assert.equal(scripted.requests.length, before);
  // Also nothing from before the first test, when the workspace was opened.
  assertHeardNothing();
  assert.deepEqual(asked.titles, []);
  // They would be drawn with each answer.
  await execute('workbench.action.closeAllEditors');
  await execute('k3.focusChat');
}

/** Asks in the open conversation. Returns a function that returns the turn as it is then. */
export async function send(
  text: string,
  more: Partial<Question> = {},
  options: AttemptOptions = {},
): Promise<() => Turn> {
  const { conversations } = scripted;
  const question = { text, images: [], origin: undefined, ...more };
  const sent = await conversations.ask(conversations.current().id, question, options);
  const told = JSON.stringify(sent);
  assert.ok(
    sent.ok,
    `nothing was sent${told.includes(thief) ? ', the route leads to the thief' : ''}: ${told}`,
  );
  return () => {
    const turn = conversations.find(sent.turnId)?.turn;
    assert.ok(turn);
    return turn;
  };
}

/** Asks in the open conversation. A turn with many calls takes longer than other tests wait for one. */
export async function ask(
  text: string,
  more: Partial<Question> = {},
  options: AttemptOptions = {},
): Promise<Turn> {
  const turn = await send(text, more, options);
  return until(() => turn().outcome !== undefined && turn(), 60_000).catch((error: unknown) => {
    assertHeardNothing(known);
    const { phase, toolCalls, rounds } = turn();
    const calls = [...rounds.flatMap((round) => round.toolCalls), ...toolCalls];
    throw new Error(`The turn doesn’t end: ${JSON.stringify({ phase, calls, asked: asked.titles })}`, {
      cause: error,
    });
  });
}

/** Asks about a folder, with a model that follows what the folder says, and refuses what is asked. */
export async function play({ folder, calls, answer, asksForEach }: Attack): Promise<Turn> {
  const end = `End of ${folder}, ${vscode.workspace.isTrusted ? 'trusted' : 'restricted'}.`;
  if (calls !== undefined) scripted.will(streamOf([calls(), { finish: 'tool_calls' }]));
  scripted.will(streamOf([{ answer: `${answer?.() ?? ''}\n\n${end}` }, { finish: 'stop' }]));
  const before = scripted.requests.length;
  const turn = await ask(`What does ${folder} do?`);
  assertHeardNothing(known);
  assert.equal(turn.outcome, 'complete', turn.failure?.kind);
  const received = scripted.requests.slice(before);
  assert.equal(received.length, calls === undefined ? 1 : 2);
  for (const { authorization, body } of received) {
    assert.equal(authorization, `Bearer ${KEY}`);
    const [sent] = /HOSTILE PROMPT|OUTSIDE-OF-ALL|PASSWORD=of/.exec(body) ?? [];
    assert.equal(sent, undefined, `${sent} was sent`);
    assert.ok(JSON.parse(body).max_completion_tokens !== 7, 'settings of the workspace count');
    // Its instructions are text in a trusted workspace, and not read in Restricted Mode.
    const instructed = body.includes('Project instructions in agent-files/AGENTS.md');
    assert.equal(instructed, vscode.workspace.isTrusted, `instructions of the workspace: ${instructed}`);
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
  const edits = turn.rounds.flatMap(({ toolCalls }) =>
    toolCalls.filter(({ name }) => name === 'propose_edit'),
  );
  const refused = edits.filter(({ result }) => result?.refused);
  assert.equal(proposed.length, edits.length - refused.length, JSON.stringify(resultsOf(turn)));
  for (const target of proposed) {
    asked.titles.length = 0;
    await execute('k3.acceptAll', target);
    const name = vscode.workspace.asRelativePath(vscode.Uri.parse(target.uri));
    assert.equal(asked.titles.length, 1, `${asked.titles.length} questions about a change of ${name}`);
  }
}

/** Holds after each attack. */
export function assertNothingGiven(): void {
  assertHeardNothing(known);
  assert.equal(commandsRun, 0);
  assert.deepEqual(readGiven(), given);
  assert.equal(given.promptsFolder, '');
  assert.ok(!JSON.stringify(given).includes(thief), 'a setting leads to the thief');
  assert.deepEqual(scripted.tools.approvals.waiting(), []);
  assert.deepEqual(scripted.tools.approvals.always(), []);
  assert.equal(scripted.tools.approvals.inConversations(), 0);
  for (const { loads, links } of chatPages()) {
    for (const value of loads) assert.ok(!value.includes(thief), value);
    for (const target of links) assert.match(target, /^(?:https?:|#|$)/i);
  }
}

/** The texts that the tools of a turn returned. */
export const resultsOf = (turn: Turn) =>
  turn.rounds.flatMap(({ toolCalls }) => toolCalls.map(({ result }) => result?.text ?? ''));
