/** What Apply and Insert at cursor do with a code block of an answer. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Question } from '../../../src/conversation/question.ts';
import { createCodeBlockActions } from '../../../src/editor/proposals/codeBlockActions.ts';
import { type LeftOut, leaveOut } from '../leftOut.ts';
import { ended, streamOf, until } from '../scripted.ts';
import {
  aroundProposals,
  asked,
  CODE,
  document,
  open,
  openHidden,
  outside,
  pathOf,
  propose,
  run,
  scripted,
  shownOf,
} from './proposing.ts';

const { showQuickPick } = vscode.window;
/** The titles of the lists that asked where the code goes. */
const lists: string[] = [];
/** The rows of the last one. */
let places: readonly string[] = [];

function choose(label: string | undefined): void {
  lists.length = 0;
  Object.assign(vscode.window, {
    async showQuickPick(items: readonly vscode.QuickPickItem[], { title = '' }: vscode.QuickPickOptions) {
      lists.push(title);
      places = items.map(({ label, description = '' }) => `${label} ${description}`.trim());
      return items.find((item) => item.label === label);
    },
  });
}

const blocks = () =>
  createCodeBlockActions({
    conversations: scripted.conversations,
    proposals: scripted.proposals,
    renames: { since: () => ({ uriNow: async (uri) => uri, withFilesNow: async (question) => question }) },
    lastEditor: { get: () => vscode.window.activeTextEditor } as never,
  });

/** An answer in the chat, of which no proposal is made, and how its code blocks are used. */
async function answered(
  text: string,
  finish = 'stop',
  origin?: Question['origin'],
  context: Question['context'] = [],
) {
  const { conversations, proposals } = scripted;
  const { id } = conversations.current();
  scripted.will(streamOf([{ answer: text }, { finish }]));
  const sent = await conversations.ask(id, { text: 'And?', images: [], origin, context });
  assert.ok(sent.ok);
  await ended(conversations, sent.turnId);
  const exchangeId = conversations.current().exchanges.at(-1)?.id ?? '';
  const act = (action: 'apply' | 'insert') => (code: string, info: string) =>
    blocks().perform(action, id, { exchangeId, text: code, info });
  return {
    apply: act('apply'),
    insert: act('insert'),
    made: () => proposals.ofTurn(sent.turnId),
    shown: () => shownOf(sent.turnId),
  };
}

const diffOf = (name: string, before: string, after: string) => {
  const path = pathOf(name);
  return `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${before}\n+${after}\n`;
};

