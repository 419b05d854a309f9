/**
 * The review of a proposal from the question to the last hunk, on all kinds of files, byte for byte. `test/ui` does most of
 * it once with the mouse.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { type Emulator, startEmulator } from '../../../src/emulator/server.ts';
import type { Proposal } from '../../../src/review/proposals/proposal.ts';
import { eventually } from '../../support/eventually.ts';
import { SHOP_CODE } from '../../support/review/shopCode.ts';
import { type Answer, ended, until } from '../scripted.ts';
import { aroundProposals, latest, openHidden, scripted, states } from './proposing.ts';

const FILES: Readonly<Record<string, string>> = {
  'crlf.js': SHOP_CODE.replaceAll('\n', '\r\n'),
  'unended.js': SHOP_CODE.trimEnd(),
  'tabs.js': SHOP_CODE.replaceAll('  ', '\t'),
  'emoji.js': SHOP_CODE.replace('A small shop.', '👩‍👩‍👧 e\u0301 שלום 한국어').replace(
    'total = 0',
    "total = '🏴󠁧󠁢󠁥󠁮󠁧󠁿'",
  ),
};

const KEY = 'key-of-the-demo';
let emulator: Emulator;

/** The answer of the demo model. */
const answerOfDemo: Answer = async (response, body) => {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const reply = await fetch(`${emulator.url}/v1/chat/completions`, { method: 'POST', headers, body });
  response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' });
  response.end(Buffer.from(await reply.arrayBuffer()));
};

/** Runs a command that asks, and returns the proposal of the answer. */
async function proposalOf(ask: () => Thenable<unknown>): Promise<Proposal> {
  const { conversations, proposals } = scripted;
  const attempts = () => conversations.current().exchanges.flatMap((one) => one.attempts);
  const count = attempts().length;
  scripted.will(answerOfDemo);
  await ask();
  const { id } = await until(() => attempts()[count]);
  assert.equal((await ended(conversations, id)).outcome, 'complete');
  return until(() => proposals.ofTurn(id)[0]);
}

/** Asks about the complete file, with words that the user enters. */
async function refactor(document: vscode.TextDocument, words: string): Promise<Proposal> {
  const { window } = vscode;
  const { showInputBox } = window;
  const editor = await window.showTextDocument(document);
  const end = document.lineAt(document.lineCount - 1).range.end;
  editor.selection = new vscode.Selection(new vscode.Position(0, 0), end);
  Object.assign(window, { showInputBox: async () => words });
  return proposalOf(() => vscode.commands.executeCommand('k3.refactor')).finally(() =>
    Object.assign(window, { showInputBox }),
  );
}

const command = async (name: string, document: vscode.TextDocument) => {
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand(name);
};

/** The CodeLenses with this title, one of each open hunk. */
async function lenses(document: vscode.TextDocument, title: string): Promise<readonly vscode.Command[]> {
  const all: readonly vscode.CodeLens[] = await vscode.commands.executeCommand(
    'vscode.executeCodeLensProvider',
    document.uri,
    100,
  );
  return all.flatMap(({ command }) => (command?.title === title ? [command] : []));
}

/** Runs the command of a CodeLens of the open hunk with this index, from 0. */
async function clickLens(document: vscode.TextDocument, title: string, index: number): Promise<void> {
  const lens = await eventually(async () => (await lenses(document, title))[index] ?? assert.fail(title));
  await vscode.commands.executeCommand(lens.command, ...(lens.arguments ?? []));
}

async function hunksAre(document: vscode.TextDocument, count: number): Promise<void> {
  await eventually(async () =>
    assert.equal((await lenses(document, 'Reject')).length, count, 'hunks with CodeLenses'),
  );
}

/** Comments on a line, as the comment box does. */
async function comment({ uri }: vscode.TextDocument, line: number, text: string): Promise<void> {
  const thread = { uri, range: new vscode.Range(line, 0, line, 0), dispose: () => undefined };
  await vscode.commands.executeCommand('k3.addRemark', { thread, text });
}

const bytesOf = async ({ uri }: vscode.TextDocument) =>
  Buffer.from(await vscode.workspace.fs.readFile(uri)).toString();

async function saveAndCheck(document: vscode.TextDocument, expected: string, when: string): Promise<void> {
  // While auto save is writing, the editor refuses another save.
  await eventually(async () => {
    await document.save();
    assert.equal(await bytesOf(document), expected, when);
  });
}

describe('A proposal, hunk by hunk in the editor', () => {
  aroundProposals();

  before(async () => {
    emulator = await startEmulator({ port: 0, route: 'direct', key: KEY, tokensPerSecond: Infinity });
  });

  after(() => emulator.close());

  for (const [name, text] of Object.entries(FILES)) {
    it(`changes ${name} byte for byte as decided, at every step`, async () => {
      const first = text.replace('var total', 'let total');
      const end = text.includes('\r\n') ? '\r\n' : '\n';
      const indent = name === 'tabs.js' ? '\t' : '  ';
      const revised = first.replace(
        `${indent}var result = new Array();`,
        `${indent}// As remarked: Say why it is a list.${end}${indent}let result = [];`,
      );
      const document = await openHidden(name, text);
      const proposal = await refactor(document, 'Make it modern');
      await hunksAre(document, 3);
      assert.equal(await bytesOf(document), text, 'nothing is written before a hunk is accepted');

      await clickLens(document, 'Accept', 0);
      await hunksAre(document, 2);
      await saveAndCheck(document, first, 'after accepting the first');

      await comment(document, 4, 'Say why it is a list.');
      await clickLens(document, 'Reject', 1);
      await hunksAre(document, 1);
      assert.deepEqual(states(proposal), ['accepted', 'open', 'rejected']);
      await saveAndCheck(document, first, 'after a comment and a rejection');

      const revision = await proposalOf(() => vscode.commands.executeCommand('k3.sendReview'));
      assert.deepEqual(states(revision), ['open']);
      assert.match(latest(revision).hunks[0]?.hunk.after ?? '', /\/\/ As remarked/);
      assert.equal(latest(proposal).replacedBy, revision.id);
      await hunksAre(document, 1);

      await clickLens(document, 'Accept', 0);
      await hunksAre(document, 0);
      await saveAndCheck(document, revised, 'after accepting the revision');

      await command('undo', document);
      await hunksAre(document, 1);
      await saveAndCheck(document, first, 'after undoing the revision');

      await command('undo', document);
      await saveAndCheck(document, text, 'after undoing the first hunk');
      await clickLens(document, 'Reject', 0);
      await hunksAre(document, 0);
    });
  }
});
