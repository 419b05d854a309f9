/** Approvals of tools that two windows share. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createGlobalState } from '../../../../src/editor/storage/globalState.ts';
import type { ToolApprovals } from '../../../../src/editor/tools/toolApprovals.ts';
import { env, FileType, registered, Uri, window, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { toolOf } from '../../conversation/toolTurns.ts';

const { createToolApprovals, registerToolDecisions, workspaceIdentity } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/tools/toolApprovals.ts')),
  ...(await import('../../../../src/editor/tools/toolDecisions.ts')),
}));

describe('Approvals in conversations of two windows', () => {
  restoreAfterEach(window);
  let here: ToolApprovals;
  let there: ToolApprovals;
  let written: string[];

  beforeEach(() => {
    const state = new Map<string, unknown>();
    written = [];
    const open = () =>
      createToolApprovals({
        state: {
          get: (name: string) => state.get(name) as never,
          async update(name: string, value: unknown) {
            state.set(name, value);
            written.push(name);
          },
        },
        alwaysAsk: () => false,
        workspace: () => '',
        log: { warn: assert.fail },
      });
    [here, there] = [open(), open()];
  });

  /** Whether a call runs without a question. A question is refused. */
  async function runs(approvals: ToolApprovals, id: string, decision?: 'conversation'): Promise<boolean> {
    const asked = approvals.ask(
      { conversationId: 'c1', tool: toolOf('run'), call: { id, name: 'run', arguments: {} } },
      new AbortController().signal,
    );
    const [waiting] = approvals.waiting();
    if (waiting !== undefined) approvals.decide(waiting.approval, decision ?? 'refuse');
    await asked;
    return waiting === undefined;
  }

  it('are revoked in both, whichever the user revokes them in, also if that one has none', async () => {
    assert.deepEqual([await runs(here, 'a', 'conversation'), await runs(here, 'b')], [false, true]);
    registerToolDecisions({
      approvals: there,
      changes: { show: async () => undefined },
      titleOf: () => undefined,
      log: { warn: assert.fail },
    });
    await registered.get('k3.revokeApprovals')?.();
    assert.deepEqual([await runs(here, 'c'), here.inConversations()], [false, 0]);
    assert.deepEqual([await runs(here, 'd', 'conversation'), await runs(here, 'e')], [false, true]);
  });

  it('list a tool once if both windows allow it always, and say first that it is revoked, because a window can close meanwhile', async () => {
    const asked = [here, there].map((one, at) =>
      one.ask(
        { conversationId: 'c1', tool: toolOf('run'), call: { id: `${at}`, name: 'run', arguments: {} } },
        new AbortController().signal,
      ),
    );
    for (const one of [here, there]) one.decide(one.waiting()[0]?.approval ?? assert.fail(), 'always');
    assert.deepEqual(await Promise.all(asked), [true, true]);
    assert.deepEqual(
      here.always().map(({ name }) => name),
      ['run'],
    );
    written = [];
    await here.revoke(here.always().map(({ hash }) => hash));
    assert.deepEqual([written[0], there.always()], ['k3.revokedTools', []]);
  });
});

describe('A tool that one window always allows, and another one revokes at once', () => {
  // On a busy machine, the timers of the state would be late.
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('stays revoked, although the first window restores for seconds what others overwrite, until it is allowed again', async () => {
    const stored = new Map<string, unknown>();
    const memento = {
      get: (name: string) => stored.get(name) as never,
      keys: () => [...stored.keys()],
      update: async (name: string, value: unknown) =>
        void stored.set(name, JSON.parse(JSON.stringify(value))),
    };
    const open = () =>
      createToolApprovals({
        state: createGlobalState(memento, { warn: assert.fail }) as never,
        alwaysAsk: () => false,
        workspace: () => '',
        log: { warn: assert.fail },
      });
    const [here, there] = [open(), open()];
    const pass = async (ms: number) => {
      mock.timers.tick(ms);
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    };
    const listed = () => [here, there].map((one) => one.always().map(({ name }) => name));
    const allow = async (id: string) => {
      const call = { id, name: 'run', arguments: {} };
      const asked = here.ask(
        { conversationId: 'c1', tool: toolOf('run'), call },
        new AbortController().signal,
      );
      here.decide(here.waiting()[0]?.approval ?? assert.fail('it is not asked about'), 'always');
      assert.equal(await asked, true);
      await pass(100);
    };
    await allow('a');
    assert.deepEqual(listed(), [['run'], ['run']]);
    await there.revoke(there.always().map(({ hash }) => hash));
    for (let passed = 100; passed < 5000; passed += 100) {
      assert.deepEqual(listed(), [[], []], `${passed} ms later`);
      await pass(100);
    }
    await allow('b');
    await pass(5000);
    assert.deepEqual(listed(), [['run'], ['run']]);
  });
});

