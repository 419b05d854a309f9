import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Proposal } from '../../../src/review/proposals/proposal.ts';
import { eventually } from '../../support/eventually.ts';
import type { Change, LineEnd } from '../../support/review/lines.ts';
import { scenario } from '../../support/review/scenario.ts';
import { type Asked, type Reviewer, runScenario } from '../../support/review/steps.ts';
import { ended, streamOf, until } from '../scripted.ts';
import { aroundProposals, asked, folder, openHidden, pathOf, run, scripted } from './proposing.ts';

/** No further step begins after this time, in milliseconds, if there were enough. */
const ENOUGH_MS = 4000;
const MIN_STEPS = 30;
const MAX_STEPS = 200;
/** The long version: so many steps, however long they take. `SEED` is that of the first scenario. */
const LONG_STEPS = Number(process.env['RUNS'] ?? 0);
const FIRST_SEED = Number(process.env['SEED'] ?? 1);
/** More than a step takes on a busy machine, in milliseconds. */
const STEP_MS = 3000;

let files = 0;

/** A document in the editor. Every other file begins with a byte order mark. */
async function createEditor(start: string | undefined, lineEnd: LineEnd): Promise<Reviewer> {
  files += 1;
  let mark = files % 2 === 0 ? '\ufeff' : '';
  let name = `code${files}.txt`;
  let exists = start !== undefined;
  let document = await openHidden(name, mark + (start ?? ''));
  const ids: string[] = [];
  let lastTurn: string | undefined;

  const uriOf = (other: string) => vscode.Uri.joinPath(folder, other);
  const rangeOf = ({ offset, removed }: Change) =>
    new vscode.Range(document.positionAt(offset), document.positionAt(offset + removed));
  const onDisk = async () => Buffer.from(await vscode.workspace.fs.readFile(document.uri)).toString();

  async function setEnds(end: LineEnd): Promise<void> {
    const eol = end === '\r\n' ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF;
    if (document.eol === eol) return;
    // One step of undo. `TextEditor.edit` makes two: the line ends, and an empty one above.
    const edit = new vscode.WorkspaceEdit();
    edit.set(document.uri, [vscode.TextEdit.setEndOfLine(eol)]);
    assert.ok(await vscode.workspace.applyEdit(edit));
  }

  async function save(): Promise<void> {
    await document.save();
    // A save by the editor itself may still be writing.
    await eventually(async () =>
      assert.equal(await onDisk(), mark + document.getText(), 'the bytes on the disk'),
    );
  }

  async function change(changes: readonly Change[]): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.set(
      document.uri,
      changes.map((one) => vscode.TextEdit.replace(rangeOf(one), one.inserted)),
    );
    assert.ok(await vscode.workspace.applyEdit(edit));
  }

  async function goInHistory(command: 'undo' | 'redo'): Promise<void> {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand(command);
  }

  /** Closes the file. */
  async function close(): Promise<void> {
    await save();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  }

  /** Whether no proposal under review takes the file for deleted. */
  const isKnown = () =>
    scripted.proposals
      .underReview()
      .every(({ file }) => file.uri !== document.uri.toString() || file.missing !== true);

  /** Writes the file, and opens it. */
  async function reopen(text: string): Promise<void> {
    await vscode.workspace.fs.writeFile(document.uri, Buffer.from(mark + text));
    document = await vscode.workspace.openTextDocument(document.uri);
    await vscode.window.showTextDocument(document);
    await until(() => document.getText() === text);
    // A deleted file and its return are known a moment later.
    await until(isKnown);
    exists = true;
  }

  /** Deletes the file in the editor, so that its document is closed as well. */
  async function remove(): Promise<void> {
    await close();
    const edit = new vscode.WorkspaceEdit();
    edit.deleteFile(document.uri);
    assert.ok(await vscode.workspace.applyEdit(edit));
    await until(() => document.isClosed);
    exists = false;
  }

  const isThere = () =>
    vscode.workspace.fs.stat(document.uri).then(
      () => true,
      () => false,
    );

  /** Accepting a new file creates it, without a byte order mark. */
  async function openCreated(): Promise<void> {
    document = await vscode.workspace.openTextDocument(document.uri);
    await until(isKnown);
    mark = '';
    exists = true;
  }

  const shown = () => ids.map((id) => scripted.proposals.get(id)).filter((one) => one !== undefined);

  /** Asks, or asks the last question again. */
  async function ask(asked: Asked | undefined): Promise<string> {
    const { conversations } = scripted;
    const again =
      lastTurn !== undefined && asked === undefined && ids.length % 2 === 1 ? lastTurn : undefined;
    const where = { uri: document.uri.toString(), startLine: asked?.line ?? 0, endLine: asked?.line ?? 0 };
    const origin = asked === undefined ? where : { ...where, text: asked.text };
    const question = { text: 'Change it.', images: [], origin, purpose: 'proposal' as const };
    const sent = await (again === undefined
      ? conversations.ask(conversations.current().id, question)
      : conversations.askAgain(again));
    assert.ok(sent.ok);
    lastTurn = asked === undefined ? sent.turnId : undefined;
    return (await ended(conversations, sent.turnId)).id;
  }

  /** A diff may name another file if its lines are in this one. Lines for an empty file would be those of a new file. */
  function withNames(answer: string): string {
    const path = pathOf(name);
    const named = answer.replace('"path":"code.txt"', `"path":${JSON.stringify(path)}`);
    return document.getText() === ''
      ? named.replace(/^(--- a|\+\+\+ b)\/code\.txt(?=\r?$)/gm, `$1/${path}`)
      : named;
  }

  if (exists) await setEnds(lineEnd);
  else await remove();
  return {
    text: () => (exists ? document.getText() : ''),
    proposals: shown,
    change,
    undo: () => goInHistory('undo'),
    redo: () => goInHistory('redo'),
    changeEnds: () => setEnds(document.eol === vscode.EndOfLine.LF ? '\r\n' : '\n'),
    save,
    async writeOutside(text) {
      await save();
      // At once: the editor would show a file that is emptied first as empty, which is another step of undo.
      const other = `${document.uri.fsPath}.other`;
      writeFileSync(other, mark + text);
      renameSync(other, document.uri.fsPath);
      await until(() => document.getText() === text);
    },
    async revert() {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    },
    async rename() {
      name = `renamed-${name}`;
      const edit = new vscode.WorkspaceEdit();
      edit.renameFile(document.uri, uriOf(name));
      await save();
      assert.ok(await vscode.workspace.applyEdit(edit));
      document = await vscode.workspace.openTextDocument(uriOf(name));
      await until(() =>
        shown().every(
          ({ files: [file] }) => (file?.uri ?? document.uri.toString()) === document.uri.toString(),
        ),
      );
      lastTurn = undefined;
    },
    delete: remove,
    create: async (text) => {
      assert.equal(await isThere(), false, 'it stays deleted');
      await reopen(text);
    },
    async reload(changed) {
      if (!exists) return;
      const text = changed ?? document.getText();
      await close();
      await reopen(text);
    },
    async propose(answer, asked) {
      const named = withNames(answer);
      scripted.will(streamOf([{ answer: named }, { finish: 'stop' }]));
      const turnId = await ask(asked);
      const proposal = await until(() => scripted.proposals.ofTurn(turnId)[0]);
      ids.push(proposal.id);
      return proposal;
    },
    async accept(id, hunkIds) {
      const proposal = scripted.proposals.get(id);
      const [first, ...more] = openHunks(proposal, hunkIds);
      if (first === undefined) return;
      // All of them are one step of undo.
      if (more.length > 0) await run('k3.acceptAll', proposal);
      else await run('k3.acceptHunk', proposal, first);
      if (!exists && (await isThere())) await openCreated();
    },
    async restore(id) {
      asked.answer = 'Replace';
      await run('k3.restoreRejected', scripted.proposals.get(id));
      asked.answer = undefined;
    },
    async reject(id, hunkIds) {
      for (const one of hunkIds) await run('k3.rejectHunk', scripted.proposals.get(id), one);
    },
  };
}

