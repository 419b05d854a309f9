/** Commands about “the chat”, with a chat in an editor tab and another one in the side bar. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Conversation } from '../../../src/conversation/conversation.ts';
import { createReasoningTree } from '../../../src/editor/reasoning/reasoningTree.ts';
import { registerStatusBar } from '../../../src/editor/usage/statusBar.ts';
import { inSteps } from '../../support/leftovers.ts';
import { whileLeftOut } from '../leftOut.ts';
import {
  aroundProposals,
  beginProposals,
  document,
  edits,
  endProposals,
  pathOf,
  scripted,
} from '../proposals/proposing.ts';
import { reportText } from '../reports.ts';
import { startStream, streamOf, until } from '../scripted.ts';

const { window } = vscode;
const { showQuickPick, showInputBox, showSaveDialog, showOpenDialog } = window;

let tab: string;
let side: string;
/** What the last list offered, and the name of the file that the last dialog suggested. */
let offered: string;
let wanted: (item: vscode.QuickPickItem) => boolean;

const run = (command: string, ...given: readonly unknown[]) =>
  vscode.commands.executeCommand(command, ...given);
const get = (id: string): Conversation => {
  const conversation = scripted.conversations.get(id);
  assert.ok(conversation);
  return conversation;
};
const front = () => scripted.conversations.front().id;

/** A conversation with two attempts, whose reasoning and answer have a word of their own. */
async function talk(word: string): Promise<string> {
  const { conversations } = scripted;
  const { id } = conversations.create();
  scripted.will(
    ...['one', 'two'].map((at) =>
      streamOf([{ reasoning: `${word} thought ${at}` }, { answer: `${word} ${at}` }, { finish: 'stop' }]),
    ),
  );
  const { id: turn } = await scripted.ask(`About ${word}?`);
  const again = await conversations.askAgain(turn);
  assert.ok(again.ok);
  await until(() => conversations.find(again.turnId)?.turn.outcome);
  return id;
}

/** Starts an answer that goes on until it is stopped. */
async function start(id: string): Promise<void> {
  const before = scripted.requests.length;
  scripted.will((response) => startStream(response));
  assert.ok((await scripted.conversations.ask(id, { text: 'Long?', images: [], origin: undefined })).ok);
  await until(() => scripted.requests.length > before);
}

const unsent = (id: string) => scripted.conversations.unsent(id);
const count = (id: string) => get(id).exchanges.length;

/** The next request as it is shown, as soon as it has these words. */
const nextRequest = (words: string) => reportText('Next Request', (text) => text.includes(words));

/** The title of the tab with a comparison. That of a chat's tab is its conversation. */
const comparisonTitle = () =>
  window.tabGroups.all
    .flatMap(({ tabs }) => tabs.map(({ label }) => label))
    .find((label) => label.includes('↔'));

/**
 * Each command, and what shows where it went: a text that has the word of one conversation, or that changes from
 * before to after for one of them.
 */
type Row =
  | { readonly says: () => Promise<string> }
  | {
      readonly changes: (id: string) => unknown;
      readonly prepare?: () => Promise<void>;
      readonly act?: () => Thenable<unknown>;
    };

const picks = (word: string) => {
  wanted = ({ label }) => label.includes(word);
};

