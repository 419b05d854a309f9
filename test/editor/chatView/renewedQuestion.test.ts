import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { toCodePrompt } from '../../../src/conversation/prompts/codePrompts.ts';
import type { Question } from '../../../src/conversation/question.ts';
import { createCardActions } from '../../../src/editor/chatView/cardActions.ts';
import { renewAsked, renewQuestion } from '../../../src/editor/chatView/renewedQuestion.ts';
import { linesAround } from '../../../src/editor/code/codeQuestions.ts';
import { linesOfDocument } from '../../../src/editor/workspace/selectedCode.ts';
import { NOT_WAITING } from '../../support/notWaiting.ts';
import { closeEditors } from '../editors.ts';
import { watchModals } from '../modals.ts';
import { ended, type Scripted, startScripted, streamOf, until } from '../scripted.ts';

const nothing = async () => undefined;

/** Renames the file of a document, and opens it again. */
async function withNewName({ uri }: vscode.TextDocument): Promise<vscode.TextDocument> {
  const renamed = vscode.Uri.joinPath(uri, '..', `now-${Date.now()}.txt`);
  const renaming = new vscode.WorkspaceEdit();
  renaming.renameFile(uri, renamed);
  await vscode.workspace.applyEdit(renaming);
  return vscode.workspace.openTextDocument(renamed);
}