const openHunks = (proposal: Proposal | undefined, ids: ReadonlySet<string>): readonly string[] =>
  (proposal?.files[0]?.hunks ?? [])
    .filter(({ hunk, state }) => state === 'open' && ids.has(hunk.id))
    .map(({ hunk }) => hunk.id);

describe('A document under review in the editor', () => {
  aroundProposals();

  it('equals a simple model, byte for byte, whatever is typed, undone, proposed, accepted, and rejected', async function () {
    this.timeout(180_000 + LONG_STEPS * STEP_MS);
    const end = Date.now() + ENOUGH_MS;
    let steps = 0;
    const isEnough = () =>
      LONG_STEPS > 0 ? steps >= LONG_STEPS : (Date.now() > end && steps >= MIN_STEPS) || steps >= MAX_STEPS;
    let seed = FIRST_SEED;
    for (; !isEnough(); seed++) {
      const [one] = fc.sample(scenario, { seed, numRuns: 1 });
      assert.ok(one);
      const done = await runScenario(one, createEditor, isEnough).catch((error: unknown) => {
        throw new Error(`seed ${seed}: ${error instanceof Error ? error.stack : String(error)}`);
      });
      steps += done;
    }
    // The report shows how much was done in the time.
    if (this.test !== undefined) this.test.title += ` (${steps} steps, seeds ${FIRST_SEED} to ${seed - 1})`;
  });
});
