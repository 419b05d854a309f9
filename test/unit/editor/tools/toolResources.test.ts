import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { Uri, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createInstalledTools, readToolResource } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/tools/installedTools.ts')),
  ...(await import('../../../../src/editor/tools/toolResources.ts')),
}));

/** The server of the tool in the editor's words, of which older editors have only the name of the tool. */
const byLabel = (server: string) => ({ source: `MCP: ${server}`, editorName: `mcp_x_get`, server });
const byName = (editorName: string) => ({ source: `MCP: ${editorName.split('_')[1]}`, editorName });

describe('The resources that the result of a tool links to', () => {
  restoreAfterEach(workspace, Uri);
  beforeEach(() => {
    Object.assign(Uri, {
      parse: (text: string) => {
        const { protocol, host: authority, pathname: path } = new URL(text);
        return { scheme: protocol.slice(0, -1), authority, path, toString: () => text };
      },
    });
    Object.assign(workspace, { fs: { readFile: async () => Buffer.from('the text') } });
  });

  const isRead = async (id: string, tool: Parameters<typeof readToolResource>[1]) => {
    const uri = `mcp-resource://${Buffer.from(id).toString('hex')}/file/x/a`;
    return (await readToolResource(Buffer.from(JSON.stringify({ uri })), tool)) === 'the text';
  };

  for (const [id, tool] of [
    ['mcp.config.usrlocal.git', byLabel('git')],
    ['mcp.config.ws0.Git', byLabel('git')],
    ['mcp.config.usrlocal.My Server', byLabel('my-server')],
    ['mcp.config.usrlocal.my.mail', byLabel('my.mail')],
    ['workspace-dot-mcp.0.git', byLabel('git')],
    ['some.extension/git', byLabel('git')],
    ['claude-desktop.git', byLabel('git')],
    // The editor gives some servers another name.
    ['mcp.config.usrlocal.io.github.github/github-mcp-server', byLabel('github')],
    ['mcp.config.usrlocal.microsoft/playwright-mcp', byLabel('playwright')],
    ['mcp.config.usrlocal.***', byLabel('***')],
    ['mcp.config.usrlocal.git', byName('mcp_git_log')],
    ['mcp.config.usrlocal.git', byName('mcp_git2_log')],
    ['mcp.config.usrlocal.my.git server', byName('mcp_my_git_server_log')],
    ['mcp.config.usrlocal.a-name-that-is-cut', byName('mcp_a-name-that-_log')],
    ['some.extension/git', byName('mcp_git_log')],
    ['mcp.config.usrlocal.other', { source: 'some.extension', editorName: 'get' }],
  ] as const)
    it(`are read when they are of the same server: ${id}, ${tool.source}`, async () =>
      assert.ok(await isRead(id, tool)));

  for (const [id, tool] of [
    ['mcp.config.usrlocal.github', byLabel('git')],
    ['mcp.config.usrlocal.git', byLabel('github')],
    ['mcp.config.usrlocal.my.git', byLabel('git')],
    ['mcp.config.usrlocal.git-private', byLabel('git')],
    ['mcp.config.usrlocal.mail', byLabel('***')],
    ['mcp.config.usrlocal.!!!', byLabel('***')],
    ['mcp.config.usrlocal.github', byName('mcp_git_log')],
    ['mcp.config.usrlocal.git', byName('mcp_github_log')],
    ['mcp.config.usrlocal.mail', byName('mcp___log')],
  ] as const)
    it(`are not read when they are of another one: ${id}, ${tool.source}`, async () =>
      assert.equal(await isRead(id, tool), false));

  it('are not read when they are larger than a file that is read, of which most would be cut anyway', async () => {
    const uri = `mcp-resource://${Buffer.from('mcp.config.usrlocal.git').toString('hex')}/file/x/a`;
    for (const [size, expected] of [
      [16 * 1024 * 1024, /^a+$/],
      [16 * 1024 * 1024 + 1, /^\[A resource that is too large: mcp-resource:/],
    ] as const) {
      Object.assign(workspace, { fs: { readFile: async () => Buffer.alloc(size, 'a') } });
      const read = await readToolResource(Buffer.from(JSON.stringify({ uri })), byLabel('git'));
      assert.ok(expected.test(read), read.slice(0, 100));
    }
  });

  it('are read until the text is as long as a result can be, because all behind it is cut', async () => {
    let count = 0;
    const readFile = async () => Buffer.from(`${++count}`.padEnd(25_000, ' '));
    Object.assign(workspace, { fs: { readFile } });
    const uri = `mcp-resource://${Buffer.from('mcp.config.usrlocal.git').toString('hex')}/file/x/a`;
    const link = {
      data: Buffer.from(JSON.stringify({ uri })),
      mimeType: 'application/vnd.code.resource-link',
    };
    const installed = createInstalledTools({
      taken: new Set(),
      scaler: { examine: () => assert.fail() },
      lm: { invokeTool: async () => ({ content: new Array(100).fill(link) }) },
    });
    const tool = { ...byLabel('git'), ...{ name: 'get', description: '', parameters: {}, title: 'Get' } };
    const { text } = await installed.run(tool, {}, new AbortController().signal);
    assert.deepEqual([count, text.length], [3, 75_002]);
  });
});