describe('A Refactor that is asked again', () => {
  let scripted: Scripted;
  let document: vscode.TextDocument;
  let question: Question;
  let bodies: string[];

  beforeEach(async () => {
    scripted = await startScripted();
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    const uri = vscode.Uri.joinPath(root.uri, `renewed-${Date.now()}.txt`);
    await vscode.workspace.fs.writeFile(uri, Buffer.from('one\ntwo\nthree\nfour\nfive\n'));
    document = await vscode.workspace.openTextDocument(uri);
    const code = linesOfDocument(document, 1, 3);
    const { startLine, endLine, text } = code;
    question = {
      text: toCodePrompt({ task: 'refactor', code, instruction: '', diagnostics: [], around: [] }),
      images: [],
      origin: { uri: document.uri.toString(), startLine, endLine, text },
      purpose: 'proposal',
    };
    bodies = [];
  });

  afterEach(async () => {
    // Auto save would create the deleted file again.
    await document.save();
    await closeEditors();
    await scripted.close();
    await vscode.workspace.fs.delete(document.uri);
  });

  function willAnswer(answer: string): void {
    scripted.will((response, body) => {
      bodies.push(JSON.parse(body).messages.at(-1).content);
      return streamOf([{ answer }, { finish: 'stop' }])(response, body);
    });
  }

  async function type(line: number, text: string): Promise<void> {
    const typing = new vscode.WorkspaceEdit();
    typing.insert(document.uri, new vscode.Position(line, 0), text);
    await vscode.workspace.applyEdit(typing);
  }

  /** Asks, and returns the ID of the turn when it has ended and its proposal, if it has one, is there. */
  async function ask(answer: string, hasProposal = true): Promise<string> {
    const { conversations, proposals } = scripted;
    willAnswer(answer);
    const asked = await conversations.ask(conversations.current().id, question);
    assert.ok(asked.ok);
    await ended(conversations, asked.turnId);
    if (hasProposal) await until(() => proposals.ofTurn(asked.turnId)[0]);
    return asked.turnId;
  }

  async function regenerate(turnId: string, answer: string): Promise<string> {
    const { conversations, proposals, renames, routes } = scripted;
    const actions = createCardActions({
      waiting: NOT_WAITING,
      log: { warn: assert.fail },
      conversations,
      routes,
      proposals,
      renames,
      composers: { compose: () => undefined },
      images: { shrink: async (images) => images },
      structured: { perform: nothing },
    });
    willAnswer(answer);
    await actions.again(turnId);
    actions.dispose();
    const turn = await until(() => conversations.find(turnId)?.exchange.attempts[1]);
    await ended(conversations, turn.id);
    return turn.id;
  }

  it('has the code as it is now, and its answer is placed there', async () => {
    const first = await ask('```\ntwo\n3\nfour\n```');
    await type(2, 'new\n');
    await type(0, 'zero\n');
    const second = await regenerate(first, '```\nall of it\n```');
    assert.match(bodies[1] ?? '', /lines 3–6 .*\n\n```plaintext\ntwo\nnew\nthree\nfour\n```/);
    assert.doesNotMatch(bodies[1] ?? '', /two\nthree/);
    const proposal = await until(() => scripted.proposals.ofTurn(second)[0]);
    await vscode.commands.executeCommand('k3.acceptAll', { proposalId: proposal.id });
    assert.equal(document.getText(), 'zero\none\nall of it\nfive\n');
    const exchange = scripted.conversations.find(second)?.exchange;
    assert.equal(exchange?.question.text, question.text);
  });

  it('has the lines of its file under the name that it has now, and its answer is placed there', async () => {
    await vscode.window.showTextDocument(document);
    const first = await ask('No code.', false);
    document = await withNewName(document);
    await type(2, 'new\n');
    const found = scripted.conversations.find(first);
    assert.ok(found);
    const edited = await renewAsked(found, scripted, { ...question, text: `Be careful. ${question.text}` });
    assert.match(
      edited.text,
      /^Be careful\. .*[\s\S]*now-\d+\.txt, lines 2–5 [\s\S]*two\nnew\nthree\nfour\n```$/,
    );
    assert.equal(edited.origin?.uri, document.uri.toString());
    const second = await regenerate(first, '```\nall of it\n```');
    assert.match(bodies[1] ?? '', /now-\d+\.txt, lines 2–5 .*\n\n```plaintext\ntwo\nnew\nthree\nfour\n```/);
    const proposal = await until(() => scripted.proposals.ofTurn(second)[0]);
    assert.deepEqual(
      proposal.files.map(({ uri }) => uri),
      [document.uri.toString()],
    );
    await vscode.commands.executeCommand('k3.acceptAll', { proposalId: proposal.id });
    assert.equal(document.getText(), 'one\nall of it\nfive\n');
  });

  it('has the code that was accepted, even if no line of it is left', async () => {
    const first = await ask('```\n2\n3\n4\n```');
    const [proposal] = scripted.proposals.ofTurn(first);
    await vscode.commands.executeCommand('k3.acceptAll', { proposalId: proposal?.id });
    await regenerate(first, 'Nothing.');
    assert.match(bodies[1] ?? '', /```plaintext\n2\n3\n4\n```/);
  });

  it('has its own line, which was changed, and not an equal one, although no proposal has followed it', async () => {
    const all = new vscode.WorkspaceEdit();
    all.replace(document.uri, new vscode.Range(0, 0, 5, 0), 'one\nsame\ntwo\nsame\nthree\n');
    await vscode.workspace.applyEdit(all);
    const code = linesOfDocument(document, 1, 1);
    const around = linesAround(code);
    const { startLine, endLine, text } = code;
    question = {
      ...question,
      text: toCodePrompt({ task: 'refactor', code, instruction: '', diagnostics: [], around }),
      origin: { uri: document.uri.toString(), startLine, endLine, text },
    };
    const first = await ask('No code.', false);
    await type(1, 'not the ');
    await type(0, 'zero\n');
    const second = await regenerate(first, '```\nmine\n```');
    assert.match(bodies[1] ?? '', /The code, .*, line 3 .*\n\n```plaintext\nnot the same\n```$/);
    const proposal = await until(() => scripted.proposals.ofTurn(second)[0]);
    await vscode.commands.executeCommand('k3.acceptAll', { proposalId: proposal.id });
    assert.equal(document.getText(), 'zero\none\nmine\ntwo\nsame\nthree\n');
  });

  it('has the code as it is now after the user has edited the instruction', async () => {
    await type(2, 'new\n');
    const edited = { ...question, text: `Be careful. ${question.text}` };
    const renewed = await renewQuestion(edited, [], scripted.proposals);
    assert.match(renewed.text, /^Be careful\. Refactor[\s\S]*two\nnew\nthree\nfour\n```$/);
    assert.equal(renewed.origin?.text, 'two\nnew\nthree\nfour\n');
  });

  it('has no keys that were typed since, unless the user allows them', async () => {
    await type(2, `key = "${['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')}"\n`);
    const asked = watchModals();
    try {
      assert.equal(await renewQuestion(question, [], scripted.proposals), question);
      assert.match(asked.details[0] ?? '', /looks like a key or password/);
      asked.answer = 'Allow Once';
      const renewed = await renewQuestion(question, [], scripted.proposals);
      assert.match(renewed.text, /ghp_/);
      await renewQuestion(renewed, [], scripted.proposals);
      assert.equal(asked.details.length, 2, 'what was sent may be sent again');
      await type(2, `other = "${['ghp', 'UcnZwJUVFk6LO0pINUxwWPw5k4aXcaT4fNP0'].join('_')}"\n`);
      await renewQuestion(renewed, [], scripted.proposals);
      assert.equal(asked.details.length, 3, 'another key was not sent before');
    } finally {
      asked.restore();
    }
  });

  it('has no lines that were typed since in a file for secrets, also where it is shown, unless the user allows them', async () => {
    const uri = vscode.Uri.joinPath(document.uri, '..', `of-${Date.now()}.env`);
    await vscode.workspace.fs.copy(document.uri, uri);
    await vscode.window.showTextDocument(uri);
    const typing = new vscode.WorkspaceEdit();
    typing.insert(uri, new vscode.Position(2, 0), 'PASSWORD=hunter2\n');
    await vscode.workspace.applyEdit(typing);
    const asked = watchModals();
    try {
      const { origin } = question;
      const about = { ...question, ...(origin && { origin: { ...origin, uri: uri.toString() } }) };
      assert.equal(await renewQuestion(about, [], scripted.proposals), about);
      assert.match(asked.details.join(), /Files with this name often contain keys or passwords/);
      asked.answer = 'Allow Once';
      assert.match((await renewQuestion(about, [], scripted.proposals)).text, /hunter2/);
      assert.equal(asked.details.length, 2);
      await vscode.workspace.save(uri);
      await closeEditors();
      await renewQuestion(about, [], scripted.proposals);
      assert.equal(asked.details.length, 3, 'once about a file that no editor shows');
    } finally {
      asked.restore();
      await closeEditors();
      await vscode.workspace.fs.delete(uri);
    }
  });

  it('keeps the code that the user has written into the question', async () => {
    await type(2, 'new\n');
    const edited = { ...question, text: question.text.replace('three', 'mine') };
    assert.equal(await renewQuestion(edited, [], scripted.proposals), edited);
  });
});