const ROWS: Readonly<Record<string, Row>> = {
  'k3.stop': {
    changes: (id) => scripted.conversations.isRunning(id),
    async prepare() {
      await start(tab);
      await start(side);
    },
  },
  'k3.renameConversation': { changes: (id) => get(id).title },
  'k3.deleteConversation': { changes: (id) => scripted.conversations.get(id) === undefined },
  'k3.forkConversation': {
    async says() {
      await run('k3.forkConversation');
      return JSON.stringify(scripted.conversations.current().exchanges);
    },
  },
  'k3.exportConversation': {
    async says() {
      picks('JSON');
      await run('k3.exportConversation');
      return offered;
    },
  },
  'k3.attachFile': {
    changes: (id) => unsent(id).context.length,
    act: () => run('k3.attachFile', document.uri),
  },
  'k3.attachSelection': {
    changes: (id) => unsent(id).context.length,
    async act() {
      const editor = await window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside });
      editor.selection = new vscode.Selection(1, 0, 2, 0);
      await run('k3.attachSelection');
    },
  },
  'k3.choosePreset': {
    changes: (id) => unsent(id).preset,
    act() {
      picks('Plan');
      return run('k3.choosePreset');
    },
  },
  'k3.openReasoning': {
    async says() {
      await run('k3.openReasoning');
      return until(() => {
        const text = window.activeTextEditor?.document.getText();
        return text?.includes('thought') && text;
      });
    },
  },
  'k3.copyReasoning': {
    async says() {
      await run('k3.copyReasoning');
      return vscode.env.clipboard.readText();
    },
  },
  'k3.compareReasoning': {
    async says() {
      picks('nothing');
      await run('k3.compareReasoning');
      return offered;
    },
  },
  'k3.searchReasoning': {
    async says() {
      const { createQuickPick } = window;
      const made: vscode.QuickPick<vscode.QuickPickItem>[] = [];
      const create = () => {
        made.push(createQuickPick());
        return made[0];
      };
      Object.assign(window, { createQuickPick: create });
      await run('k3.searchReasoning');
      Object.assign(window, { createQuickPick });
      const said = JSON.stringify(made[0]?.items);
      made[0]?.hide();
      return said;
    },
  },
  'k3.askElsewhere': {
    changes: (id) => get(id).exchanges.at(-1)?.attempts.length,
    async act() {
      scripted.will(streamOf([{ answer: 'Three.' }, { finish: 'stop' }]));
      picks('max');
      await run('k3.askElsewhere');
    },
  },
  'k3.compareAttempts': {
    async says() {
      await run('k3.compareAttempts');
      return until(comparisonTitle);
    },
  },
  'k3.showRequest': {
    async says() {
      const word = front() === tab ? 'tabby' : 'lateral';
      await whileLeftOut('markdown.showPreview', () => run('k3.showRequest'));
      return nextRequest(`About ${word}`);
    },
  },
  'k3.explain': {
    changes: count,
    async act() {
      scripted.will(streamOf([{ answer: 'It counts.' }, { finish: 'stop' }]));
      await window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside });
      await run('k3.explain');
    },
  },
  'k3.reviewFile': {
    changes: count,
    async act() {
      scripted.will(streamOf([{ answer: '{"summary":"Fine.","findings":[]}' }, { finish: 'stop' }]));
      await window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside });
      await run('k3.reviewFile');
    },
  },
};

/**
 * Commands that leave the other conversation and the open editors as they are, in an order in which none needs what another one
 * has changed. They are tried with the same two conversations: creating these and opening the tab takes longer than the commands.
 */
const SHARED: readonly string[] = [
  'k3.exportConversation',
  'k3.attachFile',
  'k3.choosePreset',
  'k3.copyReasoning',
  'k3.compareReasoning',
  'k3.searchReasoning',
  'k3.askElsewhere',
  'k3.renameConversation',
];

/** What the user answers in lists and dialogs. */
function aroundDialogs(): void {
  beforeEach(() => {
    offered = '';
    wanted = () => true;
    Object.assign(window, {
      async showQuickPick(
        list: readonly vscode.QuickPickItem[] | Promise<readonly vscode.QuickPickItem[]>,
        options?: vscode.QuickPickOptions,
      ) {
        const items = await list;
        offered = `${JSON.stringify(options)}\n${JSON.stringify(items)}`;
        return items.find(wanted);
      },
      showInputBox: async () => 'Renamed',
      async showSaveDialog(options: vscode.SaveDialogOptions) {
        offered = String(options.defaultUri);
      },
    });
  });
  afterEach(() => {
    Object.assign(window, { showQuickPick, showInputBox, showSaveDialog, showOpenDialog });
    for (const { id } of scripted.conversations.loaded()) scripted.conversations.stop(id);
  });
}

async function talkTwice(): Promise<void> {
  tab = await talk('tabby');
  side = await talk('lateral');
}

const PLACES = ['tab', 'side bar'] as const;

/** Runs a command with the conversation of a place in front, and checks that it is about that one. */
async function check(command: string, row: Row, where: (typeof PLACES)[number]): Promise<void> {
  offered = '';
  await run('k3.openInEditor', tab);
  assert.equal(front(), tab);
  if (where === 'side bar') await run('k3.focusChat');
  const [own, other, word, foreign] =
    where === 'tab' ? [tab, side, 'tabby', 'lateral'] : [side, tab, 'lateral', 'tabby'];
  assert.deepEqual([front(), scripted.conversations.current().id], [own, side]);
  if ('says' in row) {
    const said = await row.says();
    assert.ok(said.includes(word) && !said.includes(foreign), said);
    return;
  }
  const isStop = command === 'k3.stop';
  await row.prepare?.();
  // On a busy machine, the page of the tab is loaded only now, and takes the focus that it was given.
  if (front() !== own) await run('k3.focusChat');
  assert.equal(front(), own);
  const before = [own, other].map((id) => isStop || row.changes(id));
  await (row.act ?? (() => run(command)))();
  await until(() => row.changes(own) !== before[0]);
  assert.equal(row.changes(other), before[1]);
}

