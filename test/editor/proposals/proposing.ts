/** A workspace folder with a file, and answers that propose changes. */
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { after, afterEach, beforeEach } from 'mocha';
import * as vscode from 'vscode';
import type { Purpose } from '../../../src/conversation/question.ts';
import type { FileProposal, Proposal } from '../../../src/review/proposals/proposal.ts';
import { removeFolderSync } from '../../support/removeFolder.ts';
import { closeEditors, saveFiles } from '../editors.ts';
import { type Asking, watchModals } from '../modals.ts';
import { ended, type Scripted, startScripted, streamOf, until } from '../scripted.ts';

export const CODE = 'one\ntwo\nthree\nfour\nfive\n';

export let scripted: Scripted;
export let folder: vscode.Uri;
export let document: vscode.TextDocument;
export let outside: string;
export let asked: Asking;

interface Around {
  readonly shown?: boolean;
  keeps?(tab: vscode.Tab): boolean;
}

/**
 * Registers the hooks of a `describe`. Hooks at the top level would run for the tests of all files.
 *
 * @param shown whether the file is in an editor. Opening and closing one costs more than all else that most tests do, and
 *   hunks are the same without it
 * @param keeps tabs that only the last test closes
 */
export function aroundProposals({ shown = false, keeps }: Around = {}): void {
  beforeEach(() => beginProposals({ shown }));
  afterEach(() => endProposals(keeps));
  after(() => closeEditors());
}

/** By itself for tests that share the folder, the file, and the conversations. */
export async function beginProposals({ shown = false }: Around = {}): Promise<void> {
  scripted = await startScripted();
  const [root] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(root);
  folder = vscode.Uri.joinPath(root.uri, `proposals-${Date.now()}`);
  await vscode.workspace.fs.createDirectory(folder);
  outside = mkdtempSync(join(tmpdir(), 'k3-outside-'));
  document = await (shown ? open : openHidden)('code.txt', CODE);
  asked = watchModals();
}

export async function endProposals(keeps?: Around['keeps']): Promise<void> {
  asked.restore();
  // Auto save would save the files later, to a deleted folder.
  await saveFiles();
  await closeEditors(keeps);
  await scripted.close();
  await vscode.workspace.fs.delete(folder, { recursive: true });
  removeFolderSync(outside);
}

/** Writes a file that is not open. */
export async function writeClosed(name: string, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(uriOf(name), Buffer.from(text));
  assert.ok(!isOpen(uriOf(name)), `${name} is open`);
}

/** Whether it is open as text, in an editor or without one. */
export const isOpen = (uri: vscode.Uri): boolean =>
  vscode.workspace.textDocuments.some((one) => one.uri.toString() === uri.toString());

/** Writes a file, and opens it without an editor. */
export async function openHidden(name: string, text: string): Promise<vscode.TextDocument> {
  const uri = vscode.Uri.joinPath(folder, name);
  await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
  return vscode.workspace.openTextDocument(uri);
}

/** The same, in an editor. */
export async function open(name: string, text: string): Promise<vscode.TextDocument> {
  const opened = await openHidden(name, text);
  await vscode.window.showTextDocument(opened, { preview: false });
  return opened;
}

export const pathOf = (name: string) => vscode.workspace.asRelativePath(vscode.Uri.joinPath(folder, name));

/** Proposals are made for this document from now on. */
export function use(other: vscode.TextDocument): void {
  document = other;
}

/** Asks about lines 2 to 4 of the code, and returns the proposal of the answer. */
export async function propose(
  answer: string,
  finish = 'stop',
  purpose: Purpose = 'proposal',
): Promise<Proposal | undefined> {
  scripted.will(streamOf([{ answer }, { finish }]));
  const { conversations, proposals } = scripted;
  const origin = { uri: document.uri.toString(), startLine: 1, endLine: 3, text: 'two\nthree\nfour\n' };
  const question = { text: 'Change it.', images: [], origin, purpose };
  const sent = await conversations.ask(conversations.current().id, question);
  assert.ok(sent.ok);
  const turn = await ended(conversations, sent.turnId);
  if (turn.outcome !== 'complete') {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return proposals.ofTurn(turn.id)[0];
  }
  return until(() => proposals.ofTurn(turn.id)[0]);
}