describe('A call to a tool of an MCP server', () => {
  it('is asked about again when a folder was added while it waited: that can name a server of its own like this one', async () => {
    let workspace = 'one';
    const state = new Map<string, unknown>();
    const approvals = createToolApprovals({
      state: {
        get: (name: string) => state.get(name) as never,
        update: async (name: string, value: unknown) => void state.set(name, value),
      },
      alwaysAsk: () => false,
      workspace: () => workspace,
      log: { warn: assert.fail },
    });
    const tool = { ...toolOf('run'), source: 'MCP: files' };
    const call = { id: 'a', name: 'run', arguments: {} };
    let isAllowed: boolean | undefined;
    const asked = approvals
      .ask({ conversationId: 'c1', tool, call }, new AbortController().signal)
      .then((allowed) => (isAllowed = allowed));
    const decide = (decision: 'conversation' | 'once') =>
      approvals.decide(approvals.waiting()[0]?.approval ?? '', decision);
    workspace = 'one, two';
    assert.equal(decide('conversation'), true);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([isAllowed, approvals.waiting().length], [undefined, 1]);
    decide('once');
    assert.equal(await asked, true);
  });

  it('waits for what a drive that doesn’t answer says about servers until it is stopped, and is not allowed then', async () => {
    const stop = new AbortController();
    const approvals = createToolApprovals({
      state: { get: () => undefined as never, update: async () => undefined },
      alwaysAsk: () => false,
      workspace: () => new Promise(() => undefined),
      log: { warn: assert.fail },
    });
    const tool = { ...toolOf('run'), source: 'MCP: files' };
    const call = { id: 'a', name: 'run', arguments: {} };
    const asked = approvals.ask({ conversationId: 'c1', tool, call }, stop.signal);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(approvals.waiting(), []);
    stop.abort();
    assert.equal(await asked, false);
  });
});

/** Files and folders that a test has written to the disk. */
const disk = {
  async stat({ path }: Uri) {
    const found = await stat(path);
    const type = found.isFile() ? FileType.File : FileType.Unknown;
    return { type, size: found.size, mtime: found.mtimeMs };
  },
  readFile: ({ path }: Uri) => readFile(path),
  readDirectory: async ({ path }: Uri) => (await readdir(path)).map((name) => [name, FileType.Unknown]),
};

