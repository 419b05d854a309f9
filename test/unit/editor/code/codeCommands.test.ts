import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { refuse } from '../../../../src/requests/refusal.ts';
import { createDeferred } from '../../../../src/service/deferred.ts';
import {
  commands,
  FileSystemError,
  Range,
  textDocuments,
  Uri,
  window,
  workspace,
} from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createCodeCommands, findCode, isConflictTarget, isTarget, toCodePreviews } = await withEditorStub(
  async () => ({
    ...(await import('../../../../src/editor/code/codeCommands.ts')),
    ...(await import('../../../../src/editor/code/codeQuestions.ts')),
    ...(await import('../../../../src/editor/inPlace/editTargets.ts')),
  }),
);

/** Ten lines of a file. */
const document = {
  uri: Object.assign(new Uri('/[Open](command:workbench.action.quit).ts'), { scheme: 'vscode-vfs' }),
  languageId: 'typescript',
  isClosed: false,
  lineCount: 10,
  getText: () => 'line\n'.repeat(9),
  positionAt: (offset: number) => at(Math.floor(offset / 5), offset % 5),
  lineAt: () => ({ rangeIncludingLineBreak: { with: () => ({}) } }),
};
const at = (line: number, character = 0) => ({ line, character });
const target = (start: number, end = start) => ({
  uri: document.uri,
  range: Object.assign(new Range(at(start), at(end, 4)), { isSingleLine: start === end }),
  diagnostics: [],
});

/** Another file that no editor shows is asked about. */
const showFile = () => void window.visibleTextEditors.push({ document: { uri: document.uri } });

describe('The input of a command on code', () => {
  const { showInputBox, showInformationMessage } = window;
  beforeEach(() => {
    textDocuments.push(document);
  });
  afterEach(() => {
    textDocuments.length = 0;
    Object.assign(window, { showInputBox, showInformationMessage });
    Reflect.deleteProperty(workspace, 'fs');
  });

  it('asks nothing about a file that is renamed or deleted while it is open, and has the words again', async () => {
    const values: (string | undefined)[] = [];
    const asked: string[] = [];
    const told: string[] = [];
    Object.assign(window, {
      showInputBox: async ({ value }: { value?: string }) => {
        values.push(value);
        return 'Shorter';
      },
      showInformationMessage: async (text: string) => void told.push(text),
    });
    const stat = async () => Promise.reject(new FileSystemError('FileNotFound'));
    Object.assign(workspace, { fs: { isWritableFileSystem: () => true, stat } });
    const { 'k3.refactor': refactor } = createCodeCommands({
      conversations: {
        front: () => ({ id: 'c1' }),
        get: (id: string) => ({ id }),
        isRunning: () => false,
        holder: () => undefined,
        async ask(id: string) {
          asked.push(id);
          return { ok: true, turnId: id };
        },
      },
      lastEditor: { get: () => undefined },
      log: { warn: assert.fail },
    } as never);
    for (const _ of [1, 2]) await refactor(target(1));
    assert.deepEqual([asked, values], [[], ['', 'Shorter']]);
    assert.match(told[0] ?? '', /couldn’t be read and wasn’t sent\.$/);
  });

  it('shows no links of the name of a file, which the editor would run', async () => {
    const prompts: string[] = [];
    Object.assign(window, {
      showInputBox: async ({ prompt }: { prompt: string }) => void prompts.push(prompt),
    });
    Object.assign(workspace, { fs: { isWritableFileSystem: () => true } });
    const run = createCodeCommands({ lastEditor: { get: () => undefined } } as never);
    for (const command of ['k3.ask', 'k3.refactor'] as const) await run[command](target(1));
    assert.equal(prompts.length, 2);
    for (const prompt of prompts) {
      assert.match(prompt, /Open/);
      assert.doesNotMatch(prompt, /\]\(/);
    }
  });
});

describe('A command on a line of a file that is open in two editors', () => {
  const editorAt = (first: number, last: number) => ({
    document,
    selections: [{ isEmpty: false, start: at(first), end: at(last, 4) }],
  });
  afterEach(() => {
    textDocuments.length = 0;
    window.visibleTextEditors.length = 0;
    Object.assign(window, { activeTextEditor: undefined });
  });

  it('is about what is selected in the active one, not in the first one', async () => {
    textDocuments.push(document);
    const activeTextEditor = editorAt(2, 3);
    window.visibleTextEditors.push(editorAt(0, 8), activeTextEditor);
    Object.assign(window, { activeTextEditor });
    const code = await findCode(target(2) as never, undefined);
    assert.deepEqual([code?.startLine, code?.endLine], [2, 3]);
  });
});

describe('The target of a command on code', () => {
  it('is only what a code action of K3 gives: others can call the command with anything', () => {
    const { uri, range } = target(1);
    assert.equal(isTarget(target(1)), true);
    for (const wrong of [
      undefined,
      { diagnostics: [] },
      { uri: uri.path, range, diagnostics: [] },
      { uri, range: { start: at(1), end: at(2) }, diagnostics: [] },
      { uri, range, diagnostics: 'none' },
      { uri, range, diagnostics: [{ message: 'No.' }] },
    ])
      assert.equal(isTarget(wrong), false, JSON.stringify(wrong));
    assert.deepEqual(
      [
        { uri, line: 1 },
        { uri: uri.path, line: 1 },
        { uri, line: '1' },
      ].map(isConflictTarget),
      [true, false, false],
    );
  });
});

