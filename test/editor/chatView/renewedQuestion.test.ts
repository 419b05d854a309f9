import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { toCodePrompt } from '../../../src/chat/codePrompts.ts';
import type { Question } from '../../../src/chat/turn.ts';
import { createCardActions } from '../../../src/editor/chatView/cardActions.ts';
import { renewQuestion } from '../../../src/editor/chatView/renewedQuestion.ts';
import { linesOfDocument } from '../../../src/editor/workspace/selectedCode.ts';
import { watchModals } from '../modals.ts';
import { ended, type Scripted, startScripted, streamOf, until } from '../scripted.ts';

const nothing = async () => undefined;

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
    await vscode.window.showTextDocument(document);
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
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
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

  /** Asks, and returns the ID of the turn when its proposal is there. */
  async function ask(answer: string): Promise<string> {
    const { conversations, proposals } = scripted;
    willAnswer(answer);
    const asked = await conversations.ask(conversations.current().id, question);
    assert.ok(asked.ok);
    await ended(conversations, asked.turnId);
    await until(() => proposals.ofTurn(asked.turnId)[0]);
    return asked.turnId;
  }

  async function regenerate(turnId: string, answer: string): Promise<string> {
    const { conversations, proposals } = scripted;
    const actions = createCardActions({
      conversations,
      proposals,
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

  it('has the code that was accepted, even if no line of it is left', async () => {
    const first = await ask('```\n2\n3\n4\n```');
    const [proposal] = scripted.proposals.ofTurn(first);
    await vscode.commands.executeCommand('k3.acceptAll', { proposalId: proposal?.id });
    await regenerate(first, 'Nothing.');
    assert.match(bodies[1] ?? '', /```plaintext\n2\n3\n4\n```/);
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
    } finally {
      asked.restore();
    }
  });

  it('keeps the code that the user has written into the question', async () => {
    await type(2, 'new\n');
    const edited = { ...question, text: question.text.replace('three', 'mine') };
    assert.equal(await renewQuestion(edited, [], scripted.proposals), edited);
  });
});
