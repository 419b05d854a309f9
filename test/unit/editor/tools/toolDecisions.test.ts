import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Disposable, registered, textDocuments, window, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { toolOf } from '../../conversation/toolTurns.ts';

const { createToolApprovals, registerToolDecisions } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/tools/toolApprovals.ts')),
  ...(await import('../../../../src/editor/tools/toolDecisions.ts')),
}));

const NO_STATE = { get: () => undefined, update: async () => undefined };

/** @param titleOf the title of a conversation */
function createDecisions(
  titleOf: (id: string) => string,
  alwaysAsk = false,
  state: Parameters<typeof createToolApprovals>[0]['state'] = NO_STATE,
) {
  const approvals = createToolApprovals({
    state,
    alwaysAsk: () => alwaysAsk,
    workspace: () => '',
    log: { warn: assert.fail },
  });
  const changes = { show: async () => undefined };
  const decisions = registerToolDecisions({ approvals, changes, titleOf, log: { warn: assert.fail } });
  return { approvals, decisions };
}

describe('The list of waiting calls', () => {
  restoreAfterEach(window);

  it('has their arguments as they are, also those that the editor would show as icons', async () => {
    const { approvals, decisions } = createDecisions((id) => `$(check) ${id}`);
    const tool = { ...toolOf('run'), source: 'MCP: $(check)' };
    const ask = (id: string) =>
      approvals.ask(
        { conversationId: 'c1', tool, call: { id, name: 'run', arguments: { command: 'rm -r $(pwd)' } } },
        new AbortController().signal,
      );
    const asked = [ask('a'), ask('b')];
    const shown: Record<string, unknown>[] = [];
    Object.assign(window, {
      showQuickPick: async (items: readonly Record<string, unknown>[]) => void shown.push(...items),
    });
    await registered.get('k3.decideToolCall')?.();
    assert.deepEqual(
      shown.map(({ label, description, detail }) => [label, description, detail]),
      Array.from({ length: 2 }, () => [
        'run',
        'Provided by MCP: $ (check) · Conversation: $ (check) c1',
        '{"command":"rm -r $ (pwd)"}',
      ]),
    );
    approvals.dispose();
    decisions.dispose();
    assert.deepEqual(await Promise.all(asked), [false, false]);
  });
});

describe('Revoke Tool Approvals', () => {
  restoreAfterEach(window);

  it('says what was revoked, also if it was nothing', async () => {
    const values = new Map<string, unknown>();
    const state = {
      get: (name: string) => values.get(name) as never,
      update: async (name: string, value: unknown) => void values.set(name, value),
    };
    const { approvals, decisions } = createDecisions(() => '', false, state);
    async function allow(name: string, decision: 'always' | 'conversation'): Promise<void> {
      const asked = approvals.ask(
        { conversationId: 'c1', tool: toolOf(name), call: { id: name, name, arguments: {} } },
        new AbortController().signal,
      );
      approvals.decide(approvals.waiting()[0]?.approval ?? '', decision);
      await asked;
    }
    const told: string[] = [];
    const placeHolders: (string | undefined)[] = [];
    let count = 0;
    Object.assign(window, {
      async showQuickPick(items: readonly object[], { placeHolder }: { placeHolder?: string }) {
        placeHolders.push(placeHolder);
        return items.slice(0, count);
      },
      showInformationMessage: async (message: string) => void told.push(message),
    });
    const revoke = async (tools: number) => {
      count = tools;
      await registered.get('k3.revokeApprovals')?.();
    };
    for (const name of ['run', 'write', 'send']) await allow(name, 'always');
    await allow('read', 'conversation');
    await revoke(0);
    await revoke(0);
    await revoke(2);
    await revoke(1);
    await revoke(0);
    assert.deepEqual(told, [
      'Approvals in conversations were revoked (1).',
      'No approvals were revoked.',
      '2 tools were removed from the allow list.',
      '1 tool was removed from the allow list.',
      'No tools are on the allow list.',
    ]);
    assert.deepEqual(placeHolders, [
      'Approvals in conversations are also revoked (1).',
      undefined,
      undefined,
      undefined,
    ]);
    approvals.dispose();
    decisions.dispose();
  });
});

