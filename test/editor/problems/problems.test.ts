import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { MAX_ROUNDS } from '../../../src/conversation/toolCalls/planCalls.ts';
import { conversationUri } from '../../../src/editor/conversations/conversationDocument.ts';
import { findCodeAction, findCodeLens, runCommand } from '../actions.ts';
import { ended, type Scripted, startScripted, streamOf, until } from '../scripted.ts';

const CUT = streamOf([{ reasoning: 'Thinking.' }, { answer: 'Half an ans' }, { finish: 'length' }]);
const WHOLE = streamOf([{ reasoning: 'Thinking.' }, { answer: 'An answer.' }, { finish: 'stop' }]);
const SILENT_ABOUT_USAGE = streamOf([{ answer: 'An answer.' }, { finish: 'stop' }], null);

describe('Problems of a conversation', () => {
  let scripted: Scripted;
  beforeEach(async () => {
    scripted = await startScripted();
  });
  afterEach(async () => {
    await scripted.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const uri = () => conversationUri(scripted.conversations.current());
  const problems = () => vscode.languages.getDiagnostics(uri());
  const codes = () => problems().map(({ code }) => code);

  async function fixes(): Promise<vscode.CodeAction[]> {
    const document = await vscode.workspace.openTextDocument(uri());
    const all = new vscode.Range(0, 0, document.lineCount, 0);
    return vscode.commands.executeCommand(
      'vscode.executeCodeActionProvider',
      document.uri,
      all,
      // The Markdown actions of the editor have other kinds.
      vscode.CodeActionKind.QuickFix.value,
    );
  }

  async function fix(title: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri());
    await runCommand(await findCodeAction(uri(), new vscode.Range(0, 0, document.lineCount, 0), title));
  }

  it('are at the turn, with source, code, severity, and the range that was asked about', async () => {
    scripted.will(WHOLE, CUT);
    await scripted.ask('One?');
    await scripted.ask('Two?', { uri: 'file:///tmp/a.ts', startLine: 3, endLine: 5 });
    const [problem, ...more] = problems();
    assert.ok(problem);
    assert.equal(more.length, 0);
    assert.equal(problem.source, 'K3');
    assert.equal(problem.code, 'truncated');
    assert.equal(problem.severity, vscode.DiagnosticSeverity.Warning);
    assert.match(problem.message, /cut off\. .*kept/);
    const [place] = problem.relatedInformation ?? [];
    assert.equal(place?.location.uri.path, '/tmp/a.ts');
    assert.equal(place?.location.range.start.line, 3);
    const document = await vscode.workspace.openTextDocument(uri());
    assert.match(document.lineAt(problem.range.start.line).text, /^## svc-k3: Cut off/);
    assert.ok(problem.range.start.line > document.lineCount / 2);
  });

  it('name the lines of the attempt that is shown', async () => {
    scripted.will(WHOLE, CUT);
    await scripted.ask('Two?', { uri: 'file:///tmp/a.ts', startLine: 3, endLine: 5 });
    const { conversations } = scripted;
    const { exchanges } = conversations.current();
    const origin = { uri: 'file:///tmp/a.ts', startLine: 53, endLine: 55 };
    const sent = await conversations.askAgain(exchanges[0]?.attempts[0]?.id ?? '', { origin });
    assert.ok(sent.ok);
    await ended(conversations, sent.turnId);
    const [problem] = await until(() => (problems().length > 0 ? problems() : undefined));
    assert.equal(problem?.relatedInformation?.[0]?.location.range.start.line, 53);
  });

  const LOOKING = {
    index: 0,
    id: 'a',
    type: 'function',
    function: { name: 'get_diagnostics', arguments: '{}' },
  };

  it('report tool calls that were not run, and offer to ask again', async () => {
    scripted.will(streamOf([{ answer: 'I look.' }, { calls: [LOOKING] }, { finish: 'stop' }]), WHOLE);
    const turn = await scripted.ask('One?');
    assert.equal(turn.rounds.length, 0);
    assert.deepEqual(codes(), ['calls-not-run']);
    assert.match(problems()[0]?.message ?? '', /^Tool calls were not run\. .*“stop”.*“tool_calls”/);
    await fix('Retry');
    await until(() => problems().length === 0);
  });

  it('report that no tool call came, although the answer ended with one', async () => {
    scripted.will(streamOf([{ answer: 'I look.' }, { finish: 'tool_calls' }]));
    await scripted.ask('One?');
    assert.deepEqual(codes(), ['calls-not-run']);
    assert.match(problems()[0]?.message ?? '', /“tool_calls”, but the response has no tool call/);
  });

  it('report the maximum number of rounds until Continue goes on from there', async () => {
    const looking = streamOf([{ calls: [LOOKING] }, { finish: 'tool_calls' }]);
    scripted.will(...Array.from({ length: MAX_ROUNDS + 1 }, () => looking), CUT);
    await scripted.ask('One?');
    assert.deepEqual(codes(), ['rounds-spent']);
    await fix('Continue');
    const next = await until(() => scripted.conversations.current().exchanges[1]?.attempts[0]);
    await ended(scripted.conversations, next.id);
    assert.deepEqual(codes(), ['truncated'], 'the end of what went on');
  });

  it('have quick fixes, and disappear after a retry with a larger budget', async () => {
    scripted.will(CUT, WHOLE);
    await scripted.ask('One?');
    const titles = (await fixes()).map(({ title }) => title);
    assert.deepEqual(titles, ['Continue', 'Retry with a larger budget', 'Dismiss', 'Go to turn in chat']);
    await fix('Retry with a larger budget');
    await until(() => codes().length === 0);
    const exchange = await until(() => scripted.conversations.current().exchanges[0]);
    assert.equal(exchange.attempts.length, 2);
    await ended(scripted.conversations, exchange.attempts[1]?.id ?? '');
    assert.deepEqual(codes(), []);
  });

  it('belong to the shown attempt', async () => {
    scripted.will(CUT, WHOLE);
    const cut = await scripted.ask('One?');
    const asked = await scripted.conversations.askAgain(cut.id);
    assert.ok(asked.ok);
    await ended(scripted.conversations, asked.turnId);
    assert.deepEqual(codes(), []);
    const { id, exchanges } = scripted.conversations.current();
    scripted.conversations.showAttempt(id, exchanges[0]?.id ?? '', 0);
    assert.deepEqual(codes(), ['truncated']);
  });

  it('disappear when they are dismissed, and count as seen', async () => {
    scripted.will(SILENT_ABOUT_USAGE);
    const turn = await scripted.ask('One?');
    assert.deepEqual(codes(), ['usage-missing']);
    await fix('Dismiss');
    assert.deepEqual(codes(), []);
    assert.ok(scripted.conversations.isSeen(turn.id));
  });

  it('disappear when their conversation is deleted', async () => {
    scripted.will(CUT);
    await scripted.ask('One?');
    const deleted = uri();
    scripted.conversations.delete(scripted.conversations.current().id);
    assert.deepEqual(vscode.languages.getDiagnostics(deleted), []);
  });

  it('move with their conversation when it is renamed', async () => {
    scripted.will(CUT);
    await scripted.ask('One?');
    const before = uri();
    scripted.conversations.rename(scripted.conversations.current().id, 'Another name');
    assert.deepEqual(vscode.languages.getDiagnostics(before), []);
    assert.deepEqual(codes(), ['truncated']);
    assert.equal(uri().path, '/Another name.md');
  });

  it('report a refused API key, and offer to set one', async () => {
    scripted.will((response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"Invalid Authentication","type":"invalid_authentication_error"}}');
    });
    await scripted.ask('One?');
    assert.deepEqual(codes(), ['failed']);
    assert.equal(problems()[0]?.severity, vscode.DiagnosticSeverity.Error);
    assert.ok((await fixes()).some(({ title }) => title === 'Set API Key…'));
  });

  it('report a failed request no longer when its route has answered a later one', async () => {
    scripted.will((response) => void response.writeHead(401).end('{}'), WHOLE);
    await scripted.ask('One?');
    assert.deepEqual(codes(), ['failed']);
    await scripted.ask('Two?');
    await until(() => codes().length === 0);
  });

  it('have CodeLenses in the document, where the editor shows no light bulb', async () => {
    scripted.will(CUT);
    await scripted.ask('One?');
    const document = await vscode.workspace.openTextDocument(uri());
    await findCodeLens(document.uri, 'Continue');
  });
});

describe('The document of a conversation', () => {
  let scripted: Scripted;
  beforeEach(async () => {
    scripted = await startScripted();
  });
  afterEach(() => scripted.close());

  it('has questions and answers, and updates when a turn ends', async () => {
    scripted.will(WHOLE, streamOf([{ answer: 'Another answer.' }, { finish: 'stop' }]));
    await scripted.ask('One?');
    const document = await vscode.workspace.openTextDocument(
      conversationUri(scripted.conversations.current()),
    );
    assert.equal(document.languageId, 'markdown');
    assert.match(document.getText(), /One\?[\s\S]*svc-k3: Complete[\s\S]*An answer\.[\s\S]*2,500 tokens/);
    await scripted.ask('Two?');
    await until(() => document.getText().includes('Another answer.'));
  });
});