describe('A command about the chat that leaves the other one', () => {
  inSteps();
  before(async () => {
    await run('k3.focusChat');
    await beginProposals();
    await talkTwice();
  });
  after(() => endProposals());
  aroundDialogs();

  // First all in the tab: on a busy machine, the side bar takes the focus late that it was given before.
  for (const where of PLACES)
    for (const command of SHARED)
      it(`${command} is about the one in front: in the ${where}`, () =>
        check(command, ROWS[command] ?? assert.fail(command), where));
});

describe('A command about the chat', () => {
  before(() => run('k3.focusChat'));
  // The tests of other files need no page that draws their answers.
  after(() => run('workbench.action.closeSidebar'));
  aroundProposals();
  aroundDialogs();
  beforeEach(talkTwice);

  for (const [command, row] of Object.entries(ROWS))
    if (!SHARED.includes(command))
      for (const where of PLACES)
        it(`${command} is about the one in front: in the ${where}`, () => check(command, row, where));

  it('opens a new conversation in the tab in front, and asks there', async () => {
    await run('k3.openInEditor', tab);
    await run('k3.newConversation');
    const fresh = front();
    assert.deepEqual([count(fresh), scripted.conversations.current().id], [0, side]);
    scripted.will(streamOf([{ answer: 'It counts.' }, { finish: 'stop' }]));
    await window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside });
    await run('k3.explain');
    assert.deepEqual([count(fresh), count(side), front()], [1, 1, fresh]);
  });

  it('in the title of the side bar is about the side bar, whatever is in front', async () => {
    await run('k3.openInEditor', tab);
    await start(tab);
    await start(side);
    await run('k3.sideBar.stop');
    await until(() => !scripted.conversations.isRunning(side));
    assert.ok(scripted.conversations.isRunning(tab));
    picks('JSON');
    await run('k3.sideBar.exportConversation');
    assert.match(offered, /lateral/);
    await whileLeftOut('markdown.showPreview', () => run('k3.sideBar.showRequest'));
    assert.match(await nextRequest('About lateral'), /About lateral/);
    await run('k3.sideBar.newConversation');
    assert.deepEqual([count(scripted.conversations.current().id), count(tab)], [0, 2]);
  });

  it('shows its reasoning in the view and its usage in the status bar, also when it was only looked at', async () => {
    const { conversations } = scripted;
    const nothing = () => new vscode.Disposable(() => undefined);
    const { createStatusBarItem } = window;
    const item = {
      text: '',
      hide: () => Object.assign(item, { text: '' }),
      show: () => undefined,
      dispose: () => undefined,
    };
    Object.assign(window, { createStatusBarItem: () => item });
    const routes = { active: () => undefined, named: () => undefined, onDidChange: nothing };
    const bar = registerStatusBar({
      conversations,
      routes,
      structured: { judged: () => undefined, onDidJudge: nothing },
    });
    Object.assign(window, { createStatusBarItem });
    const tree = createReasoningTree({
      conversations,
      routes,
      structured: { judged: () => undefined, onDidJudge: nothing },
    });
    let redrawn = 0;
    const watching = tree.onDidChangeTreeData?.((node) => (redrawn += node === undefined ? 1 : 0));
    const { id: empty } = conversations.unused();
    /** How many turns the view has, and whether the status bar has tokens. */
    const shown = async () => [(await tree.getChildren()).length, /tokens/.test(item.text)];
    assert.deepEqual(await shown(), [2, true]);
    await run('k3.openInEditor', empty);
    await until(() => front() === empty && !/tokens/.test(item.text));
    assert.deepEqual([await shown(), redrawn], [[0, false], 1]);
    await run('k3.focusChat');
    await until(() => /tokens/.test(item.text));
    assert.deepEqual([await shown(), redrawn], [[2, true], 2]);
    for (const one of [watching, tree, bar]) one?.dispose();
  });

  it('is about the side bar again when the tab is closed', async () => {
    await run('k3.openInEditor', tab);
    assert.equal(front(), tab);
    await run('workbench.action.closeActiveEditor');
    await until(() => front() === side);
  });

  it('reverts the accepted edits of the one in front', async () => {
    const { conversations, proposals } = scripted;
    scripted.will(streamOf([{ answer: edits(pathOf('code.txt'), ['three', 'THREE']) }, { finish: 'stop' }]));
    const origin = { uri: document.uri.toString(), startLine: 1, endLine: 3, text: 'two\nthree\nfour\n' };
    const sent = await conversations.ask(tab, { text: 'Louder.', images: [], origin, purpose: 'proposal' });
    assert.ok(sent.ok);
    const { id } = await until(() => proposals.ofTurn(sent.turnId)[0]);
    await run('k3.acceptAll', { proposalId: id, uri: document.uri.toString() });
    await run('k3.openInEditor', tab);
    await run('k3.revertMessage');
    await until(() => !document.getText().includes('THREE'));
  });
});