describe('Apply on a code block', () => {
  /** In front of all tests: without an editor, there is no place that a list could ask about. */
  let front: vscode.Uri;
  /** Opens an editor, or a diff, with the proposal. */
  let reviews: LeftOut;
  const isFront = ({ uri }: { readonly uri: vscode.Uri }) => uri.toString() === front.toString();

  before(async () => {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    front = vscode.Uri.joinPath(root.uri, 'front of code blocks.txt');
    await vscode.workspace.fs.writeFile(front, Buffer.from('in front\n'));
    await vscode.window.showTextDocument(front, { preview: false });
  });
  aroundProposals({ keeps: ({ input }) => input instanceof vscode.TabInputText && isFront(input) });
  beforeEach(async () => {
    reviews = leaveOut('k3.reviewProposal');
    await until(() => vscode.window.activeTextEditor && isFront(vscode.window.activeTextEditor.document));
  });
  afterEach(() => {
    reviews.restore();
    Object.assign(vscode.window, { showQuickPick });
  });
  after(() => vscode.workspace.fs.delete(front));

  it('says that the file in front is no text any more, and asks for no place in it', async () => {
    const binary = await open('a.txt', 'one\n');
    choose('Insert at the End');
    const { apply, made } = await answered('```\ncode\n```\n');
    await vscode.workspace.fs.writeFile(binary.uri, Buffer.from([0x7f, 0x45, 0, 0, 1]));
    await until(() => binary.getText().includes('\0'));
    await apply('code\n', '');
    assert.match(asked.notes.join('\n'), /Couldn’t open .*a\.txt\./);
    assert.deepEqual([lists, made()], [[], []]);
  });

  it('makes a proposal of each diff of an answer, and shows it when it is selected again', async () => {
    await openHidden('a.txt', 'one\ntwo\n');
    await openHidden('b.txt', 'one\ntwo\n');
    choose(undefined);
    const [a, b] = [diffOf('a.txt', 'one', 'ONE'), diffOf('b.txt', 'one', 'ONE')];
    const { apply, made, shown } = await answered(`\`\`\`diff\n${a}\`\`\`\n\n\`\`\`diff\n${b}\`\`\`\n`);
    for (const diff of [a, b, a, b]) await apply(diff, 'diff');
    const [first, second] = made().map(({ id, files }) => [{ proposalId: id, uri: files[0]?.uri }]);
    assert.deepEqual(reviews.calls, [first, second, first, second]);
    assert.deepEqual(shown(), [[['a.txt', 'open ONE']], [['b.txt', 'open ONE']]]);
    assert.deepEqual([lists, asked.titles], [[], []]);
  });

  it('changes the attached file whose folder a diff leaves out, if there is only one with that name', async () => {
    const [one, other] = [await openHidden('sub/b.txt', 'one\n'), await openHidden('more/b.txt', 'one\n')];
    const toItem = ({ uri }: vscode.TextDocument) => ({
      ...{ kind: 'file' as const, label: 'b.txt', uri: uri.toString() },
      parts: [{ label: 'b.txt', text: 'one\n' }],
    });
    choose(undefined);
    const diff = '--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-one\n+ONE\n';
    const both = await answered(`\`\`\`diff\n${diff}\`\`\`\n`, 'stop', undefined, [one, other].map(toItem));
    await both.apply(diff, 'diff');
    assert.deepEqual([both.made(), lists.length], [[], 1]);
    const { apply, made } = await answered(`\`\`\`diff\n${diff}\`\`\`\n`, 'stop', undefined, [toItem(one)]);
    await apply(diff, 'diff');
    await run('k3.acceptAll', made()[0]);
    await apply(diff, 'diff');
    assert.deepEqual([one.getText(), made().length, lists.length], ['ONE\n', 1, 1]);
  });

  it('shows a proposal that was accepted when its diff is selected again, and proposes a rejected one again', async () => {
    await openHidden('a.txt', 'one\ntwo\n');
    choose(undefined);
    const diff = diffOf('a.txt', 'one', 'ONE');
    const { apply, made, shown } = await answered(`\`\`\`diff\n${diff}\`\`\`\n`);
    await apply(diff, 'diff');
    await run('k3.rejectAll', made()[0]);
    await apply(diff, 'diff');
    await run('k3.acceptAll', made()[1]);
    await apply(diff, 'diff');
    assert.deepEqual(shown(), [[['a.txt', 'rejected ONE']], [['a.txt', 'accepted ONE']]]);
    assert.deepEqual(lists, []);
  });

  it('proposes its diff again when what was accepted is gone, such as after a checkout', async () => {
    const changed = await openHidden('a.txt', 'one\ntwo\n');
    choose(undefined);
    const diffs = [diffOf('a.txt', 'one', 'ONE'), diffOf('a.txt', 'ONE', 'One')] as const;
    const { apply, made, shown } = await answered(
      diffs.map((diff) => `\`\`\`diff\n${diff}\`\`\`\n`).join('\n'),
    );
    for (const [index, diff] of diffs.entries()) {
      await apply(diff, 'diff');
      await run('k3.acceptAll', made()[index]);
    }
    const checkout = new vscode.WorkspaceEdit();
    checkout.replace(changed.uri, new vscode.Range(0, 0, 1, 0), 'one\n');
    await vscode.workspace.applyEdit(checkout);
    await apply(diffs[0], 'diff');
    assert.deepEqual(shown().at(-1), [['a.txt', 'open ONE']]);
    await run('k3.acceptAll', made().at(-1));
    assert.equal(changed.getText(), 'ONE\ntwo\n');
  });

  it('doesn’t ask to replace its own proposal, also if it is selected twice at once', async () => {
    const origin = { uri: document.uri.toString(), startLine: 1, endLine: 1, text: 'two\n' };
    const { apply, shown } = await answered('```txt\nTWO\n```\n', 'stop', origin);
    await Promise.all([apply('TWO\n', 'txt'), apply('TWO\n', 'txt')]);
    await apply('TWO\n', 'txt');
    assert.deepEqual(shown(), [[['code.txt', 'open TWO']]]);
    assert.deepEqual(asked.titles, []);
  });

  it('proposes the diff of an answer that was cut off', async () => {
    await openHidden('a.txt', 'one\ntwo\n');
    const diff = diffOf('a.txt', 'one', 'ONE');
    const { apply, shown } = await answered(`\`\`\`diff\n${diff}`, 'length');
    await apply(diff, 'diff');
    assert.deepEqual(shown(), [[['a.txt', 'open ONE']]]);
  });

  it('proposes of an answer that was cut off no part as if it were all', async () => {
    await openHidden('a.txt', 'one\ntwo\nthree\n');
    choose('Replace the Entire File');
    const origin = { uri: document.uri.toString(), startLine: 0, endLine: 4, text: CODE };
    const path = pathOf('a.txt');
    for (const [info, code, shown] of [
      ['txt', 'ONE\ntwo\n', ['code.txt', 'unclear']],
      [`txt ${pathOf('fresh.txt')}`, 'ONE\ntwo\n', ['fresh.txt', 'open ONE\ntwo']],
      [
        'diff',
        `--- a/${path}\n+++ b/${path}\n@@ -1,3 +1,3 @@\n-one\n-two\n-three\n+ONE\n`,
        ['a.txt', 'unclear'],
      ],
      [`txt ${path}`, '<<<<<<< SEARCH\none\n=======\n', ['a.txt', 'unclear']],
    ] as const) {
      const cut = await answered(`\`\`\`${info}\n${code}`, 'length', origin);
      await cut.apply(code, info);
      assert.deepEqual(cut.shown(), [[shown]], info);
    }
    assert.deepEqual(lists, []);
  });

  it('takes lines to search for as the file parts them, and offers no other place if it doesn’t', async () => {
    const info = `md ${pathOf('a.md')}`;
    await openHidden('a.md', 'Title\n=======\n\nText\n');
    choose('Replace the Entire File');
    const block = (from: string) =>
      `<<<<<<< SEARCH\n${from}\n=======\n=======\nNew\n=======\n>>>>>>> REPLACE\n`;
    for (const [from, after] of [
      ['Title', 'open New'],
      ['Other', 'unclear'],
    ] as const) {
      const { apply, shown } = await answered(`\`\`\`${info}\n${block(from)}\`\`\`\n`);
      await apply(block(from), info);
      assert.deepEqual(shown(), [[['a.md', after]]]);
    }
    assert.deepEqual(lists, []);
  });

  it('shows the proposal of an answer that has the diff', async () => {
    choose(undefined);
    const diff = diffOf('code.txt', 'two', 'TWO');
    const proposal = await propose(`\`\`\`diff\n${diff}\`\`\``);
    assert.ok(proposal);
    const { conversations, proposals } = scripted;
    const exchangeId = conversations.current().exchanges.at(-1)?.id ?? '';
    const apply = () =>
      blocks().perform('apply', conversations.current().id, { exchangeId, text: diff, info: 'diff' });
    await apply();
    await run('k3.acceptAll', proposal);
    await apply();
    assert.equal(proposals.ofTurn(proposal.turnId).length, 1);
    assert.deepEqual(lists, []);
  });

  it('shows the file of the block, of several that the proposal of an answer changes', async () => {
    for (const name of ['a.txt', 'b.txt']) await openHidden(name, 'one\ntwo\n');
    const files = ['a.txt', 'b.txt'].map((name) => ({
      path: pathOf(name),
      edits: [{ find: 'one', replace: 'ONE' }],
    }));
    const proposal = await propose(JSON.stringify({ explanation: '', files }));
    const { conversations } = scripted;
    const exchangeId = conversations.current().exchanges.at(-1)?.id ?? '';
    const shown: (string | undefined)[] = [];
    reviews.restore();
    for (const name of ['b.txt', 'a.txt']) {
      const block = { exchangeId, text: '-one\n+ONE\n', info: `diff ${pathOf(name)}` };
      await blocks().perform('apply', conversations.current().id, block);
      shown.push(vscode.window.activeTextEditor?.document.uri.path.split('/').at(-1));
    }
    assert.deepEqual(shown, ['b.txt', 'a.txt']);
    assert.deepEqual(scripted.proposals.ofTurn(proposal?.turnId ?? '').length, 1);
  });

  it('puts what was rejected of the file of the block under review again, of an answer in JSON', async () => {
    for (const name of ['a.txt', 'b.txt']) await openHidden(name, 'one\ntwo\n');
    const files = ['a.txt', 'b.txt'].map((name) => ({
      path: pathOf(name),
      edits: [{ find: 'one', replace: 'ONE' }],
    }));
    const proposal = await propose(JSON.stringify({ explanation: '', files }));
    assert.ok(proposal);
    const { conversations } = scripted;
    for (const { uri } of proposal.files)
      await vscode.commands.executeCommand('k3.rejectAll', { proposalId: proposal.id, uri });
    const exchangeId = conversations.current().exchanges.at(-1)?.id ?? '';
    const block = { exchangeId, text: '-one\n+ONE\n', info: `diff ${pathOf('b.txt')}` };
    for (let times = 0; times < 2; times++)
      await blocks().perform('apply', conversations.current().id, block);
    assert.deepEqual(shownOf(proposal.turnId), [
      [
        ['a.txt', 'rejected ONE'],
        ['b.txt', 'open ONE'],
      ],
    ]);
  });

  it('puts what was rejected under review again in place of another proposal only after the user agreed', async () => {
    await openHidden('a.txt', 'one\ntwo\n');
    const toAnswer = (replace: string) =>
      JSON.stringify({ files: [{ path: pathOf('a.txt'), edits: [{ find: 'one', replace }] }] });
    const rejected = await propose(toAnswer('ONE'));
    assert.ok(rejected);
    await run('k3.rejectAll', rejected);
    const { conversations, proposals } = scripted;
    const exchangeId = conversations.current().exchanges.at(-1)?.id ?? '';
    const other = await propose(toAnswer('1'));
    const block = { exchangeId, text: '-one\n+ONE\n', info: `diff ${pathOf('a.txt')}` };
    const apply = () => blocks().perform('apply', conversations.current().id, block);
    const replacedBy = () => proposals.get(other?.id ?? '')?.files[0]?.replacedBy;
    asked.answer = undefined;
    await apply();
    assert.deepEqual([shownOf(rejected.turnId), replacedBy()], [[[['a.txt', 'rejected ONE']]], undefined]);
    assert.match(asked.titles.at(-1) ?? '', /^Replace the proposal for/);
    asked.answer = 'Replace';
    await apply();
    assert.deepEqual([shownOf(rejected.turnId), replacedBy()], [[[['a.txt', 'open ONE']]], rejected.id]);
  });

  it('takes up a proposal that a later one replaced, of an answer in JSON, after the user agreed', async () => {
    await openHidden('a.txt', 'one\ntwo\n');
    const toAnswer = (replace: string) =>
      JSON.stringify({ files: [{ path: pathOf('a.txt'), edits: [{ find: 'one', replace }] }] });
    const replaced = await propose(toAnswer('ONE'));
    const { conversations, proposals } = scripted;
    const exchangeId = conversations.current().exchanges.at(-1)?.id ?? '';
    const other = await propose(toAnswer('1'));
    const replacedBy = (one: typeof other) => proposals.get(one?.id ?? '')?.files[0]?.replacedBy;
    assert.equal(replacedBy(replaced), other?.id);
    const block = { exchangeId, text: '-one\n+ONE\n', info: `diff ${pathOf('a.txt')}` };
    const apply = () => blocks().perform('apply', conversations.current().id, block);
    asked.answer = undefined;
    await apply();
    assert.deepEqual([replacedBy(replaced), replacedBy(other)], [other?.id, undefined]);
    assert.match(asked.titles.at(-1) ?? '', /^Replace the proposal for/);
    asked.answer = 'Replace';
    await apply();
    assert.deepEqual([replacedBy(replaced), replacedBy(other)], [undefined, replaced?.id]);
    await apply();
    assert.equal(asked.titles.length, 2);
  });

  it('lists what has no place of a diff of several files', async () => {
    await openHidden('a.txt', 'one\n');
    await openHidden('b.txt', 'one\n');
    choose('Insert at the End');
    const one = diffOf('a.txt', 'one', 'ONE') + diffOf('b.txt', 'two', 'TWO');
    const none = diffOf('a.txt', 'three', '3') + diffOf('b.txt', 'four', '4');
    const { apply, shown } = await answered(`\`\`\`diff\n${one}\`\`\`\n\`\`\`diff\n${none}\`\`\`\n`);
    for (const diff of [one, none, none]) await apply(diff, 'diff');
    assert.deepEqual(shown(), [
      [
        ['a.txt', 'open ONE'],
        ['b.txt', 'not-there'],
      ],
      [
        ['a.txt', 'not-there'],
        ['b.txt', 'not-there'],
      ],
    ]);
    assert.deepEqual([lists, asked.titles], [[], []]);
  });

  it('says of a diff that only deletes or renames a file that a proposal can’t', async () => {
    await openHidden('a.txt', 'one\n');
    choose('Insert at the End');
    const path = pathOf('a.txt');
    const diff = `diff --git a/${path} b/${path}\ndeleted file mode 100644\nindex 1234567..0000000\n`;
    const { apply, shown } = await answered(`\`\`\`diff\n${diff}\`\`\`\n`);
    await apply(diff, 'diff');
    await apply(diff, 'diff');
    assert.deepEqual(shown(), [[['a.txt', 'whole-file']]]);
    assert.deepEqual(lists, []);
  });

  it('shows a proposal with lines to search for when they are selected again', async () => {
    await openHidden('a.txt', 'one\ntwo\n');
    choose('Insert at the End');
    const block = '<<<<<<< SEARCH\none\n=======\nONE\n>>>>>>> REPLACE\n';
    const info = `txt ${pathOf('a.txt')}`;
    const { apply, made, shown } = await answered(`\`\`\`${info}\n${block}\`\`\`\n`);
    await apply(block, info);
    await apply(block, info);
    await run('k3.acceptAll', made()[0]);
    await apply(block, info);
    assert.deepEqual(shown(), [[['a.txt', 'accepted ONE']]]);
    assert.deepEqual(lists, []);
  });

  it('lists a new file that can’t be proposed, and asks for no place in another file', async () => {
    choose('Replace the Entire File');
    await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(document.uri, '../folder.txt'));
    const path = pathOf('empty.txt');
    const diff = `diff --git a/${path} b/${path}\nnew file mode 100644\nindex 0000000..e69de29\n`;
    const { apply, shown } = await answered(`\`\`\`diff\n${diff}\`\`\`\n`);
    await apply(diff, 'diff');
    await apply('x\n', `txt ${pathOf('folder.txt')}`);
    assert.deepEqual(shown(), [[['empty.txt', 'no-text']], [['folder.txt', 'unreadable']]]);
    assert.deepEqual(lists, []);
  });

  it('asks where code goes in the file that it names', async () => {
    await openHidden('a.txt', 'one\n');
    choose('Insert at the End');
    const { apply, shown } = await answered(`\`\`\`txt ${pathOf('a.txt')}\ntwo\n\`\`\`\n`);
    await apply('two\n', `txt ${pathOf('a.txt')}`);
    assert.deepEqual(lists, [`Apply to ${pathOf('a.txt')}`]);
    assert.deepEqual(shown(), [[['a.txt', 'open two']]]);
  });

  for (const answer of ['Allow Once', undefined])
    it(`asks once for a file outside the workspace, if the answer is ${answer ?? 'no'}`, async () => {
      writeFileSync(`${outside}/o.ts`, 'x\n');
      choose(undefined);
      asked.answer = answer;
      const { apply, shown } = await answered(`\`\`\`ts ${outside}/o.ts\ny\n\`\`\`\n`);
      await apply('y\n', `ts ${outside}/o.ts`);
      assert.equal(asked.titles.length, 1);
      assert.equal(lists.length, answer === undefined ? 0 : 1);
      assert.ok(lists.every((title) => title.endsWith('o.ts')));
      assert.deepEqual(shown(), []);
    });

  it('offers the selection of the editor that was active last, of two with the same file', async () => {
    const left = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    left.selection = new vscode.Selection(0, 0, 0, 3);
    const right = await vscode.window.showTextDocument(document, vscode.ViewColumn.Two);
    right.selection = new vscode.Selection(2, 0, 2, 5);
    choose('Replace the Selection');
    const { apply, made } = await answered('```txt\nTHREE\n```\n');
    await apply('THREE\n', 'txt');
    assert.equal(made()[0]?.files[0]?.after, CODE.replace('three', 'THREE'));
  });

  it('names the lines of the selection, also if it is one line with its end, below which the cursor is', async () => {
    const ends = ['Replace the Entire File', 'Insert at the End'];
    const editor = await vscode.window.showTextDocument(document);
    choose(undefined);
    const { apply } = await answered('```txt\nX\n```\n');
    const placesOf = async (selection: vscode.Selection) => {
      editor.selection = selection;
      await apply('X\n', 'txt');
      return places;
    };
    assert.deepEqual(await placesOf(new vscode.Selection(1, 0, 2, 0)), [
      ...['Replace the Selection line 2', 'Insert Above the Selection line 2'],
      ...ends,
    ]);
    assert.deepEqual(await placesOf(new vscode.Selection(0, 1, 1, 1)), [
      ...['Replace the Selection lines 1–2', 'Insert Above the Selection line 1'],
      ...ends,
    ]);
    assert.deepEqual(await placesOf(new vscode.Selection(2, 1, 2, 1)), [
      'Insert Above the Cursor line 3',
      ...ends,
    ]);
  });
});

