/** API keys in the editor's own secret storage, and what becomes of a key that the service repeats. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { conversationUri } from '../../../src/editor/conversations/conversationDocument.ts';
import { describeRefusal } from '../../../src/editor/wording/refusalWords.ts';
import { toExport } from '../../../src/history/exportedJson.ts';
import type { Refusal } from '../../../src/requests/refusal.ts';
import { occurrencesOf } from '../../support/canary.ts';
import { closeEditors } from '../editors.ts';
import { leaveOutPreviews } from '../leftOut.ts';
import { reportText } from '../reports.ts';
import { type Answer, type Scripted, startScripted, streamOf, until } from '../scripted.ts';

const FIRST = 'sk-first-0123456789';
const SECOND = 'sk-second-0123456789';
const noList = (response: ServerResponse) => void response.writeHead(404).end('{"error":{}}');
const YES = streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]);

describe('The API key of a route', () => {
  leaveOutPreviews();
  let scripted: Scripted;
  let baseUrl: string;
  let sent: (string | undefined)[];
  let listed: (string | undefined)[];
  const environmentKey = process.env['K3_API_KEY'];
  const { showInputBox, showErrorMessage, showWarningMessage, showInformationMessage } = vscode.window;
  const shown: string[] = [];
  let offered: readonly string[];

  beforeEach(async () => {
    scripted = await startScripted();
    baseUrl =
      vscode.workspace.getConfiguration('k3').get<Record<string, { baseUrl: string }>>('routes')?.['scripted']
        ?.baseUrl ?? '';
    delete process.env['K3_API_KEY'];
    sent = [];
    listed = [];
    shown.length = 0;
    const note = async (message: string) => void shown.push(message);
    const showing = async (message: string, ...buttons: string[]) => {
      offered = buttons;
      return note(message);
    };
    Object.assign(vscode.window, {
      showErrorMessage: note,
      showWarningMessage: showing,
      showInformationMessage: showing,
    });
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('k3.clearKey');
    Object.assign(vscode.window, {
      showInputBox,
      showErrorMessage,
      showWarningMessage,
      showInformationMessage,
    });
    if (environmentKey !== undefined) process.env['K3_API_KEY'] = environmentKey;
    await closeEditors();
    await scripted.close();
  });

  /** Runs the command, and enters a text. A key is tried at once, with the list of models. */
  async function enter(text: string, list: Answer = noList): Promise<unknown> {
    Object.assign(vscode.window, { showInputBox: async () => text });
    const before = listed.length;
    scripted.willList((response, body) => {
      listed.push(response.req.headers.authorization);
      return list(response, body);
    });
    const isSet = await vscode.commands.executeCommand('k3.setKey');
    if (isSet === true) await until(() => listed.length > before);
    return isSet;
  }
  const noting =
    (answer: Answer): Answer =>
    (response, body) => {
      sent.push(response.req.headers.authorization);
      return answer(response, body);
    };
  const will = (...answers: Answer[]) => scripted.will(...answers.map(noting));
  const busy = (response: ServerResponse) =>
    void response.writeHead(429, { 'retry-after-ms': '1' }).end('{"error":{"message":"Busy."}}');

  async function refusalOf(question: string): Promise<Refusal> {
    const { conversations } = scripted;
    const asked = await conversations.ask(conversations.current().id, {
      text: question,
      images: [],
      origin: undefined,
    });
    assert.ok(!asked.ok, 'the question was sent');
    return asked.refusal;
  }
  async function assertRefused(why: string, says: RegExp): Promise<void> {
    const refusal = await refusalOf('Hello?');
    assert.equal(refusal.kind === 'no-key' && refusal.why, why);
    assert.match(describeRefusal(refusal), says);
    assert.deepEqual(sent, []);
  }

  it('is sent as it was entered, without what was pasted with it, and replaced by the next one', async () => {
    will(YES, YES);
    assert.equal(await enter(`  Bearer ${FIRST}\n`), true);
    await scripted.ask('One?');
    assert.equal(await enter(SECOND), true);
    await scripted.ask('Two?');
    assert.deepEqual(sent, [`Bearer ${FIRST}`, `Bearer ${SECOND}`]);
  });

  const listing =
    (...ids: string[]): Answer =>
    (response) =>
      void response.end(JSON.stringify({ data: ids.map((id) => ({ id })) }));
  const refusing = (response: ServerResponse) =>
    void response.writeHead(401).end('{"error":{"type":"invalid_authentication_error","message":"No."}}');
  const redirecting = (response: ServerResponse) =>
    void response.writeHead(302, { location: `${baseUrl}/elsewhere` }).end();

  for (const [name, list, says, buttons] of [
    [
      'is accepted',
      listing('svc-k3'),
      /^The service accepted the API key for route “.+”\. The key is saved\.$/,
      [],
    ],
    ['can’t use the model', listing('other'), /accepted it, but doesn’t list svc-k3/, ['Check Connection']],
    ['can’t be tried without cost', noList, /saved, but not tested/, ['Check Connection']],
    ['is refused', refusing, /saved, but its test failed\. .*not accepted/, ['Set API Key…']],
    ['is redirected', redirecting, /saved, but its test failed\. .*redirect/i, ['Check Connection']],
  ] as const)
    it(`is tried when it is saved, with the list of models only, and says that it ${name}`, async () => {
      assert.equal(await enter(FIRST, list), true);
      const message = await until(() => shown[0]);
      assert.match(message, says);
      assert.deepEqual(offered, buttons);
      assert.deepEqual(
        scripted.requests.map(({ url, authorization, body }) => [url, authorization, body]),
        [['/v1/models', `Bearer ${FIRST}`, '']],
      );
    });

  it('is not waited for while it is tried, and what is found about an earlier one isn’t shown', async () => {
    let end: (() => void) | undefined;
    await enter(FIRST, (response, body) => {
      end = () => void refusing(response);
      return body === '' ? undefined : assert.fail();
    });
    await enter(SECOND, listing('svc-k3'));
    await until(() => shown.length === 1);
    end?.();
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.deepEqual(listed, [`Bearer ${FIRST}`, `Bearer ${SECOND}`]);
    assert.match(shown.join(), /The service accepted the API key .+ The key is saved\.$/);
  });

  it('is not saved when it has characters that can’t be sent, and the earlier one stays', async () => {
    will(YES);
    await enter(FIRST);
    for (const text of ['sk-\n1', 'sk-é', 'sk 1', 'ключ']) assert.equal(await enter(text), false);
    assert.equal(shown.filter((message) => /only ASCII letters/.test(message)).length, 4);
    await scripted.ask('One?');
    assert.deepEqual(sent, [`Bearer ${FIRST}`]);
  });

  it('is not sent to another address of the route, and the message says what to do', async () => {
    await enter(FIRST);
    const settings = vscode.workspace.getConfiguration('k3');
    const moved = { scripted: { kind: 'direct', baseUrl: baseUrl.replace('127.0.0.1', 'localhost') } };
    await settings.update('routes', moved, vscode.ConfigurationTarget.Global);
    await assertRefused('other-origin', /belongs to another address .*localhost.*Set API Key…/);
    const back = { scripted: { kind: 'direct', baseUrl } };
    await settings.update('routes', back, vscode.ConfigurationTarget.Global);
    will(YES);
    await scripted.ask('And now?');
    assert.deepEqual(sent, [`Bearer ${FIRST}`]);
  });

  it('is used from the next request on when it is replaced while a turn runs', async () => {
    await enter(FIRST);
    will(async (response) => {
      await enter(SECOND);
      busy(response);
    }, YES);
    assert.equal((await scripted.ask('One?')).outcome, 'complete');
    assert.deepEqual(sent, [`Bearer ${FIRST}`, `Bearer ${SECOND}`]);
  });

  it('is not sent any more when it is cleared while a turn runs, which ends and says so', async () => {
    await enter(FIRST);
    will(async (response) => {
      await vscode.commands.executeCommand('k3.clearKey');
      busy(response);
    });
    const turn = await scripted.ask('One?');
    assert.deepEqual([turn.outcome, turn.failure?.kind], ['failed', 'key-removed']);
    assert.deepEqual(sent, [`Bearer ${FIRST}`]);
    const [problem] = await until(() => {
      const problems = vscode.languages.getDiagnostics(conversationUri(scripted.conversations.current()));
      return problems.length > 0 && problems;
    });
    assert.match(problem?.message ?? '', /API key was removed/);
    sent = [];
    await assertRefused('none', /has no API key.*Set API Key…/);
  });

  it('can be set, lost, and cleared by another window', async () => {
    const { keys, context } = scripted;
    let heard = 0;
    const listening = keys.onDidChange(() => heard++);
    try {
      await enter(FIRST);
      const name = 'k3.key.scripted';
      assert.deepEqual(JSON.parse((await context.secrets.get(name)) ?? ''), {
        origin: new URL(baseUrl).origin,
        key: FIRST,
      });
      // The storage is one for all windows. What one of them writes, the others read with the next request.
      await context.secrets.store(name, JSON.stringify({ origin: new URL(baseUrl).origin, key: SECOND }));
      will(YES);
      await scripted.ask('One?');
      assert.deepEqual(sent, [`Bearer ${SECOND}`]);
      sent = [];
      await context.secrets.store(name, 'no key');
      await assertRefused('lost', /no longer in the editor’s secret storage.*Set API Key…/);
      await context.secrets.delete(name);
      await assertRefused('lost', /no longer in the editor’s secret storage.*Set API Key…/);
      await until(() => heard >= 4);
      await vscode.commands.executeCommand('k3.clearKey');
      await assertRefused('none', /has no API key/);
    } finally {
      listening.dispose();
    }
  });

  it('is said to be lost where it is entered again, and where the key of the environment is used in its place', async () => {
    const { context } = scripted;
    await enter(FIRST);
    await context.secrets.delete('k3.key.scripted');
    const prompts: (string | undefined)[] = [];
    Object.assign(vscode.window, {
      showInputBox: async ({ prompt }: vscode.InputBoxOptions) => void prompts.push(prompt),
    });
    await vscode.commands.executeCommand('k3.setKey');
    assert.match(
      prompts[0] ?? '',
      /no longer in the editor’s secret storage\. .*reloaded or closed\. The API key for /,
    );
    shown.length = 0;
    process.env['K3_API_KEY'] = SECOND;
    will(YES, YES);
    for (const question of ['One?', 'Two?']) await scripted.ask(question);
    assert.deepEqual(sent, [`Bearer ${SECOND}`, `Bearer ${SECOND}`]);
    assert.deepEqual(shown, [
      'The saved API key for route “scripted” is no longer in the editor’s secret storage. Without a system keyring, keys are kept only until the window is reloaded or closed. The key in the environment variable K3_API_KEY will be used instead.',
    ]);
    assert.deepEqual(offered, ['Set API Key…']);
  });

  it('of the environment is not sent when it has characters that can’t be sent', async () => {
    process.env['K3_API_KEY'] = 'sk-é';
    await assertRefused('malformed', /K3_API_KEY has .*Set API Key…/);
  });

  it('is in no file, problem, report, or message when a hostile service repeats it everywhere', async () => {
    await enter(FIRST);
    const { context, conversations } = scripted;
    const echo = JSON.stringify({ error: { message: `No: Bearer ${FIRST}`, type: FIRST, code: FIRST } });
    const page = `${'x'.repeat(390)}${FIRST}`;
    will(
      (response) => void response.writeHead(401, { 'x-request-id': FIRST }).end(echo),
      (response) => void response.writeHead(400, { 'content-type': 'text/html' }).end(page),
      (response) => void response.writeHead(302, { location: `https://b.example/?key=${FIRST}` }).end(),
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': `id-${FIRST}` });
        const choices = [{ index: 0, delta: { content: 'Half' }, finish_reason: null }];
        response.write(`data: ${JSON.stringify({ id: FIRST, model: FIRST, choices })}\n\n`);
        response.end(`data: ${echo}\n\n`);
      },
      // Check Connection: the models, then a question.
      (response) => void response.end(JSON.stringify({ data: [{ id: FIRST }] })),
      (response) => void response.writeHead(404).end(echo),
    );
    for (const question of ['One?', 'Two?', 'Three?', 'Four?'])
      assert.notEqual((await scripted.ask(question)).outcome, 'complete');
    await vscode.commands.executeCommand('k3.checkConnection');
    await vscode.commands.executeCommand('k3.copyDiagnostics');
    await vscode.commands.executeCommand('k3.showRequest');
    const uri = conversationUri(conversations.current());
    await until(() => vscode.languages.getDiagnostics(uri).length > 0);
    const said: Record<string, string> = {
      conversation: (await vscode.workspace.openTextDocument(uri)).getText(),
      problems: JSON.stringify(vscode.languages.getDiagnostics(uri)),
      diagnostics: await vscode.env.clipboard.readText(),
      report: await reportText('Connection to scripted', (text) => text.includes('•••')),
      'next request': await reportText('Next Request', (text) => text.includes('Four?')),
      export: toExport(conversations.current(), 2),
      turns: JSON.stringify(conversations.current()),
      messages: shown.join('\n'),
    };
    assert.match(said['conversation'] ?? '', /•••/);
    assert.match(said['diagnostics'] ?? '', /•••/);
    assert.match(said['export'] ?? '', /•••/);
    for (const [where, text] of Object.entries(said))
      assert.deepEqual(occurrencesOf(Buffer.from(text), FIRST), [], where);
    const { globalStorageUri, storageUri, logUri } = context;
    for (const folder of [globalStorageUri.fsPath, storageUri?.fsPath ?? '', dirname(logUri.fsPath)]) {
      for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
        const bytes = await readFile(join(folder, name)).catch(() => Buffer.of());
        assert.deepEqual(occurrencesOf(bytes, FIRST), [], join(folder, name));
      }
    }
  });
});
