import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { leaveOutPreviews, takePreviews } from '../leftOut.ts';
import {
  aroundProposals,
  beginProposals,
  comment,
  document,
  edits,
  endProposals,
  folder,
  open,
  pathOf,
  propose,
  scripted,
  sentReview,
} from '../proposals/proposing.ts';
import { reportUri, shownRequest } from '../reports.ts';
import { setForUser, startStream, streamOf, until } from '../scripted.ts';

const { showQuickPick, showInputBox } = vscode.window;

const LINES = Array.from({ length: 60 }, (_, at) => `export const name${at} = ${at};`).join('\n');

/**
 * The user selects the command, then an item in each list that follows, by default the first one, and enters the text if they
 * are asked for one.
 */
function willSelect(title: string, text?: string, ...more: readonly string[]): void {
  const labels = [title, ...more];
  Object.assign(vscode.window, {
    async showQuickPick(items: readonly vscode.QuickPickItem[]) {
      const wanted = labels.shift();
      return wanted === undefined ? items[0] : items.find(({ label }) => label === wanted);
    },
    showInputBox: async () => text,
  });
}

/** The request that is shown, as the body that would be sent. */
async function shownFor(title: string, text?: string, ...more: readonly string[]): Promise<string> {
  willSelect(title, text, ...more);
  await vscode.commands.executeCommand('k3.showCodeRequest');
  return bodyOfReport(
    new RegExp(`${folder.path.split('/').at(-1)}.*${text?.replace('?', '\\?') ?? ''}`, 's'),
  );
}

/** What a command has shown, once. */
function shownOnce(about: RegExp) {
  assert.deepEqual(takePreviews(), [reportUri('Next Request').toString()]);
  return shownRequest((json) => about.test(json));
}

/** The body in the report that a command has shown, once. */
const bodyOfReport = async (about: RegExp): Promise<string> => (await shownOnce(about)).body;

async function select(document: vscode.TextDocument, start: number, end: number): Promise<void> {
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  editor.selection = new vscode.Selection(start, 0, end, document.lineAt(end).text.length);
}

/** Only the rest from where they differ, because a request is long. */
function assertSame(shown: string, sent: string): void {
  const at = [...shown].findIndex((one, index) => one !== sent[index]);
  assert.equal(shown.slice(at).slice(0, 300), sent.slice(at).slice(0, 300));
  assert.ok(shown === sent);
}

const received = (request: number) => until(() => scripted.requests[request]?.body);

function editNow(text: string) {
  const [edit] = scripted.inPlace.list();
  assert.ok(edit);
  const thread = scripted.inPlace.threads.of(edit);
  const from = edit.steps.length === 0 ? { editId: edit.id, body: text } : { thread, text };
  return vscode.commands.executeCommand('k3.sendEdit', from);
}

describe('Show Request of Command on the code in front', () => {
  leaveOutPreviews();
  let code: vscode.TextDocument;
  before(async () => {
    await beginProposals();
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, 'AGENTS.md'), Buffer.from('Be brief.'));
    code = await open('code.ts', LINES);
  });
  beforeEach(() => {
    scripted.conversations.create();
    scripted.forgetRequests();
  });
  afterEach(() => void Object.assign(vscode.window, { showQuickPick, showInputBox }));
  after(() => endProposals());

  for (const [title, command, text] of [
    ['Ask About Selection', 'k3.ask', 'Why 30?'],
    ['Explain', 'k3.explain'],
    ['Refactor', 'k3.refactor', 'Shorter names.'],
    ['Fix', 'k3.fix'],
    ['Document', 'k3.document'],
    ['Write Tests', 'k3.test'],
    ['Review Selection', 'k3.reviewSelection'],
    ['Review File', 'k3.reviewFile'],
  ] as const)
    it(`shows for ${title} byte for byte what is sent then, and sends nothing itself`, async () => {
      scripted.will(streamOf([{ answer: 'Hello.' }, { finish: 'stop' }]));
      await scripted.ask(`First question, before ${title}.`);
      const before = scripted.conversations.current();
      await select(code, 29, 31);
      willSelect(title, text);
      await vscode.commands.executeCommand('k3.showCodeRequest');
      const shown = await bodyOfReport(new RegExp(`before ${title}\\.`));
      assert.deepEqual([scripted.requests.length, scripted.conversations.current()], [1, before]);
      scripted.will(streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]));
      await select(code, 29, 31);
      await vscode.commands.executeCommand(command);
      const body = await received(1);
      assertSame(shown, body);
      assert.match(body, /First question,.*Be brief\..*name30/s);
    });
});

