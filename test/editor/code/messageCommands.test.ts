/** Commands that a message names with `/`, with the words behind the name. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { renewQuestion } from '../../../src/editor/chatView/renewedQuestion.ts';
import {
  aroundProposals,
  asked,
  comment,
  document,
  edits,
  open,
  openHidden,
  pathOf,
  run as runOnHunks,
  scripted,
  sentReview,
} from '../proposals/proposing.ts';
import { ended, streamOf, until } from '../scripted.ts';

const WORDS = 'Why is it slow?';
const { showInputBox } = vscode.window;

const run = (command: string, words = WORDS) => vscode.commands.executeCommand<unknown>(command, { words });

describe('A command that a message names', () => {
  aroundProposals();
  afterEach(() => void Object.assign(vscode.window, { showInputBox }));

  const lastQuestion = (): string => JSON.parse(scripted.requests.at(-1)?.body ?? '').messages.at(-1).content;
  const lastAsked = () => scripted.conversations.current().exchanges.at(-1)?.question.asked;

  const commands = [
    ['Explain', 'k3.explain', 'Explain what this code does, and what is not obvious about it.'],
    ['Refactor', 'k3.refactor', 'Refactor this code without changing what it does.'],
    ['Fix', 'k3.fix', 'Fix this code.'],
    ['Document', 'k3.document', 'Document this code with comments in the style of its language.'],
    [
      'Write Tests',
      'k3.test',
      'Write tests for this code, in the style of the project, in a file of their own.',
    ],
    ['Review Selection', 'k3.reviewSelection', 'as a careful senior engineer would.'],
    ['Review File', 'k3.reviewFile', 'as a careful senior engineer would.'],
  ] as const;

  it('is about the code, and has the words', async () => {
    await vscode.window.showTextDocument(document);
    Object.assign(vscode.window, { showInputBox: () => assert.fail('nothing is asked') });
    for (const [index, [title, command, opening]] of commands.entries()) {
      scripted.conversations.create();
      scripted.will(streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]));
      assert.equal(await run(command), true, title);
      await until(() => scripted.requests[index]);
      assert.match(lastQuestion(), /two/, `the code: ${title}`);
      const [first = ''] = lastQuestion().split('\n\n');
      assert.ok(first.includes(opening) && first.endsWith(` ${WORDS}`), first);
      assert.equal(lastAsked(), `${title} · ${WORDS}`);
      const turn = await until(() => scripted.conversations.current().exchanges[0]?.attempts[0]);
      await ended(scripted.conversations, turn.id);
    }
  });

  it('sends the lines of a file with CRLF as those of other files, and its change keeps the CRLF', async () => {
    const crlf = await openHidden('crlf.txt', 'one\r\ntwo\r\nthree\r\nfour\r\n');
    const editor = await vscode.window.showTextDocument(crlf);
    editor.selection = new vscode.Selection(1, 0, 3, 0);
    const commands = ['explain', 'fix', 'document', 'test', 'reviewSelection', 'reviewFile'];
    for (const [at, command] of commands.entries()) {
      scripted.will(streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]));
      assert.equal(await run(`k3.${command}`), true);
      const turn = await until(() => scripted.conversations.current().exchanges[at]?.attempts[0]);
      await ended(scripted.conversations, turn.id);
    }
    scripted.will(
      streamOf([
        { answer: edits(pathOf('crlf.txt'), ['two\nthree', 'TWO\nand\nthree']) },
        { finish: 'stop' },
      ]),
    );
    assert.equal(await run('k3.refactor'), true);
    const found = await until(() => scripted.proposals.ofFile(crlf.uri.toString())[0]);
    assert.equal(scripted.requests.length, commands.length + 1);
    for (const { body } of scripted.requests) assert.doesNotMatch(body, /\\r/);
    assert.match(lastQuestion(), /```plaintext\ntwo\nthree\n```$/);
    await runOnHunks('k3.acceptAll', found.proposal);
    assert.equal(crlf.getText(), 'one\r\nTWO\r\nand\r\nthree\r\nfour\r\n');
    // A question that is asked again finds its lines, and a review that is sent has them.
    const exchange = scripted.conversations.current().exchanges[0];
    assert.ok(exchange);
    const again = await renewQuestion(exchange.question, exchange.attempts, scripted.proposals);
    assert.match(again.text, /lines 3–4 \(plaintext\):\n\n```plaintext\nand\nthree\n```$/);
    await comment('crlf.txt', 'Say why.');
    assert.doesNotMatch(await sentReview(), /\r/);
  });

  it('is about all parts that are selected, each with its lines, also when it is asked again', async () => {
    const text = Array.from({ length: 9 }, (_, at) => `line ${at}\n`).join('');
    const several = await openHidden('several.txt', text);
    const editor = await vscode.window.showTextDocument(several);
    const parts = [6, 0, 8, 0, 1, 0, 2, 0, 4, 1, 4, 2, 1, 2, 1, 3, 3, 0, 3, 0] as const;
    editor.selections = [0, 4, 8, 12, 16].map((at) => {
      const [line = 0, character = 0, endLine = 0, end = 0] = parts.slice(at, at + 4);
      return new vscode.Selection(line, character, endLine, end);
    });
    scripted.will(streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]));
    assert.equal(await run('k3.explain'), true);
    const turn = await until(() => scripted.conversations.current().exchanges[0]?.attempts[0]);
    await ended(scripted.conversations, turn.id);
    const section = (lines: string, ...at: readonly number[]) =>
      `The code, ${pathOf('several.txt')}, ${lines} (plaintext):\n\n\`\`\`plaintext\n${at.map((one) => `line ${one}\n`).join('')}\`\`\``;
    const sections = [section('line 2', 1), section('line 5', 4), section('lines 7–8', 6, 7)];
    assert.ok(lastQuestion().endsWith(sections.join('\n\n')), lastQuestion());
    await editor.edit((edit) => edit.insert(new vscode.Position(2, 0), 'new\n'));
    const exchange = scripted.conversations.current().exchanges[0];
    assert.ok(exchange);
    const again = await renewQuestion(exchange.question, exchange.attempts, scripted.proposals);
    const now = [section('line 2', 1), section('line 6', 4), section('lines 8–9', 6, 7)];
    assert.ok(again.text.endsWith(now.join('\n\n')), again.text);
    assert.deepEqual(
      [again.origin, ...(again.more ?? [])].map((one) => [one?.startLine, one?.endLine]),
      [
        [1, 1],
        [5, 5],
        [7, 8],
      ],
    );
  });

  it('has changes in all parts that are selected, and none that may belong to another part', async () => {
    const several = await openHidden('several.txt', 'a = 1;\nb = 2;\nc = 3;\n');
    const editor = await vscode.window.showTextDocument(several);
    editor.selections = [new vscode.Selection(0, 0, 0, 3), new vscode.Selection(2, 0, 2, 3)];
    const answers = [
      edits(pathOf('several.txt'), ['a = 1;', 'a = 4;'], ['c = 3;', 'c = 5;']),
      '```\na = 4;\nc = 5;\n```',
      `\`\`\`txt ${pathOf('several.txt')}\na = 4;\nc = 5;\n\`\`\``,
    ];
    const made: unknown[] = [];
    for (const [at, answer] of answers.entries()) {
      scripted.will(streamOf([{ answer }, { finish: 'stop' }]));
      assert.equal(await run('k3.refactor'), true);
      const turn = await until(() => scripted.conversations.current().exchanges[at]?.attempts[0]);
      await ended(scripted.conversations, turn.id);
      const proposal = await until(() => scripted.proposals.ofTurn(turn.id)[0]);
      made.push([
        proposal.trouble?.kind,
        proposal.files.map(({ hunks, unplaced }) => [hunks.length, ...unplaced.map(({ reason }) => reason)]),
      ]);
      if (at === 0) await runOnHunks('k3.rejectAll', proposal);
    }
    assert.match(lastQuestion(), /If you cannot, answer with one fenced diff, headed by the path\./);
    assert.deepEqual(made, [
      [undefined, [[2]]],
      ['unnamed-blocks', []],
      [undefined, [[0, 'file-exists']]],
    ]);
  });

  it('is a review of each part that is selected, whose cost is shown first', async () => {
    const several = await openHidden('several.txt', 'a = 1;\nb = 2;\nc = 3;\n');
    const editor = await vscode.window.showTextDocument(several);
    editor.selections = [new vscode.Selection(2, 0, 2, 3), new vscode.Selection(0, 0, 0, 3)];
    assert.equal(await run('k3.reviewSelection', ''), '');
    assert.match(asked.titles.join('\n'), /^Review 1 file in 2 requests\?$/);
    assert.equal(scripted.requests.length, 0);
    asked.answer = 'Review';
    const answer = streamOf([{ answer: '{"summary": "", "findings": []}' }, { finish: 'stop' }]);
    scripted.will(answer, answer);
    assert.equal(await run('k3.reviewSelection', ''), true);
    await until(() => scripted.requests[1]);
    const [first, second] = scripted.requests.map(({ body }) => JSON.parse(body).messages.at(-1).content);
    assert.match(first, /1\b.*a = 1;/);
    assert.match(second, /3\b.*c = 3;/);
    for (const one of [first, second]) assert.doesNotMatch(one, /b = 2/);
    const turn = await until(() => scripted.conversations.current().exchanges[1]?.attempts[0]);
    await ended(scripted.conversations, turn.id);
  });

  it('asks for what is missing when there are no words', async () => {
    await vscode.window.showTextDocument(document);
    let prompted = 0;
    Object.assign(vscode.window, { showInputBox: async () => void prompted++ });
    assert.equal(await run('k3.refactor', ''), '', 'the user has canceled it');
    assert.deepEqual([prompted, scripted.requests.length], [1, 0]);
  });

  it('asks for words with those that were typed before and not sent', async () => {
    await vscode.window.showTextDocument(document);
    const values: (string | undefined)[] = [];
    Object.assign(vscode.window, {
      async showInputBox(options?: vscode.InputBoxOptions) {
        values.push(options?.value ?? '');
        return WORDS;
      },
    });
    const settings = vscode.workspace.getConfiguration('k3');
    await settings.update('route', 'none', vscode.ConfigurationTarget.Global);
    assert.match(String(await run('k3.ask', '')), /k3\.route/);
    await settings.update('route', 'scripted', vscode.ConfigurationTarget.Global);
    scripted.will(
      streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]),
      streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]),
    );
    assert.equal(await run('k3.ask', ''), true);
    await until(() => scripted.conversations.current().exchanges[0]?.attempts[0]?.outcome);
    assert.equal(await run('k3.ask', ''), true);
    await until(() => scripted.requests[1]);
    assert.deepEqual(values, ['', WORDS, '']);
  });

  it('asks about the file as it is when the user has typed what to do', async () => {
    const text = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join('');
    const { uri } = await openHidden('long.txt', text);
    const editor = await vscode.window.showTextDocument(uri);
    editor.selection = new vscode.Selection(8, 0, 11, 0);
    Object.assign(vscode.window, {
      async showInputBox() {
        await editor.edit((edit) => {
          edit.insert(new vscode.Position(0, 0), 'new\n');
          edit.replace(new vscode.Range(9, 0, 9, 6), 'changed');
        });
        return 'Tidy it.';
      },
    });
    scripted.will(streamOf([{ answer: 'Done.' }, { finish: 'stop' }]));
    assert.equal(await vscode.commands.executeCommand<unknown>('k3.refactor'), true);
    await until(() => scripted.requests[0]);
    assert.match(lastQuestion(), /```\w*\nline 8\nchanged\nline 10\n```/);
    const sent = lastQuestion().split('\n');
    for (const line of ['line 7', 'line 8', 'changed', 'line 10', 'line 11'])
      assert.equal(sent.filter((one) => one === line).length, 1, line);
  });

  it('is about the editor beside a chat in a tab, which is the active tab', async () => {
    await open('code.ts', 'let beside = 1;\n');
    const chat = vscode.window.createWebviewPanel('test', 'Chat', vscode.ViewColumn.Beside);
    await until(() => vscode.window.activeTextEditor === undefined);
    scripted.will(
      streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]),
      streamOf([{ answer: '{"summary": "", "findings": []}' }, { finish: 'stop' }]),
    );
    assert.equal(await run('k3.explain'), true);
    await until(() => scripted.requests[0]);
    assert.match(lastQuestion(), /let beside/);
    await until(() => scripted.conversations.current().exchanges[0]?.attempts[0]?.outcome);
    chat.reveal(undefined, false);
    await until(() => vscode.window.activeTextEditor === undefined);
    assert.equal(await run('k3.reviewFile'), true);
    await until(() => scripted.requests[1]);
    assert.match(lastQuestion(), /let beside/);
    chat.dispose();
  });

  it('says to the message why it can’t ask: no editor, no text, no route', async () => {
    const all = async () => [
      await run('k3.explain'),
      await run('k3.reviewSelection'),
      await run('k3.reviewFile'),
    ];
    const noText = 'Open a text file to review.';
    await open('empty.txt', '');
    assert.deepEqual(await all(), ['This file is empty.', noText, noText]);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const noCode =
      'Open a file and select the code to ask about. If nothing is selected, the code around the cursor is used.';
    assert.deepEqual(await all(), [noCode, noText, noText]);
    assert.deepEqual(asked.notes, []);
    // From the Command Palette, in a notification.
    assert.equal(await vscode.commands.executeCommand('k3.explain'), '');
    assert.deepEqual(asked.notes, [noCode]);
    await vscode.window.showTextDocument(document);
    const settings = vscode.workspace.getConfiguration('k3');
    await settings.update('route', 'none', vscode.ConfigurationTarget.Global);
    const refused = await all();
    await settings.update('route', 'scripted', vscode.ConfigurationTarget.Global);
    for (const why of refused) assert.match(String(why), /k3\.route/);
    assert.equal(asked.notes.length, 1, asked.notes.join('\n'));
    assert.deepEqual(scripted.requests, []);
  });
});