describe('Insert at cursor on a code block', () => {
  aroundProposals();

  it('inserts the code at each cursor', async () => {
    const editor = await vscode.window.showTextDocument(document);
    const at = (line: number) => new vscode.Selection(line, 0, line, 0);
    editor.selections = [at(0), at(2)];
    const { insert } = await answered('```\nX\n```');
    await insert('X\n', '');
    assert.equal(document.getText(), 'Xone\ntwo\nXthree\nfour\nfive\n');
    assert.deepEqual(asked.notes, []);
  });

  it('inserts what replaces the lines to search for', async () => {
    await vscode.window.showTextDocument(document);
    const block = '<<<<<<< SEARCH\none\n=======\nONE\n>>>>>>> REPLACE\n';
    const { insert } = await answered(`\`\`\`\n${block}\`\`\``);
    await insert(block, '');
    assert.equal(document.getText(), `ONE${CODE}`);
  });

  it('says which editor it needs if that was closed while the user was asked', async () => {
    const path = `${outside}/o.txt`;
    writeFileSync(path, 'out\n');
    // In front when the other one is closed.
    await vscode.window.showTextDocument(document);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(path));
    asked.meanwhile = async () => {
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      asked.answer = 'Allow Once';
    };
    const { insert } = await answered('```\nX\n```');
    await insert('X\n', '');
    assert.equal(asked.titles.length, 1);
    assert.deepEqual(asked.notes, ['Open the file this code belongs to and try again.']);
  });
});