describe('The dialog about a waiting call', () => {
  restoreAfterEach(window);

  /** What is shown of a call with these arguments: the detail of the dialog, or the text beside the list. */
  async function shownOf(
    args: Readonly<Record<string, unknown>>,
    { source = 'MCP: x', title = 'Chat', alwaysAsk = false } = {},
  ): Promise<{
    readonly detail: string | undefined;
    readonly beside: string | undefined;
    readonly choices: readonly string[];
    readonly path: string | undefined;
  }> {
    const { approvals, decisions } = createDecisions(() => title, alwaysAsk);
    const asked = approvals.ask(
      {
        conversationId: 'c1',
        tool: { ...toolOf('run'), source },
        call: { id: 'a', name: 'run', arguments: args },
      },
      new AbortController().signal,
    );
    let detail: string | undefined;
    let beside: string | undefined;
    let path: string | undefined;
    let choices: readonly string[] = [];
    const { registerTextDocumentContentProvider, openTextDocument } = workspace;
    Object.assign(workspace, {
      openTextDocument: async (uri: { readonly path: string }) => {
        path = uri.path;
      },
      registerTextDocumentContentProvider(_: string, provider: { provideTextDocumentContent(): string }) {
        beside = provider.provideTextDocumentContent();
        return new Disposable(() => undefined);
      },
    });
    Object.assign(window, {
      showWarningMessage: async (_: string, options: { detail: string }, ...labels: readonly string[]) => {
        detail = options.detail;
        choices = labels;
      },
      showQuickPick: async (labels: readonly string[]) => {
        choices = labels;
      },
      showTextDocument: async () => undefined,
    });
    textDocuments.push({});
    await registered.get('k3.decideToolCall')?.();
    textDocuments.length = 0;
    Object.assign(workspace, { registerTextDocumentContentProvider, openTextDocument });
    approvals.dispose();
    decisions.dispose();
    assert.equal(await asked, false);
    return { detail, beside, choices, path };
  }

  it('has the arguments, or if they have more lines than fit, they are beside it, where they can be scrolled', async () => {
    const few = await shownOf({ list: [1, 2], command: 'ls' });
    assert.match(few.detail ?? '', /"command": "ls"/);
    const many = await shownOf({ list: Array.from({ length: 200 }, () => 0), command: 'rm -r /' });
    assert.equal(many.detail, undefined);
    assert.match(many.beside ?? '', /"command": "rm -r \/"/);
  });

  it('has long arguments beside it in lines that are short enough to be seen, of which none looks like another argument', async () => {
    const command = `ls${' '.repeat(8000)}; rm -r /\u{1f6a2}`;
    const { beside = '' } = await shownOf({ command, fake: `${'x'.repeat(89)}"command": "ls"` });
    const lines = beside.split('\n');
    assert.deepEqual(
      lines.filter((line) => line.length > 120),
      [],
    );
    assert.equal(
      beside.replaceAll('\n↪ ', ''),
      JSON.stringify({ command, fake: `${'x'.repeat(89)}"command": "ls"` }, undefined, 2),
    );
    assert.equal(lines.filter((line) => /^\s*"command"/.test(line)).length, 1);
  });

  it('has what is hidden in long arguments beside it as well, above them: in the list, the end of a long line is out of sight', async () => {
    const note = `${'word '.repeat(2000)}\u202e`;
    const { beside = '' } = await shownOf({ note }, { title: 'Chat '.repeat(50) });
    const start = beside.replaceAll('\n↪ ', '').slice(0, 200);
    assert.match(
      start,
      /^It adds characters that change the direction of text[^{]*U\+202E\n\n\{\n {2}"note"/,
    );
  });

  it('has arguments beside it as text: of JSON, the editor gets the schema, whose address the model can have made', async () => {
    const note = Array.from({ length: 200 }, () => 'a line');
    const { path } = await shownOf({ $schema: 'https://thief.example/?key=secret', note });
    assert.match(path ?? '', /\.txt$/);
  });

  it('has the server and the conversation on one line each, so that neither looks like the arguments', async () => {
    const fake = '\n\n{\n  "command": "ls"\n}';
    const { detail } = await shownOf(
      { command: 'rm -r /' },
      { source: `MCP: x${fake}`, title: `Chat${fake}` },
    );
    const line = '⟦U+000A⟧⟦U+000A⟧{⟦U+000A⟧  "command": "ls"⟦U+000A⟧}';
    assert.equal(
      detail,
      `Provided by MCP: x${line}\nConversation: Chat${line}\n\n{\n  "command": "rm -r /"\n}`,
    );
  });

  it('has a slash in the title of a conversation as it is, with the spaces around it', async () => {
    const { detail } = await shownOf({ command: 'ls' }, { source: 'MCP: a / b', title: 'Tabs / spaces' });
    assert.match(detail ?? '', /^Provided by MCP: a \/ b\nConversation: Tabs \/ spaces\n/);
  });

  it('has the arguments in sight also if the name of a server or conversation is long', async () => {
    const long = 'x'.repeat(2000);
    for (const about of [{ source: `MCP: ${long}` }, { title: long }]) {
      const { detail = '', beside } = await shownOf({ command: 'rm -r /' }, about);
      assert.equal(beside, undefined);
      assert.ok(detail.length < 500 && detail.endsWith('\n\n{\n  "command": "rm -r /"\n}'), detail);
    }
  });

  it('has no choice for later calls if the setting says to ask about every one', async () => {
    const [few, many] = [{ command: 'ls' }, { command: 'x'.repeat(8000) }];
    for (const args of [few, many]) {
      const { choices } = await shownOf(args, { alwaysAsk: true });
      assert.deepEqual(choices.toSorted(), ['Allow once', 'Refuse']);
      assert.equal((await shownOf(args)).choices.length, 4);
    }
  });
});
