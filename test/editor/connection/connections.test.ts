/** The connections of requests, with the network functions as the editor replaces them in the extension host. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { type Answer, type Scripted, startScripted, streamOf } from '../scripted.ts';

describe('The connections of the extension', () => {
  let scripted: Scripted;
  before(async () => {
    scripted = await startScripted();
  });
  after(() => scripted.close());

  it('serve one request each, also beside connections that other extensions keep', async () => {
    const routes = vscode.workspace.getConfiguration('k3').get<Record<string, { baseUrl: string }>>('routes');
    const address = routes?.['scripted']?.baseUrl ?? '';
    const sockets = new Set<unknown>();
    const note = (answer: Answer): Answer => {
      return (response, body) => {
        sockets.add(response.socket);
        return answer(response, body);
      };
    };
    const other = note((response) => void response.end('ok'));
    const mine = note(streamOf([{ answer: 'Yes.', finish: 'stop' }]));
    scripted.will(other, mine, mine, mine);
    await new Promise<void>((resolve, reject) => {
      http.get(address, (response) => response.resume().on('end', resolve)).on('error', reject);
    });
    await sleep(50);
    for (const question of ['One?', 'Two?', 'Three?']) {
      assert.equal((await scripted.ask(question)).answer, 'Yes.');
      await sleep(50);
    }
    assert.equal(sockets.size, 4);
  });
});
