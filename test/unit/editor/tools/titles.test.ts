import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createCodeTools, createEditTool, createFileTools, createGitTools, createPlanTool, createToolSet } =
  await withEditorStub(async () => ({
    ...(await import('../../../../src/editor/tools/codeTools.ts')),
    ...(await import('../../../../src/editor/tools/editTool.ts')),
    ...(await import('../../../../src/editor/tools/fileTools.ts')),
    ...(await import('../../../../src/editor/tools/gitTools.ts')),
    ...(await import('../../../../src/editor/tools/planTool.ts')),
    ...(await import('../../../../src/editor/tools/toolSet.ts')),
  }));

const edits = createEditTool({
  proposals: {
    add: () => assert.fail(),
    change: assert.fail,
    get: () => undefined,
    ofFile: () => [],
    ofTurn: () => [],
  },
  runningTurn: () => undefined,
  log: { warn: assert.fail },
});
const builtIn = [...createFileTools(), ...createCodeTools(), ...createGitTools(), createPlanTool(), edits];
const installed = { name: 'mcp_ops_echo', title: 'Echo', editorName: 'mcp_ops_echo' };
const set = createToolSet({
  builtIn,
  installed: { list: () => [{ ...installed, description: '', parameters: {}, source: 'MCP: ops' }] },
  state: { get: () => undefined, update: async () => undefined },
  enabled: () => false,
  log: { warn: assert.fail },
});

const titleOf = (name: string, args: unknown) => set.titleOf({ name, arguments: JSON.stringify(args) });

describe('The title of a tool call', () => {
  for (const [name, args, title] of [
    ['read_file', { path: 'src/invoice.ts', startLine: 1, endLine: 40 }, 'Read src/invoice.ts, lines 1–40'],
    ['read_file', { path: 'src/invoice.ts', startLine: 9 }, 'Read src/invoice.ts, from line 9'],
    ['read_file', { path: 'src/invoice.ts', endLine: 9 }, 'Read src/invoice.ts, lines 1–9'],
    ['read_file', { path: 'src/invoice.ts', startLine: 9, endLine: 9 }, 'Read src/invoice.ts, line 9'],
    ['read_file', { path: 'src/invoice.ts', endLine: 1 }, 'Read src/invoice.ts, line 1'],
    ['read_file', { path: 'src/invoice.ts' }, 'Read src/invoice.ts'],
    ['list_files', { path: 'src' }, 'List src'],
    ['list_files', { path: '' }, 'List /'],
    ['find_files', { pattern: '**/*.ts' }, 'Find files: **/*.ts'],
    ['search_text', { text: 'total' }, 'Search “total”'],
    ['search_text', { text: 'total', include: 'src/**' }, 'Search “total” in src/**'],
    ['find_symbols', { query: 'tot' }, 'Find symbols: tot'],
    ['find_references', { path: 'a.ts', line: 1, symbol: 'total' }, 'Find references to total'],
    ['get_diagnostics', {}, 'Get problems'],
    ['get_diagnostics', { path: 'a.ts' }, 'Get problems of a.ts'],
    ['git_diff', {}, 'Get changes'],
    ['git_log', { path: 'a.ts' }, 'Get commits of a.ts'],
    ['propose_edit', { path: 'a.ts', edits: [] }, 'Propose changes to a.ts'],
    ['update_plan', { items: [{ text: '$(zap)', state: 'done' }] }, 'Updated the plan: 1 of 1'],
    ['update_plan', { items: 'all' }, 'Update the plan'],
    ['mcp_ops_echo', { message: 'hello' }, 'Echo: hello'],
    ['gone_tool', { message: 'hello' }, 'Gone tool: hello'],
    ['mcp_gone_get-tiny-image', {}, 'Get tiny image'],
  ] as const)
    it(`of ${name} with ${JSON.stringify(args)} is “${title}”`, () => {
      assert.equal(titleOf(name, args), title);
    });

  it('is as it was when the call was made, also if its server doesn’t run any more or has another title', () => {
    const call = { arguments: '{"message":"hello"}', toolTitle: 'Echo of the server' };
    for (const name of ['mcp_gone_server_echo', 'mcp_ops_echo'])
      assert.equal(set.titleOf({ ...call, name }), 'Echo of the server: hello');
    assert.equal(
      set.titleOf({ ...call, name: 'get_diagnostics' }),
      'Get problems',
      'the words of this language',
    );
  });

  it('is there for every built-in tool, also without arguments', () => {
    for (const { definition } of builtIn) assert.ok(titleOf(definition.name, {}).length > 2, definition.name);
  });
});