describe('A review that is asked again', () => {
  let scripted: Scripted;
  let document: vscode.TextDocument;

  beforeEach(async () => {
    scripted = await startScripted();
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    const uri = vscode.Uri.joinPath(root.uri, `reviewed-${Date.now()}.txt`);
    const lines = Array.from({ length: 60 }, (_, index) => `number ${index + 1}\n`);
    await vscode.workspace.fs.writeFile(uri, Buffer.from(lines.join('')));
    document = await vscode.workspace.openTextDocument(uri);
  });
  afterEach(async () => {
    await document.save();
    await closeEditors();
    await scripted.close();
    await vscode.workspace.fs.delete(document.uri);
  });

  async function type(line: number, text: string): Promise<void> {
    const typing = new vscode.WorkspaceEdit();
    typing.insert(document.uri, new vscode.Position(line, 0), text);
    await vscode.workspace.applyEdit(typing);
  }

  const newest = () => scripted.conversations.current().exchanges.at(-1);

  /** The question of a command, and the ID of its turn. */
  async function asked(command: string, finding?: object) {
    const answer = JSON.stringify({ summary: 'Seen.', findings: finding === undefined ? [] : [finding] });
    const before = newest()?.id;
    scripted.will(streamOf([{ answer }, { finish: 'stop' }]));
    await vscode.commands.executeCommand(command, ...(command === 'k3.reviewFile' ? [document.uri] : []));
    const exchange = await until(() => {
      const found = newest();
      return found?.id === before || found?.attempts.length === 0 ? undefined : found;
    });
    const turnId = exchange.attempts.at(-1)?.id ?? '';
    await ended(scripted.conversations, turnId);
    return { question: exchange.question, turnId };
  }

  it('has the complete file as it is now, or the selected lines', async () => {
    const { question } = await asked('k3.reviewFile');
    await type(0, 'new\n');
    const file = await renewQuestion(question, [], scripted.proposals);
    assert.match(file.text, /lines 1 to 61 of 61\)\n\n```plaintext\n 1 \| new\n 2 \| number 1\n/);
    assert.deepEqual([file.origin?.startLine, file.origin?.endLine], [0, 60]);
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(3, 0, 6, 0);
    const selection = await asked('k3.reviewSelection');
    await type(0, 'newer\n');
    const lines = await renewQuestion(selection.question, [], scripted.proposals);
    assert.match(
      lines.text,
      /lines 5 to 7 of 62\)\n\n```plaintext\n5 \| number 3\n6 \| number 4\n7 \| number 5\n/,
    );
    assert.deepEqual([lines.origin?.startLine, lines.origin?.endLine], [4, 6]);
  });

  it('is about the file under the name that it has now', async () => {
    await vscode.window.showTextDocument(document);
    const { turnId } = await asked('k3.reviewFile');
    document = await withNewName(document);
    await type(0, 'new\n');
    const found = scripted.conversations.find(turnId);
    assert.ok(found);
    const { text, origin } = await renewAsked(found, scripted);
    assert.match(text, /^Review now-\d+\.txt as /);
    assert.match(
      text,
      /## File: now-\d+\.txt \(plaintext, lines 1 to 61 of 61\)\n\n```plaintext\n 1 \| new\n/,
    );
    assert.deepEqual(origin, { uri: document.uri.toString(), startLine: 0, endLine: 60 });
  });

  it('asks about a key that was typed since, also when a finding is discussed', async () => {
    const finding = {
      file: vscode.workspace.asRelativePath(document.uri),
      startLine: 30,
      endLine: 30,
      severity: 'error',
      claim: 'Wrong.',
      evidence: 'number 30',
      edit: null,
    };
    const { question, turnId } = await asked('k3.reviewFile', finding);
    await until(() => scripted.findings.placementsOf(turnId));
    const [one] = scripted.findings.list();
    const exchanges = () => scripted.conversations.current().exchanges.length;
    const dialogs = watchModals();
    const { showInputBox } = vscode.window;
    Object.assign(vscode.window, { showInputBox: async () => 'Why?' });
    try {
      scripted.will(streamOf([{ answer: 'So.' }, { finish: 'stop' }]));
      await vscode.commands.executeCommand('k3.discussFinding', one?.id);
      const discussion = await until(() => (exchanges() === 2 ? newest() : undefined));
      await until(() => discussion.attempts[0]);
      await type(25, `key = "${['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')}"\n`);
      await vscode.commands.executeCommand('k3.discussFinding', one?.id);
      assert.match(dialogs.details[0] ?? '', /looks like a key or password/);
      assert.equal(exchanges(), 2, 'nothing was sent');
      for (const again of [question, discussion.question])
        assert.equal(await renewQuestion(again, [], scripted.proposals), again);
      assert.equal(dialogs.details.length, 3);
      dialogs.answer = 'Allow Once';
      const renewed = await renewQuestion(discussion.question, [], scripted.proposals);
      assert.match(renewed.text, /^Why\?[\s\S]*26 \| key = "ghp_/);
      assert.deepEqual([renewed.origin?.startLine, renewed.origin?.endLine], [30, 30]);
    } finally {
      dialogs.restore();
      Object.assign(vscode.window, { showInputBox });
    }
  });
});