describe('Show Request of Command', () => {
  leaveOutPreviews();
  aroundProposals();
  beforeEach(async () => {
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, 'AGENTS.md'), Buffer.from('Be brief.'));
  });
  afterEach(() => {
    Object.assign(vscode.window, { showQuickPick, showInputBox });
    for (const edit of scripted.inPlace.list()) scripted.inPlace.end(edit);
  });

  it('shows for Edit Here what is sent first, and what its next question is', async () => {
    await select(document, 1, 2);
    const first = await shownFor('Edit Here', 'Louder.');
    scripted.will(streamOf([{ answer: edits(pathOf('code.txt'), ['two', 'TWO']) }, { finish: 'stop' }]));
    await select(document, 1, 2);
    await vscode.commands.executeCommand('k3.editHere');
    await editNow('Louder.');
    assertSame(first, await received(0));
    await until(() => scripted.proposals.ofFile(document.uri.toString()).at(-1));
    const next = await shownFor('Edit Here', 'All of it.');
    scripted.will(streamOf([{ answer: 'No.' }, { finish: 'stop' }]));
    await editNow('All of it.');
    assertSame(next, await received(1));
    assert.match(next, /Louder\..*TWO.*All of it\./s);
  });

  it('shows for Resolve with K3 what is sent', async () => {
    const conflict = ['one', '<<<<<<< HEAD', 'ours', '=======', 'theirs', '>>>>>>> topic', 'six', ''];
    const document = await open('conflict.txt', conflict.join('\n'));
    await select(document, 2, 2);
    const shown = await shownFor('Resolve with K3');
    assert.deepEqual([scripted.requests.length, scripted.inPlace.list().length], [0, 0]);
    scripted.will(streamOf([{ answer: 'No.' }, { finish: 'stop' }]));
    await select(document, 2, 2);
    await vscode.commands.executeCommand('k3.resolveConflict');
    assertSame(shown, await received(0));
    assert.match(shown, /Resolve this merge conflict.*ours.*theirs/s);
  });

  it('shows for Send Review what is sent, in the conversation of the proposal, and keeps the comments', async () => {
    const proposal = await propose(edits(pathOf('code.txt'), ['two', 'TWO']));
    assert.ok(proposal);
    await comment('code.txt', 'Louder!');
    scripted.conversations.create();
    const shown = await shownFor('Send Review');
    assert.equal(scripted.requests.length, 1);
    await sentReview();
    assertSame(shown, await received(1));
    assert.match(shown, /Change it\..*I have reviewed your proposal.*Louder!/s);
  });

  it('shows for Discuss Finding what is sent, in the conversation of the review', async () => {
    const finding = {
      file: pathOf('code.txt'),
      startLine: 2,
      endLine: 2,
      severity: 'error',
      claim: 'It is too small.',
      evidence: 'two',
      edit: null,
    };
    const answer = JSON.stringify({ summary: 'So.', findings: [finding] });
    scripted.will(streamOf([{ answer }, { finish: 'stop' }]));
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('k3.reviewFile');
    const [found] = await until(() => scripted.findings.list().length > 0 && scripted.findings.list());
    assert.ok(found);
    scripted.conversations.create();
    const shown = await shownFor('Discuss Finding', 'Is it?', 'It is too small.');
    assert.equal(scripted.requests.length, 1);
    scripted.will(streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]));
    Object.assign(vscode.window, { showInputBox: async () => 'Is it?' });
    await vscode.commands.executeCommand('k3.discussFinding', found.id);
    assertSame(shown, await received(1));
    assert.match(shown, /as a careful senior engineer.*Is it\?.*a finding of yours/s);
  });

  it('shows what a command in the message box would send, with its words', async () => {
    const document = await open('code.ts', LINES);
    await select(document, 29, 31);
    const { id } = scripted.conversations.current();
    await vscode.commands.executeCommand('k3.focusChat', id);
    scripted.conversations.putDraft(id, '/explain Why 30?');
    await vscode.commands.executeCommand('k3.showRequest', id);
    const shown = await bodyOfReport(/Why 30\?/);
    assert.equal(scripted.requests.length, 0);
    scripted.will(streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]));
    await select(document, 29, 31);
    await vscode.commands.executeCommand('k3.explain', { words: 'Why 30?' });
    assertSame(shown, await received(0));
    assert.match(shown, /not obvious about it\. Why 30\?/);
  });

  it('shows the request of a new conversation while the open one is answering, and creates none', async () => {
    const document = await open('code.ts', LINES);
    scripted.will((response) => startStream(response));
    const { conversations } = scripted;
    const running = conversations.current().id;
    assert.ok((await conversations.ask(running, { text: 'Long.', images: [], origin: undefined })).ok);
    await received(0);
    const before = conversations.list().length;
    await select(document, 29, 31);
    const shown = await shownFor('Explain');
    assert.deepEqual([conversations.list().length, conversations.current().id], [before, running]);
    scripted.will(streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]));
    await select(document, 29, 31);
    await vscode.commands.executeCommand('k3.explain');
    assertSame(shown, await received(1));
    conversations.stop(running);
  });

  it('shows nothing when the user enters no instruction, or has no code', async () => {
    const document = await open('code.ts', LINES);
    await select(document, 1, 2);
    for (const title of ['Ask About Selection', 'Edit Here']) {
      willSelect(title);
      await vscode.commands.executeCommand('k3.showCodeRequest');
      assert.equal(vscode.window.activeTextEditor?.document, document);
      assert.deepEqual(takePreviews(), []);
    }
  });
});