describe('The workspace that an approval of an MCP server is for', () => {
  restoreAfterEach(env, workspace);
  beforeEach(() => void Object.assign(workspace, { fs: disk }));

  it('is another one on another machine, although its folder has the same path', async () => {
    Object.assign(workspace, { workspaceFolders: [{ uri: 'file:///workspaces/app' }] });
    const local = await workspaceIdentity('laptop');
    assert.equal(await workspaceIdentity('renamed'), local);
    Object.assign(env, { remoteName: 'ssh-remote' });
    const places = [local, await workspaceIdentity('one'), await workspaceIdentity('two')];
    assert.equal(new Set(places).size, 3);
    assert.equal(await workspaceIdentity('one'), places[1]);
  });

  it('is another one in a workspace file with the same folders, which can name servers of its own', async () => {
    Object.assign(workspace, { workspaceFolders: [{ uri: 'file:///app' }] });
    const identities: string[] = [];
    for (const file of [undefined, 'file:///one.code-workspace', 'file:///two.code-workspace']) {
      Object.assign(workspace, { workspaceFile: file });
      identities.push(await workspaceIdentity('laptop'));
    }
    assert.equal(new Set(identities).size, 3);
  });

  it('is another one once it configures other servers, which can have the name of one of the user', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'k3-servers-'));
    const file = join(folder, 'app.code-workspace');
    Object.assign(workspace, { workspaceFolders: [{ uri: new Uri(folder) }], workspaceFile: new Uri(file) });
    try {
      const identities = [await workspaceIdentity('laptop')];
      for (const [path, text] of [
        ['.vscode/mcp.json', '{"servers":{"git":{"command":"git-mcp"}}}'],
        ['.vscode/mcp.json', '{"servers":{"git":{"command":"evil"}}}'],
        ['.mcp.json', '{"mcpServers":{"git":{"command":"evil"}}}'],
        ['app.code-workspace', '{"settings":{"mcp":{"servers":{"git":{"command":"evil"}}}}}'],
      ] as const) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
        identities.push(await workspaceIdentity('laptop'));
      }
      assert.equal(new Set(identities).size, 5);
      rmSync(join(folder, '.vscode'), { recursive: true });
      rmSync(join(folder, '.mcp.json'));
      writeFileSync(file, '{"settings":{"editor.fontSize":12}}');
      assert.equal(await workspaceIdentity('laptop'), identities[0]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is another one once it configures other servers on a remote machine, while this code runs on that of the user', async () => {
    const uri = Object.assign(new Uri('/workspaces/app'), { scheme: 'vscode-remote' });
    const files = new Map<string, string>();
    const fs = {
      stat: async ({ path }: Uri) => ({
        type: FileType.File,
        size: (files.get(path) ?? assert.fail()).length,
        mtime: 1,
      }),
      readFile: async ({ path }: Uri) => Buffer.from(files.get(path) ?? ''),
      readDirectory: async () => [['python', FileType.Directory]],
    };
    Object.assign(workspace, { workspaceFolders: [{ uri }], fs });
    Object.assign(env, { remoteName: 'dev-container' });
    const identities = [await workspaceIdentity('laptop')];
    for (const [path, command] of [
      ['.vscode/mcp.json', 'git-mcp'],
      ['.vscode/mcp.json', 'evil'],
      ['.devcontainer/python/devcontainer.json', 'evil'],
    ]) {
      files.set(`/workspaces/app/${path}`, `{"mcp":{"servers":{"git":{"command":"${command}"}}}}`);
      identities.push(await workspaceIdentity('laptop'));
    }
    assert.equal(new Set(identities).size, 4);
  });

  it('is another one in a container that has other servers, and the same when something else of it changes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'k3-servers-'));
    Object.assign(workspace, { workspaceFolders: [{ uri: new Uri(folder) }] });
    const identityWith = async (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
      return workspaceIdentity('box');
    };
    const serversOf = (command: string) =>
      `{"customizations":{"vscode":{"mcp":{"servers":{"git":{"command":"${command}"}}}}}}`;
    try {
      for (const path of [
        '.devcontainer/devcontainer.json',
        '.devcontainer.json',
        '.devcontainer/python/devcontainer.json',
      ]) {
        Object.assign(env, { remoteName: 'dev-container' });
        const before = await identityWith(path, '{"image":"node:20"}');
        assert.equal(await identityWith(path, '{"image":"node:22"}'), before);
        const one = await identityWith(path, serversOf('git-mcp'));
        assert.equal(new Set([before, one, await identityWith(path, serversOf('evil'))]).size, 3);
        Object.assign(env, { remoteName: undefined });
        const local = await identityWith(path, serversOf('git-mcp'));
        assert.equal(await identityWith(path, serversOf('evil')), local);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is known also if such a file is a pipe, which has no end', async function () {
    if (process.platform === 'win32') this.skip();
    const folder = mkdtempSync(join(tmpdir(), 'k3-servers-'));
    Object.assign(workspace, { workspaceFolders: [{ uri: new Uri(folder) }] });
    const before = await workspaceIdentity('laptop');
    const pipe = join(folder, '.mcp.json');
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
    const writer = spawn('sh', ['-c', 'sleep 1; echo servers > "$0"', pipe]);
    try {
      assert.equal(await workspaceIdentity('laptop'), before);
    } finally {
      writer.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    }
  });

  it('stays the same when other settings of a workspace file change, also if it has a folder named after servers', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'k3-servers-'));
    const file = join(folder, 'app.code-workspace');
    Object.assign(workspace, { workspaceFolders: [], workspaceFile: new Uri(file) });
    const identityWith = async (settings: string) => {
      writeFileSync(file, `{"folders":[{"name":"mcp","path":"mcp-server"}],"settings":{${settings}}}`);
      return workspaceIdentity('laptop');
    };
    try {
      const before = await identityWith('"editor.fontSize":12');
      assert.equal(await identityWith('"editor.fontSize":14'), before);
      for (const servers of [
        '"mcp" :{}',
        '"mcp"/**/:{}',
        '"mcp"//\n:{}',
        '"mcp.servers":{}',
        '"\\u006dcp":{}',
      ])
        assert.notEqual(await identityWith(servers), before, servers);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
