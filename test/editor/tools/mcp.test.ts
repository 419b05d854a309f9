import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ReadyCall } from '../../../src/conversation/toolCalls/tools.ts';
import { removeFolder } from '../../support/removeFolder.ts';
import { type Scripted, startScripted, until } from '../scripted.ts';

/** The server in the first folder's file. Newer editors also know `*`, which is all of them, but only to start them. */
const SERVER = 'mcp.config.ws0.everything';

describe('An MCP server that is configured in the editor', () => {
  let scripted: Scripted;
  let settings: string;

  before(async () => {
    scripted = await startScripted();
    const [root] = vscode.workspace.workspaceFolders ?? [];
    const server = process.env['K3_TEST_MCP_SERVER'];
    assert.ok(root && server);
    settings = join(root.uri.fsPath, '.vscode');
    await mkdir(settings, { recursive: true });
    const servers = { everything: { type: 'stdio', command: process.execPath, args: [server, 'stdio'] } };
    await writeFile(join(settings, 'mcp.json'), JSON.stringify({ servers }));
    const giveUp = Date.now() + 100_000;
    while (echo() === undefined && Date.now() < giveUp) await start();
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.mcp.stopServer', SERVER);
    const { set } = scripted.tools;
    set.choose({ without: [], others: [] });
    await removeFolder(settings);
    await scripted.close();
  });

  /** The editor finds the new file after a while. Starts the servers that it knows by then. */
  async function start(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const trusted = { autoTrustChanges: true, waitForLiveTools: true };
    for (const id of ['*', SERVER])
      await vscode.commands.executeCommand('workbench.mcp.startServer', id, trusted);
  }

  const find = (ending: string) =>
    scripted.tools.set.all().find(({ source, name }) => source.startsWith('MCP') && name.endsWith(ending));
  const echo = () => find('_echo');

  function choose(...endings: string[]): void {
    const others = endings.flatMap((ending) => find(ending)?.name ?? []);
    scripted.tools.set.choose({ without: [], others });
  }

  /** Calls a tool like a turn does, and allows the call. */
  async function call(ending: string, args: ReadyCall['arguments']) {
    const { id } = scripted.conversations.current();
    const box = scripted.tools.toolboxOf(id);
    const name = find(ending)?.name ?? '';
    const running = box?.run({ id: ending, name, arguments: args }, new AbortController().signal);
    const { approvals } = scripted.tools;
    const waiting = await until(() => approvals.waiting().find(({ call }) => call.id === ending));
    assert.ok(approvals.decide(waiting.approval, 'once'));
    return running;
  }

  it('is a separate source, and its tools are sent once they are selected', () => {
    assert.equal(echo()?.source, 'MCP: everything');
    choose('_echo', '_get-tiny-image');
    const box = scripted.tools.toolboxOf(scripted.conversations.current().id);
    const offered = box?.definitions.find(({ name }) => name === echo()?.name);
    assert.match(offered?.description ?? '', /echo/i);
    assert.ok(JSON.stringify(offered?.parameters).includes('"message"'));
  });

  it('gives its calls a title that stays when it doesn’t run any more', async () => {
    choose('_echo');
    const { set, toolboxOf } = scripted.tools;
    const name = echo()?.name ?? '';
    const toolTitle = toolboxOf(scripted.conversations.current().id)?.titles?.get(name);
    const call = { name, arguments: '{"message":"hello"}' };
    const shown = set.titleOf(call);
    assert.match(shown, /^Echo.*: hello$/);
    assert.ok(toolTitle);
    assert.equal(set.titleOf({ ...call, name: 'mcp_gone_server_echo', toolTitle }), shown);
  });

  it('is called after the call is allowed, and returns text', async () => {
    choose('_echo');
    assert.match((await call('_echo', { message: 'hello' }))?.text ?? '', /hello/);
  });

  it('returns images, which are passed on', async () => {
    choose('_get-tiny-image');
    const result = await call('_get-tiny-image', {});
    assert.equal(result?.images?.[0]?.type, 'image/png');
    assert.match(result?.images?.[0]?.base64 ?? '', /^iVBOR/);
  });

  it('returns the text of a resource, of which the editor gives only the address', async () => {
    choose('_get-resource-reference');
    const result = await call('_get-resource-reference', { resourceType: 'Text', resourceId: 7 });
    assert.match(result?.text ?? '', /Resource 7: This is a plaintext resource/);
  });

  it('fails, and doesn’t say that the user refused it, when its server is stopped meanwhile', async () => {
    choose('_trigger-long-running-operation');
    const running = call('_trigger-long-running-operation', { duration: 60, steps: 60 });
    // The editor needs a moment to send the call to the server.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await vscode.commands.executeCommand('workbench.mcp.stopServer', SERVER);
    const result = await running;
    assert.match(result?.text ?? '', /server of the tool ended/);
    assert.deepEqual([result?.failed, result?.refused], [true, undefined]);
  });
});