describe('Show Next Request', () => {
  leaveOutPreviews();
  aroundProposals();

  async function attach(name: string, text: string): Promise<vscode.TextDocument> {
    const document = await open(name, text);
    await vscode.commands.executeCommand('k3.attachFile', document.uri);
    return document;
  }

  async function reportAfter(draft: string, about: RegExp) {
    const { id } = scripted.conversations.current();
    scripted.conversations.putDraft(id, draft);
    await vscode.commands.executeCommand('k3.showRequest', id);
    return shownOnce(about);
  }

  const shownAfter = async (draft: string, about: RegExp) => (await reportAfter(draft, about)).body;

  const timesIn = (shown: string, words: string) => shown.split(words).length - 1;

  it('shows the current text of an attached file', async () => {
    const { uri } = await attach('attached.txt', 'BEFORE\n');
    const editor = await vscode.window.showTextDocument(uri);
    await editor.edit((edit) => edit.replace(new vscode.Range(0, 0, 0, 6), 'AFTER'));
    const shown = await shownAfter('Which text?', /Which text/);
    assert.deepEqual([timesIn(shown, 'BEFORE'), timesIn(shown, 'AFTER')], [0, 1]);
  });

  it('shows a file once that is attached and named by a prompt', async () => {
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(workspace);
    const file = vscode.Uri.joinPath(workspace.uri, '.github/prompts/about-file.prompt.md');
    await vscode.workspace.fs.writeFile(file, Buffer.from(`Explain the file $\{file} briefly.`));
    try {
      const document = await attach('once.txt', 'ONCE ONLY\n');
      await vscode.window.showTextDocument(document);
      const shown = await shownAfter('/about-file', /Explain the file/);
      assert.equal(timesIn(shown, 'ONCE ONLY'), 1);
    } finally {
      await vscode.workspace.fs.delete(file);
    }
  });

  it('names the route as it is, not as Markdown', async () => {
    await setForUser('k3', 'routes', { 'my_*own*': { kind: 'direct', baseUrl: scripted.baseUrl } });
    await setForUser('k3', 'route', 'my_*own*');
    const { page } = await reportAfter('By which?', /By which/);
    assert.equal(/, route (.*?)\. About/.exec(page)?.[1], '“my\\_\\*own\\*”');
  });

  it('offers to add a route or to try the demo when there is no route', async () => {
    await setForUser('k3', 'routes', {});
    await setForUser('k3', 'route', '');
    const { showWarningMessage } = vscode.window;
    const said: unknown[] = [];
    Object.assign(vscode.window, { showWarningMessage: async (...all: unknown[]) => void said.push(...all) });
    try {
      await vscode.commands.executeCommand('k3.showRequest');
    } finally {
      Object.assign(vscode.window, { showWarningMessage });
    }
    assert.match(String(said[0]), /^There is no route yet\./);
    assert.deepEqual(said.slice(1), ['Add Route…', 'Try the Demo (No Key)']);
  });

  it('shows the first queued message, which is sent before the message box', async () => {
    const { conversations } = scripted;
    const question = (text: string) => ({ text, images: [], origin: undefined });
    const { id } = conversations.current();
    conversations.enqueue(id, question('First in the queue.'));
    conversations.enqueue(id, question('Second in the queue.'));
    const shown = await shownAfter('In the message box.', /First in the queue/);
    assert.deepEqual([timesIn(shown, 'Second in'), timesIn(shown, 'message box')], [0, 0]);
  });
});
