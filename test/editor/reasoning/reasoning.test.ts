import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { ReasoningNode } from '../../../src/editor/reasoning/reasoningNodes.ts';
import { createReasoningTree, type ReasoningTree } from '../../../src/editor/reasoning/reasoningTree.ts';
import { MAX_OPEN } from '../../../src/history/openConversations.ts';
import { completeTurn } from '../../unit/conversation/turns.ts';
import {
  ended,
  type Scripted,
  startScripted,
  startStream,
  streamOf,
  until,
  writeDelta,
} from '../scripted.ts';

const STEPS = [
  'The parser fails on empty input.\nA guard is missing in nowhere/at-all.ts:3\n\n',
  'So the fix is a guard.\nIt belongs at the top.\n\n',
  'That is all.',
];
const ANSWERED = streamOf([
  ...STEPS.map((reasoning) => ({ reasoning })),
  { answer: 'Add a guard.' },
  { finish: 'stop' },
]);

describe('The reasoning tree', () => {
  let scripted: Scripted;
  let tree: ReasoningTree;
  beforeEach(async () => {
    scripted = await startScripted();
    const structured = { judged: () => undefined, onDidJudge: new vscode.EventEmitter<string>().event };
    tree = createReasoningTree({
      conversations: scripted.conversations,
      routes: scripted.routes,
      structured,
    });
  });
  afterEach(async () => {
    tree.dispose();
    await scripted.close();
  });

  const items = async (parent?: ReasoningNode) => (await tree.getChildren(parent)).map(tree.getTreeItem);

  /** The icon of each step, and what a screen reader is told of its match. */
  const marksOf = async (turn: ReasoningNode) =>
    (await items(turn)).map(({ iconPath, accessibilityInformation }) => [
      iconPath instanceof vscode.ThemeIcon ? iconPath.id : undefined,
      /[^,]*selec[^,]*$/.exec(accessibilityInformation?.label ?? '')?.[0].trim() ?? '',
    ]);

  it('has a row that lists earlier turns', () => {
    const { label, command } = tree.getTreeItem({ kind: 'earlier', count: 70 });
    assert.deepEqual([label, command?.command], ['Show earlier messages (70)', '_k3.showEarlierTurns']);
  });

  it('has a node for each turn, its steps, and the files that they name', async () => {
    scripted.will(ANSWERED);
    await scripted.ask('Why does it fail?\nIt used to work.');
    const [turn] = await tree.getChildren();
    assert.ok(turn);
    const item = tree.getTreeItem(turn);
    assert.equal(item.label, 'Why does it fail?');
    // A time below a tenth of a second is left out.
    assert.match(String(item.description), /^400 tokens\b/);
    assert.equal(item.contextValue, 'turn');
    assert.match(item.accessibilityInformation?.label ?? '', /Why does it fail\?, 400 tokens, .*Complete/);
    const steps = await items(turn);
    assert.deepEqual(
      steps.map(({ label }) => label),
      ['The parser fails on empty input', 'So the fix is a guard', 'That is all'],
    );
    assert.ok(steps.every(({ contextValue, command }) => contextValue === 'step' && command !== undefined));
    const [first] = await tree.getChildren(turn);
    const [file] = await items(first);
    assert.equal(file?.label, 'nowhere/at-all.ts:3');
    assert.equal(file?.description, 'not found in the workspace');
    assert.equal(file?.command, undefined);
  });

  it('names the question that continues an answer as the chat does, and doesn’t open a turn without steps', async () => {
    scripted.will(ANSWERED, streamOf([{ answer: 'And tests.' }, { finish: 'stop' }]));
    const { id: continues } = await scripted.ask('Why does it fail?');
    const { conversations } = scripted;
    const text = 'Continue exactly where your answer was cut off.';
    const question = { text, images: [], origin: undefined, continues };
    const asked = await conversations.ask(conversations.current().id, question);
    assert.ok(asked.ok);
    await ended(conversations, asked.turnId);
    const { Collapsed, None } = vscode.TreeItemCollapsibleState;
    assert.deepEqual(
      (await items()).map(({ label, collapsibleState }) => [label, collapsibleState]),
      [
        ['Why does it fail?', Collapsed],
        ['Continue', None],
      ],
    );
  });

  it('marks the steps that mention the words of a question about the answer, until it is told otherwise', async () => {
    scripted.will(ANSWERED);
    const { id } = await scripted.ask('Why does it fail?');
    const [turn] = await tree.getChildren();
    assert.ok(turn);
    const refreshed: unknown[] = [];
    tree.onDidChangeTreeData?.((node) => {
      refreshed.push(node);
    });
    const step = { turnId: id, step: 1, strength: 'strong' } as const;
    tree.cite({ steps: [step, { ...step, step: 2, strength: 'weak' }], at: 0, show: false });
    assert.deepEqual(await marksOf(turn), [
      ['circle-small-filled', ''],
      ['circle-filled', 'mentions the selected words'],
      ['circle-outline', 'shares some words with the selection'],
    ]);
    assert.deepEqual(refreshed, [[tree.list(id, 1), tree.list(id, 2)]]);
    tree.cite({ steps: [], at: 0, show: false });
    assert.deepEqual(await marksOf(turn), [
      ['circle-small-filled', ''],
      ['circle-small-filled', ''],
      ['circle-small-filled', ''],
    ]);
    assert.equal(refreshed.length, 2);
  });

  it('marks steps of all turns of an answer that was continued', async () => {
    scripted.will(ANSWERED, ANSWERED);
    const first = await scripted.ask('Why does it fail?');
    const second = await scripted.ask('Continue.');
    const [one, two] = await tree.getChildren();
    assert.ok(one && two);
    const strong = (turnId: string, step: number) => ({ turnId, step, strength: 'strong' }) as const;
    tree.cite({ steps: [strong(second.id, 2), strong(first.id, 0)], at: 0, show: false });
    const marked = async (turn: ReasoningNode) => (await marksOf(turn)).map(([, said]) => said !== '');
    assert.deepEqual(await marked(one), [true, false, false]);
    assert.deepEqual(await marked(two), [false, false, true]);
  });

  // The editor forgets arguments when a row is drawn again, and would run nothing for a click in that moment.
  it('has a command without arguments for the rows of turns and steps', async () => {
    scripted.will(ANSWERED);
    await scripted.ask('Why does it fail?');
    const [turn] = await tree.getChildren();
    const [step] = await tree.getChildren(turn);
    assert.ok(turn && step);
    for (const row of [turn, step])
      assert.deepEqual(tree.getTreeItem(row).command, {
        command: '_k3.selectReasoningRow',
        title: 'Open Reasoning',
      });
  });

  it('puts a quotation of a step into the message box, and sends nothing', async () => {
    scripted.will(ANSWERED);
    const { id } = await scripted.ask('Why does it fail?');
    await vscode.commands.executeCommand('k3.askAboutStep', tree.list(id, 1));
    const { conversations } = scripted;
    const draft = await until(() => conversations.draft(conversations.current().id) || undefined);
    assert.match(
      draft,
      /^About this step of your reasoning:\n\n> So the fix is a guard\.\n> It belongs at the top\.\n/,
    );
    assert.equal(scripted.requests.length, 1);
  });

  it('resolves the text of a step as plain text, not as Markdown', async () => {
    scripted.will(
      streamOf([
        { reasoning: '**![x](https://evil.example)** is a step' },
        { answer: 'No.', finish: 'stop' },
      ]),
    );
    await scripted.ask('?');
    const [turn] = await tree.getChildren();
    const [step] = await tree.getChildren(turn);
    assert.ok(step);
    const token = new vscode.CancellationTokenSource().token;
    const item = await tree.resolveTreeItem?.(tree.getTreeItem(step), step, token);
    assert.ok(item?.tooltip instanceof vscode.MarkdownString);
    assert.doesNotMatch(item.tooltip.value, /!\[x\]|\*/);
    assert.ok(!item.tooltip.isTrusted);
  });

  it('opens a file of the workspace at its line, and no file outside it', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.ok(folder, 'the tests run in a folder');
    const file = vscode.Uri.joinPath(folder.uri, 'named-by-reasoning.ts');
    await vscode.workspace.fs.writeFile(file, Buffer.from('one\ntwo\nthree\n'));
    try {
      const reasoning = 'I look at named-by-reasoning.ts:2 and at ../outside.ts too.\n';
      await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder.uri, '../outside.ts'), Buffer.from(''));
      scripted.will(streamOf([{ reasoning }, { answer: 'Seen.', finish: 'stop' }]));
      await scripted.ask('?');
      const [turn] = await tree.getChildren();
      const [step] = await tree.getChildren(turn);
      const [inside, outside] = await items(step);
      assert.equal(inside?.resourceUri?.toString(), file.toString());
      assert.equal(outside?.label, '../outside.ts');
      assert.equal(outside?.command, undefined);
      assert.ok(inside?.command);
      await vscode.commands.executeCommand(inside.command.command, ...(inside.command.arguments ?? []));
      await until(() => vscode.window.activeTextEditor?.document.uri.path.endsWith('named-by-reasoning.ts'));
      assert.equal(vscode.window.activeTextEditor?.selection.start.line, 1);
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.workspace.fs.delete(file);
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder.uri, '../outside.ts'));
    }
  });

  it('stays, and its commands work, also when more conversations are read since than are kept in memory', async () => {
    scripted.will(ANSWERED);
    const { id: turnId } = await scripted.ask('Why does it fail?');
    const { conversations } = scripted;
    const [turn] = await tree.getChildren();
    assert.ok(turn);
    const others = Array.from({ length: MAX_OPEN + 5 }, (_, at) => conversations.createAside(`Other ${at}`));
    const question = { text: 'Other', images: [], origin: undefined };
    for (const { id } of others)
      conversations.append(id, {
        id: `exchange of ${id}`,
        question,
        attempts: [{ ...completeTurn(), id: `turn of ${id}` }],
        shown: 0,
      });
    try {
      // As Export All does. Those that aren't written yet stay in memory.
      await until(() => {
        for (const { id } of others) conversations.get(id);
        return conversations.loaded().length <= MAX_OPEN;
      });
      assert.equal(tree.getTreeItem(turn).label, 'Why does it fail?');
      await vscode.commands.executeCommand('k3.openReasoning', { turnId });
      await until(() => vscode.window.activeTextEditor?.document.uri.scheme === 'k3-reasoning');
    } finally {
      for (const { id } of others) conversations.delete(id);
    }
  });

  it('grows while the model reasons, and refreshes only the changed node', async () => {
    const refreshed: unknown[] = [];
    tree.onDidChangeTreeData?.((node) => {
      refreshed.push(node);
    });
    let response: ServerResponse | undefined;
    scripted.will((opened) => {
      response = opened;
      startStream(opened);
    });
    const answering = scripted.ask('Why?');
    const stream = await until(() => response);
    writeDelta(stream, { reasoning: 'The parser fails on' });
    const turn = await until(async () => (await tree.getChildren())[0]);
    await until(async () => (await tree.getChildren(turn)).length === 1);
    const [step] = await tree.getChildren(turn);
    assert.ok(step);
    const icon = tree.getTreeItem(step).iconPath;
    assert.ok(icon instanceof vscode.ThemeIcon && icon.id === 'loading~spin');
    await new Promise((resolve) => setTimeout(resolve, 300));
    refreshed.length = 0;
    const began = performance.now();
    for (let i = 0; i < 50; i++) {
      writeDelta(stream, { reasoning: 'word ' });
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await until(() => refreshed.length >= 2);
    await new Promise((resolve) => setTimeout(resolve, 300));
    // Four in a second, and one at the beginning and the end. On a busy machine the words take longer to come.
    const most = Math.ceil((performance.now() - began) / 250) + 2;
    assert.ok(refreshed.length <= most && most < 50, `${refreshed.length} refreshes, at most ${most}`);
    assert.ok(refreshed.every((node) => node === step));
    writeDelta(stream, { answer: 'Because.', finish: 'stop' });
    stream.end('data: [DONE]\n\n');
    await answering;
    const after = tree.getTreeItem(step).iconPath;
    assert.ok(after instanceof vscode.ThemeIcon && after.id !== 'loading~spin');
  });

  it('has a node for each attempt', async () => {
    scripted.will(ANSWERED, ANSWERED);
    const turn = await scripted.ask('Why?');
    const again = await scripted.conversations.askAgain(turn.id);
    assert.ok(again.ok);
    await ended(scripted.conversations, again.turnId);
    const labels = (await items()).map(({ label }) => label);
    assert.deepEqual(labels, ['Why? (attempt 1)', 'Why? (attempt 2)']);
  });

  it('keeps the marks of steps while other conversations change', async () => {
    const { conversations } = scripted;
    const stream = () => streamOf([{ reasoning: 'A guard.' }, { answer: 'Add it.', finish: 'stop' }]);
    scripted.will(stream(), stream());
    await scripted.ask('How?');
    const other = conversations.current().id;
    conversations.create();
    const { id } = await scripted.ask('Why?');
    const iconOf = () => {
      const { iconPath } = tree.getTreeItem(tree.list(id, 0)) as vscode.TreeItem;
      return iconPath instanceof vscode.ThemeIcon ? iconPath.id : undefined;
    };
    tree.cite({ steps: [{ turnId: id, step: 0, strength: 'strong' }], at: 0, show: false });
    assert.equal(iconOf(), 'circle-filled');
    let refreshed = 0;
    tree.onDidChangeTreeData?.(() => refreshed++);
    conversations.delete(other);
    conversations.restore(other);
    assert.deepEqual([iconOf(), refreshed], ['circle-filled', 0]);
  });
});

