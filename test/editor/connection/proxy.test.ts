/** The network settings of the editor apply to requests of a route that has no network of its own. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { reportText } from '../reports.ts';
import { type Scripted, startScripted, until } from '../scripted.ts';

const ADDRESS = 'http://svc.k3.example';

describe('The proxy of the editor', () => {
  let scripted: Scripted;
  let proxy: Server;
  const asked: string[] = [];

  const set = (section: string, name: string, value: unknown) =>
    vscode.workspace.getConfiguration(section).update(name, value, vscode.ConfigurationTarget.Global);

  before(async () => {
    scripted = await startScripted();
    proxy = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          id: 'r-1',
          object: 'chat.completion',
          created: 1,
          model: 'svc-k3',
          choices: [
            { index: 0, message: { role: 'assistant', content: 'Through it.' }, finish_reason: 'stop' },
          ],
          usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
        }),
      );
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    await set('http', 'proxy', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    await set('k3', 'routes', { far: { kind: 'direct', baseUrl: ADDRESS } });
    await set('k3', 'route', 'far');
    // The key of the environment is not sent to another machine over plain HTTP.
    const { showInputBox } = vscode.window;
    Object.assign(vscode.window, { showInputBox: async () => 'key-for-far' });
    try {
      assert.equal(await vscode.commands.executeCommand('k3.setKey'), true);
      // The key is tried at once. The editor may not use its proxy yet.
    } finally {
      Object.assign(vscode.window, { showInputBox });
    }
  });

  after(async () => {
    await vscode.commands.executeCommand('k3.clearKey');
    await set('http', 'proxy', undefined);
    proxy.closeAllConnections();
    proxy.close();
    await scripted.close();
  });

  it('gets the request of a question', async () => {
    // The editor takes a moment to apply a changed proxy.
    let answer = '';
    await until(() => vscode.workspace.getConfiguration('http').get('proxy') !== '');
    for (let tries = 1; tries <= 5 && answer === ''; tries++) answer = (await scripted.ask('Hello?')).answer;
    assert.equal(answer, 'Through it.');
    const questions = asked.filter((one) => !one.startsWith('GET '));
    assert.deepEqual([...new Set(questions)], [`POST ${ADDRESS}/v1/chat/completions`]);
  });
});

describe('The proxy of a route', () => {
  it('is named in the report of Check Connection without its password', async () => {
    const scripted = await startScripted();
    const set = (name: string, value: unknown) =>
      vscode.workspace.getConfiguration('k3').update(name, value, vscode.ConfigurationTarget.Global);
    const network = { proxy: 'http://somebody:secret@127.0.0.1:9' };
    const baseUrl = 'http://127.0.0.1:9';
    await set('routes', { behind: { kind: 'direct', baseUrl, network } });
    await set('route', 'behind');
    try {
      await vscode.commands.executeCommand('k3.checkConnection');
      const report = await reportText('Connection to behind', (text) => text.includes('127.0.0.1:9'));
      assert.doesNotMatch(report, /somebody|secret/);
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await scripted.close();
    }
  });
});