describe('A command on code in the box of a comment', () => {
  afterEach(() => {
    textDocuments.length = 0;
    Object.assign(window, { activeTextEditor: undefined });
  });

  it('is about the file, not about what is written in the box', async () => {
    const inFile = { document, selections: [{ isEmpty: false, start: at(2), end: at(3, 4) }] };
    const uri = Object.assign(new Uri('/commentinput-1-1.md'), { scheme: 'comment' });
    Object.assign(window, { activeTextEditor: { ...inFile, document: { ...document, uri } } });
    const [, explain] = toCodePreviews({
      conversations: {
        front: () => ({ id: 'c1' }),
        get: () => ({}),
        isRunning: () => false,
        holder: () => undefined,
      },
      lastEditor: { get: () => inFile },
    } as never);
    const made = await explain?.make();
    assert.deepEqual([made?.question.asked, made?.question.origin?.uri], ['Explain', document.uri.path]);
  });
});

describe('A command on code in a file whose text is one long line', () => {
  const long = { ...document, lineCount: 2, getText: () => 'a;'.repeat(200_001) };
  beforeEach(showFile);
  afterEach(() => {
    textDocuments.length = 0;
    window.visibleTextEditors.length = 0;
    Object.assign(window, { activeTextEditor: undefined });
  });

  const editorWith = (end: number, isEmpty = false) => {
    const selection = { isEmpty, start: at(0), end: at(end, 4), active: at(0) };
    return { document: long, selection, selections: [selection] };
  };

  /** What the command says to the message box that named it. */
  async function explain(editor: object): Promise<unknown> {
    textDocuments.push(long);
    Object.assign(window, { activeTextEditor: editor });
    const commands = createCodeCommands({
      conversations: {
        front: () => ({ id: 'c1' }),
        get: (id: string) => ({ id }),
        isRunning: () => false,
        holder: () => undefined,
        ask: async () => ({ ok: true, turnId: 't1' }),
      },
      lastEditor: { get: () => undefined },
      log: { warn: assert.fail },
    } as never);
    return commands['k3.explain']({ words: 'Why?' });
  }

  it('doesn’t send all of it where nothing or a word is selected, and says so', async () => {
    for (const editor of [editorWith(0, true), editorWith(0)])
      assert.match(String(await explain(editor)), /is too large to add\. Select the part you need/);
    // The user wants all of these lines.
    assert.equal(await explain(editorWith(1)), true);
  });
});

describe('A command that changes code, in an earlier revision of a file', () => {
  const { showInputBox, showInformationMessage } = window;
  afterEach(() => {
    textDocuments.length = 0;
    window.visibleTextEditors.length = 0;
    Object.assign(window, { showInputBox, showInformationMessage });
    Reflect.deleteProperty(workspace, 'fs');
  });

  it('asks nothing, because the answer couldn’t be written there, and says where it can be', async () => {
    const uri = Object.assign(new Uri('/file.ts'), { scheme: 'vcs' });
    const revision = { ...document, uri };
    textDocuments.push(revision);
    window.visibleTextEditors.push({ document: { uri } });
    const asked: string[] = [];
    const told: string[] = [];
    Object.assign(window, {
      showInputBox: async () => assert.fail(),
      showInformationMessage: async (text: string) => void told.push(text),
    });
    Object.assign(workspace, { fs: { isWritableFileSystem: () => false } });
    const run = createCodeCommands({
      conversations: {
        front: () => ({ id: 'c1' }),
        get: (id: string) => ({ id }),
        isRunning: () => false,
        holder: () => undefined,
        async ask(id: string, question: { readonly asked: string }) {
          asked.push(question.asked);
          return { ok: true, turnId: id };
        },
      },
      lastEditor: { get: () => undefined },
      log: { warn: assert.fail },
    } as never);
    for (const command of ['k3.refactor', 'k3.fix', 'k3.document'] as const)
      await run[command]({ ...target(1), uri });
    assert.deepEqual(asked, []);
    assert.deepEqual([told.length, new Set(told).size], [3, 1]);
    assert.match(told[0] ?? '', /^Open the file to edit/);
    for (const command of ['k3.explain', 'k3.test'] as const) await run[command]({ ...target(1), uri });
    assert.deepEqual(asked, ['Explain', 'Write Tests']);
  });
});

describe('A command on code while another one shows the chat', () => {
  const { executeCommand } = commands;
  beforeEach(showFile);
  afterEach(() => {
    textDocuments.length = 0;
    window.visibleTextEditors.length = 0;
    Object.assign(commands, { executeCommand });
  });

  /** Explains lines of the file, all at once. */
  async function explainAll(...lines: readonly (readonly [number, number])[]) {
    textDocuments.push(document);
    const shown = createDeferred<void>();
    Object.assign(commands, { executeCommand: () => shown.promise });
    const asked: string[] = [];
    let created = 1;
    const { 'k3.explain': explain } = createCodeCommands({
      conversations: {
        front: () => ({ id: 'c1' }),
        get: (id: string) => ({ id }),
        create: () => ({ id: `c${++created}` }),
        isRunning: (id: string) => asked.includes(id),
        holder: () => undefined,
        async ask(id: string) {
          if (asked.includes(id)) return refuse({ kind: 'running' });
          asked.push(id);
          return { ok: true, turnId: id };
        },
      },
      lastEditor: { get: () => undefined },
      log: { warn: () => undefined },
    } as never);
    const all = Promise.all(lines.map(([start, end]) => explain(target(start, end))));
    shown.resolve();
    return [(await all).map((ran) => ran === true), asked] as const;
  }

  it('asks in a conversation of its own, because the first one is about to ask in the chat', async () => {
    assert.deepEqual(await explainAll([0, 4], [5, 8]), [
      [true, true],
      ['c1', 'c2'],
    ]);
  });

  it('asks the same once', async () => {
    assert.deepEqual(await explainAll([0, 4], [0, 4]), [[true, false], ['c1']]);
  });
});