describe('The document of the reasoning', () => {
  let scripted: Scripted;
  beforeEach(async () => {
    scripted = await startScripted();
    scripted.will(ANSWERED, ANSWERED);
  });
  afterEach(async () => {
    await scripted.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const shown = () =>
    until(() => {
      const editor = vscode.window.activeTextEditor;
      return editor?.document.uri.scheme === 'k3-reasoning' ? editor : undefined;
    });

  it('opens at the line of a step', async () => {
    const turn = await scripted.ask('Why?');
    await vscode.commands.executeCommand('k3.openReasoning', { turnId: turn.id, index: 1 });
    const editor = await shown();
    assert.equal(editor.document.getText(editor.selection), 'So the fix is a guard.');
    assert.ok(editor.document.getText().includes(turn.reasoning));
  });

  it('shows the last turn by default', async () => {
    await scripted.ask('Why?');
    await vscode.commands.executeCommand('k3.openReasoning');
    assert.match((await shown()).document.uri.path, /Why/);
  });

  it('updates while a turn runs', async () => {
    let response: ServerResponse | undefined;
    await scripted.ask('Why?');
    await scripted.ask('Why so?');
    scripted.will((opened) => {
      response = opened;
      startStream(opened);
    });
    const answering = scripted.ask('And now?');
    const stream = await until(() => response);
    writeDelta(stream, { reasoning: 'First thought.' });
    await until(() => scripted.conversations.current().exchanges[2]?.attempts[0]?.reasoning);
    await vscode.commands.executeCommand(
      'k3.openReasoning',
      scripted.conversations.current().exchanges[2]?.attempts[0]?.id,
    );
    const { document } = await shown();
    writeDelta(stream, { reasoning: '\n\nSecond thought.' });
    await until(() => document.getText().includes('Second thought.'));
    writeDelta(stream, { answer: 'So.', finish: 'stop' });
    stream.end('data: [DONE]\n\n');
    await answering;
  });

  it('copies the reasoning unchanged', async () => {
    const turn = await scripted.ask('Why?');
    await vscode.commands.executeCommand('k3.copyReasoning', turn.id);
    assert.equal(await vscode.env.clipboard.readText(), STEPS.join(''));
  });

  it('is that of the last turn for a keyboard shortcut that gives anything else', async () => {
    await scripted.ask('Why?');
    for (const target of [null, 5, { turnId: 5, index: 'last' }]) {
      await vscode.env.clipboard.writeText('');
      await vscode.commands.executeCommand('k3.copyReasoning', target);
      assert.equal(await vscode.env.clipboard.readText(), STEPS.join(''));
    }
  });

  it('compares with another attempt, the older one on the left', async () => {
    const turn = await scripted.ask('Why?');
    const again = await scripted.conversations.askAgain(turn.id);
    assert.ok(again.ok);
    await ended(scripted.conversations, again.turnId);
    await vscode.commands.executeCommand('k3.compareReasoning', again.turnId, turn.id);
    const tab = await until(() => {
      const active = vscode.window.tabGroups.activeTabGroup.activeTab;
      return active?.input instanceof vscode.TabInputTextDiff ? active : undefined;
    });
    assert.equal(tab.label, 'Reasoning: attempt 1 ↔ attempt 2');
    assert.ok(tab.input instanceof vscode.TabInputTextDiff);
    assert.match(tab.input.original.query, new RegExp(turn.id));
  });
});