export const edits = (path: string, ...pairs: readonly (readonly [string, string])[]) =>
  JSON.stringify({
    explanation: 'So.',
    files: [{ path, edits: pairs.map(([find, replace]) => ({ find, replace })) }],
  });

export const latest = (proposal: Proposal | undefined): FileProposal => {
  const file = scripted.proposals.get(proposal?.id ?? '')?.files[0];
  assert.ok(file);
  return file;
};

export const states = (proposal: Proposal | undefined) => latest(proposal).hunks.map(({ state }) => state);

export const run = (command: string, proposal: Proposal | undefined, hunkId?: string) =>
  vscode.commands.executeCommand(command, {
    proposalId: proposal?.id,
    uri: latest(proposal).uri,
    ...(hunkId === undefined ? {} : { hunkId }),
  });

/** The next document is not shown, as when another editor is opened meanwhile. Returns what ends that. */
export function missShown(): () => void {
  const { showTextDocument } = vscode.window;
  const restore = () => void Object.assign(vscode.window, { showTextDocument });
  Object.assign(vscode.window, {
    async showTextDocument() {
      restore();
      throw new Error('Could NOT open editor because another editor opened in the meantime.');
    },
  });
  return restore;
}

/**
 * The documents that are to be shown while this runs, by their names in the folder. They get no editor, which would cost more than
 * the rest of the test.
 */
export async function shownBy(act: () => PromiseLike<unknown>): Promise<readonly string[]> {
  const { showTextDocument } = vscode.window;
  const shown: string[] = [];
  Object.assign(vscode.window, {
    async showTextDocument({ uri }: vscode.TextDocument) {
      shown.push(posix.relative(folder.path, uri.path));
    },
  });
  try {
    await act();
  } finally {
    Object.assign(vscode.window, { showTextDocument });
  }
  return shown;
}

export const uriOf = (name: string) => vscode.Uri.joinPath(folder, name);

/**
 * Proposes a change of one line in each of these files.
 *
 * @param write writes one. The editor doesn't see that one which was not open is renamed within a second after it was written
 */
export async function proposeIn(
  names: readonly string[],
  write: (name: string, text: string) => Promise<unknown> = openHidden,
): Promise<Proposal> {
  for (const name of names) await write(name, `text of ${name}\n`);
  const files = names.map((name) => ({
    path: pathOf(name),
    edits: [{ find: `text of ${name}`, replace: `new text of ${name}` }],
  }));
  const proposal = await propose(JSON.stringify({ explanation: '', files }));
  assert.ok(proposal);
  return proposal;
}

export async function comment(name: string, text: string, line = 0): Promise<void> {
  const thread = { uri: uriOf(name), range: new vscode.Range(line, 0, line, 0), dispose: () => undefined };
  await vscode.commands.executeCommand('k3.addRemark', { thread, text });
}

/** Sends the review, and returns the question as the model gets it. */
export async function sentReview(answer = 'Nothing.'): Promise<string> {
  let question = '';
  scripted.will((response, sent) => {
    question = JSON.parse(sent).messages.at(-1).content;
    return streamOf([{ answer }, { finish: 'stop' }])(response, sent);
  });
  await vscode.commands.executeCommand('k3.sendReview');
  const { conversations } = scripted;
  const turn = await until(() => conversations.current().exchanges.at(-1)?.attempts.at(-1));
  await ended(conversations, turn.id);
  return question;
}

/** Of each proposal of a turn, the added lines of its hunks, and what has no place, with the reason. */
export const shownOf = (turnId: string) =>
  scripted.proposals
    .ofTurn(turnId)
    .map(({ files }) =>
      files.map(({ uri, hunks, unplaced }) => [
        uri.split('/').at(-1),
        ...hunks.map(({ hunk, state }) => `${state} ${hunk.after.slice(hunk.lead).trim()}`),
        ...unplaced.map(({ reason }) => reason),
      ]),
    );
