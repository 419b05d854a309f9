import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { ContextItem } from '../../../src/conversation/context/context.ts';
import type { QueuedQuestion } from '../../../src/conversation/queue.ts';
import { NOTHING_UNSENT, type Unsent } from '../../../src/conversation/unsent.ts';
import { type Composers, createComposers } from '../../../src/editor/composer/composers.ts';
import {
  type ContextAttaching,
  createContextAttaching,
} from '../../../src/editor/composer/contextAttaching.ts';
import { toContextView } from '../../../src/editor/context/contextWords.ts';
import { createMovedFiles } from '../../../src/editor/proposals/movedFiles.ts';
import { type AllowedReads, createAllowedReads } from '../../../src/editor/workspace/allowedReads.ts';
import { renameOnDisk } from '../renameOnDisk.ts';
import { until } from '../scripted.ts';

const ID = 'conversation';

describe('Attached files', () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  assert.ok(folder);
  const file = vscode.Uri.joinPath(folder, 'attached.txt');
  /** What the windows of a test have saved. A closed window of another test can still be saving. */
  let saved: { unsent: Unsent };
  let composers: Composers;
  let attaching: ContextAttaching;
  /** How often the output of the terminal was asked for. */
  let outputs: number;
  let queue: readonly QueuedQuestion[];
  let editor: vscode.TextEditor | undefined;
  /** What was logged, where that is expected. */
  let warned: string[] | undefined;

  function openWindow(
    reads: AllowedReads = createAllowedReads(),
    attachFiles: () => Promise<void> = async () => undefined,
  ): void {
    const own = saved;
    composers = createComposers(
      {
        get: () => undefined,
        draft: () => '',
        putDraft: () => undefined,
        unsent: () => own.unsent,
        isUnsentUnread: () => false,
        choices: () => own.unsent,
        putUnsent(_, parts) {
          own.unsent = { ...own.unsent, ...parts };
        },
        queue: () => queue,
        enqueue: () => undefined,
      },
      { get: () => undefined, set: () => undefined },
    );
    attaching = createContextAttaching({
      composers,
      lastEditor: { get: () => editor },
      images: { attachFiles },
      reads,
      terminals: {
        describe: () => 'run',
        async read() {
          outputs++;
          const part = { label: `run ${outputs}, exit code 1`, text: 'failed' };
          return { ok: true, item: { kind: 'terminal', label: 'Terminal: run', parts: [part] } };
        },
      },
      takeBackInstructions: assert.fail,
      log: { warn: (line: string) => (warned === undefined ? assert.fail(line) : void warned.push(line)) },
    });
  }

  function closeWindow(): void {
    attaching.dispose();
    composers.dispose();
  }

  const idAt = (index: number) => composers.of(ID).context[index]?.id ?? assert.fail('not attached');
  const noteOf = () => composers.of(ID).context.map((attached) => toContextView(attached).changed);
  const toQueued = (item: ContextItem): QueuedQuestion => ({
    id: 'queued',
    question: { text: 'Why?', images: [], origin: undefined, context: [item] },
  });
  const write = (text: string) => vscode.workspace.fs.writeFile(file, Buffer.from(text));

  beforeEach(async () => {
    saved = { unsent: NOTHING_UNSENT };
    queue = [];
    editor = undefined;
    warned = undefined;
    outputs = 0;
    await write('before\n');
    openWindow();
    await attaching.add(ID, [{ kind: 'file', uri: file.toString() }]);
  });
  afterEach(async () => {
    closeWindow();
    await vscode.workspace.fs.delete(file).then(undefined, () => undefined);
  });

  it('are removed and updated as the page has shown them, although an earlier one was just removed', async () => {
    const other = vscode.Uri.joinPath(folder, 'other.txt');
    await vscode.workspace.fs.writeFile(other, Buffer.from('other\n'));
    await attaching.add(ID, [{ kind: 'terminal' }, { kind: 'file', uri: other.toString() }]);
    const [first, second, third] = [0, 1, 2].map(idAt);
    attaching.remove(ID, first ?? '');
    attaching.remove(ID, second ?? '');
    assert.deepEqual(
      composers.of(ID).context.map(({ id }) => id),
      [third],
    );
    attaching.remove(ID, second ?? '');
    await attaching.refresh(ID, second ?? '');
    assert.equal(composers.of(ID).context.length, 1);
    await vscode.workspace.fs.delete(other);
  });

  describe('that are renamed', () => {
    // A name that was deleted a moment ago isn't reported as new.
    let name: string;
    let renamed: vscode.Uri;
    beforeEach(() => {
      name = `renamed-${Date.now()}.txt`;
      renamed = vscode.Uri.joinPath(folder, name);
    });
    const named = async () => {
      const [first = assert.fail('nothing is attached')] = await attaching.collect(ID);
      const { label, uri, parts } = first.newest;
      return [label, uri, parts.map((part) => [part.label, part.text])];
    };
    const expected = (text: string) => [name, renamed.toString(), [[name, text]]];
    const shown = () =>
      composers.of(ID).context.map(({ item, changed }) => [item.label, item.older, changed]);

    afterEach(() => vscode.workspace.fs.delete(renamed).then(undefined, () => undefined));

    it('have their new names, also in a queued message', async () => {
      const [attached] = composers.of(ID).context;
      assert.ok(attached);
      const queued = toQueued(attached.item);
      queue = [queued];
      const renaming = new vscode.WorkspaceEdit();
      renaming.renameFile(file, renamed);
      await vscode.workspace.applyEdit(renaming);
      assert.deepEqual(await named(), expected('before\n'));
      await until(() => composers.of(ID).context[0]?.item.label === name);
      assert.deepEqual(shown(), [[name, undefined, false]]);
      await vscode.workspace.fs.writeFile(renamed, Buffer.from('after\n'));
      assert.deepEqual(await named(), expected('after\n'));
      const sent = async () => {
        const [item] = await attaching.refreshAll(queued);
        return [item?.label, item?.uri, item?.older, item?.parts.map(({ text }) => text)];
      };
      assert.deepEqual(await sent(), [name, renamed.toString(), undefined, ['after\n']]);
      await write('another file\n');
      assert.deepEqual(await sent(), [name, renamed.toString(), undefined, ['after\n']]);
    });

    it('are not another file that had their name before, also when they are deleted', async () => {
      const renaming = new vscode.WorkspaceEdit();
      renaming.renameFile(file, renamed);
      await vscode.workspace.applyEdit(renaming);
      await until(() => composers.of(ID).context[0]?.item.label === name);
      attaching.remove(ID, idAt(0));
      await write('new\n');
      await attaching.add(ID, [{ kind: 'file', uri: file.toString() }]);
      await vscode.workspace.fs.delete(file);
      await until(() => composers.of(ID).context[0]?.item.older);
      assert.deepEqual(await named(), ['attached.txt', file.toString(), [['attached.txt', 'new\n']]]);
    });

    it('have their new names when another window or program has renamed them', async () => {
      await write('tides and moons\n');
      await attaching.refresh(ID, idAt(0));
      const moved = createMovedFiles({ warn: assert.fail });
      moved.follow(attaching.followed);
      try {
        await renameOnDisk(file, renamed);
        await until(() => composers.of(ID).context[0]?.item.label === name);
        assert.deepEqual(await named(), expected('tides and moons\n'));
        await until(() => composers.of(ID).context[0]?.changed === false);
        assert.deepEqual(shown(), [[name, undefined, false]]);
      } finally {
        moved.dispose();
      }
    });

    it('have their new names in a queued message, too, when another window or program has renamed them', async () => {
      await write('moons and tides\n');
      await attaching.refresh(ID, idAt(0));
      const [attached = assert.fail('nothing is attached')] = composers.of(ID).context;
      const queued = toQueued(attached.item);
      queue = [queued];
      attaching.remove(ID, idAt(0));
      const moved = createMovedFiles({ warn: assert.fail });
      moved.follow(attaching.followed);
      try {
        await renameOnDisk(file, renamed);
        await until(async () => (await attaching.refreshAll(queued))[0]?.label === name);
        const [sent] = await attaching.refreshAll(queued);
        assert.deepEqual([sent?.uri, sent?.older], [renamed.toString(), undefined]);
      } finally {
        moved.dispose();
      }
    });

    it('keep the text that they had if the new name isn’t allowed', async () => {
      closeWindow();
      openWindow({ ...createAllowedReads(), allows: async ({ path }) => !path.endsWith(name) });
      await attaching.add(ID, [{ kind: 'file', uri: file.toString() }]);
      const renaming = new vscode.WorkspaceEdit();
      renaming.renameFile(file, renamed);
      await vscode.workspace.applyEdit(renaming);
      await vscode.workspace.fs.writeFile(renamed, Buffer.from('after\n'));
      assert.deepEqual(await named(), expected('before\n'));
      await until(() => composers.of(ID).context[0]?.item.older);
    });
  });

  it('are read for a message of another chat without a change of the message box', async () => {
    const before = composers.of(ID).context;
    const gone = vscode.Uri.joinPath(folder, 'gone.txt').toString();
    const read = await attaching.read(ID, [
      { kind: 'file', uri: file.toString() },
      { kind: 'file', uri: gone },
    ]);
    assert.deepEqual(
      read.context.map(({ label }) => label),
      ['attached.txt'],
    );
    assert.match(read.problems.join(), /gone\.txt/);
    assert.equal(read.problems.length, 1);
    assert.deepEqual([composers.of(ID).context, composers.of(ID).refusal], [before, undefined]);
  });

  it('don’t change with the terminal: its output is sent as it was allowed', async () => {
    await attaching.add(ID, [{ kind: 'terminal' }]);
    await attaching.refresh(ID, idAt(1));
    const [, { newest } = assert.fail('nothing was added')] = await attaching.collect(ID);
    assert.equal(newest.parts[0]?.label, 'run 1, exit code 1');
    assert.equal(newest, (await attaching.refreshAll(toQueued(newest)))[0]);
    assert.deepEqual([outputs, noteOf()], [1, [undefined, undefined]]);
  });

  it('are added without those that can’t be, each of which is named with the reason', async () => {
    const other = vscode.Uri.joinPath(folder, 'other.txt');
    const binary = vscode.Uri.joinPath(folder, 'sound.wav');
    await vscode.workspace.fs.writeFile(other, Buffer.from('other\n'));
    await vscode.workspace.fs.writeFile(binary, Buffer.from([0, 1, 2, 0, 255, 254]));
    const gone = vscode.Uri.joinPath(folder, 'gone.txt');
    const references = [binary, gone, other].map((uri) => ({ kind: 'file' as const, uri: uri.toString() }));
    await attaching.add(ID, references);
    const { context, refusal } = composers.of(ID);
    assert.deepEqual(
      context.map(({ item }) => item.label),
      ['attached.txt', 'other.txt'],
    );
    assert.equal(
      refusal,
      'sound.wav is not a text file and was not added. gone.txt can’t be read and was not added.',
    );
    await attaching.add(ID, references.slice(2));
    assert.equal(composers.of(ID).refusal, undefined);
    await vscode.workspace.fs.delete(other);
    await vscode.workspace.fs.delete(binary);
  });

  it('are the lines that were selected when the user added them, also if others are read before', async () => {
    const other = vscode.Uri.joinPath(folder, 'attached.png');
    // Not that of other tests, which delete it: a document stays open for a while.
    const lines = vscode.Uri.joinPath(folder, 'lines.txt');
    await vscode.workspace.fs.writeFile(lines, Buffer.from('one\ntwo\nthree\n'));
    const reading: (() => void)[] = [];
    closeWindow();
    openWindow(createAllowedReads(), () => new Promise((resolve) => reading.push(resolve)));
    editor = await vscode.window.showTextDocument(lines);
    editor.selection = new vscode.Selection(0, 0, 0, 3);
    const image = attaching.add(ID, [{ kind: 'file', uri: other.toString() }]);
    const selection = attaching.add(ID, [{ kind: 'selection' }]);
    await until(() => reading[0]);
    editor.selection = new vscode.Selection(2, 0, 2, 5);
    reading[0]?.();
    await Promise.all([image, selection]);
    assert.deepEqual(
      composers.of(ID).context.map(({ item }) => [item.label, item.parts[0]?.text]),
      [
        ['attached.txt', 'before\n'],
        ['lines.txt:1', 'one'],
      ],
    );
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(lines);
  });

  it('keep the text of an untitled document that is closed without saving it, also in the queue', async () => {
    const { uri } = await vscode.workspace.openTextDocument({ content: 'Not saved.\n' });
    await vscode.window.showTextDocument(uri);
    await attaching.add(ID, [{ kind: 'file', uri: uri.toString() }]);
    const [, attached] = composers.of(ID).context;
    assert.ok(attached);
    const isKept = async () => {
      const [, collected] = await attaching.collect(ID);
      const [queued] = await attaching.refreshAll(toQueued(attached.item));
      for (const item of [collected?.newest, queued])
        assert.deepEqual([item?.older, item?.parts[0]?.text], [true, 'Not saved.\n']);
    };
    // The editor does that before it closes the document.
    const emptying = new vscode.WorkspaceEdit();
    emptying.delete(uri, new vscode.Range(0, 0, 1, 0));
    await vscode.workspace.applyEdit(emptying);
    await isKept();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await until(() => vscode.workspace.textDocuments.every((one) => one.uri.toString() !== uri.toString()));
    await isKept();
    await until(() => noteOf()[1] === 'older than the file');
  });

  describe('that are parts of a file', () => {
    const TEXT = 'class A {\n  run() {\n    a();\n  }\n}\nclass B {\n  run() {\n    b();\n  }\n}\n';
    let place: vscode.Uri;
    let provider: vscode.Disposable;
    const labels = () => composers.of(ID).context.map(({ item }) => item.label);
    const lastText = () => composers.of(ID).context.at(-1)?.item.parts[0]?.text;
    const runAt = (line: number) => ({
      kind: 'symbol' as const,
      uri: place.toString(),
      name: 'run()',
      startLine: line,
      endLine: line,
    });

    beforeEach(async () => {
      place = vscode.Uri.joinPath(folder, 'classes.k3test');
      await vscode.workspace.fs.writeFile(place, Buffer.from(TEXT));
      provider = vscode.languages.registerDocumentSymbolProvider(
        { pattern: '**/*.k3test' },
        {
          // A class from its line to the one that ends it, and its only method in it.
          provideDocumentSymbols(document) {
            const lines = document.getText().split('\n');
            const to = (name: string, kind: vscode.SymbolKind, start: number, indent: string) => {
              const end = lines.findIndex((line, at) => at > start && line === `${indent}}`);
              const named = new vscode.Range(start, 0, start, lines[start]?.length ?? 0);
              return new vscode.DocumentSymbol(name, '', kind, new vscode.Range(start, 0, end, 3), named);
            };
            return lines.flatMap((line, at) => {
              const name = /^class (\w)/.exec(line)?.[1];
              if (name === undefined) return [];
              const whole = to(name, vscode.SymbolKind.Class, at, '');
              const method = lines.findIndex((one, from) => from > at && one.includes('run()'));
              whole.children.push(to('run', vscode.SymbolKind.Method, method, '  '));
              return [whole];
            });
          },
        },
      );
    });
    afterEach(async () => {
      provider.dispose();
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.workspace.fs.delete(place);
    });

    it('are two symbols although they have one name, and one that is added again is there once', async () => {
      await attaching.add(ID, [runAt(1), runAt(6)]);
      assert.deepEqual(labels(), ['attached.txt', 'run()', 'run()']);
      assert.equal(lastText(), '  run() {\n    b();\n  }');
      await attaching.add(ID, [runAt(6)]);
      assert.equal(labels().length, 3);
    });

    it('are two selections of one line', async () => {
      editor = await vscode.window.showTextDocument(place);
      editor.selection = new vscode.Selection(2, 4, 2, 5);
      await attaching.add(ID, [{ kind: 'selection' }]);
      await attaching.add(ID, [{ kind: 'selection' }]);
      editor.selection = new vscode.Selection(2, 5, 2, 7);
      await attaching.add(ID, [{ kind: 'selection' }]);
      assert.deepEqual(labels(), ['attached.txt', 'classes.k3test:3', 'classes.k3test:3']);
    });

    it('have all lines of a symbol that has changed and moved, when the user updates them', async () => {
      await attaching.add(ID, [runAt(6)]);
      const now = TEXT.replace('    b();\n', '    b();\n    c();\n');
      await vscode.workspace.fs.writeFile(place, Buffer.from(`// Two classes.\n${now}`));
      await until(() => noteOf()[1] === 'changed; the earlier text is sent');
      await attaching.refresh(ID, idAt(1));
      assert.equal(lastText(), '  run() {\n    b();\n    c();\n  }');
      assert.deepEqual([labels(), noteOf()[1]], [['attached.txt', 'run()'], undefined]);
    });
  });

  it('are chosen before others have been read, which can take long', async () => {
    const { showOpenDialog } = vscode.window;
    vscode.window.showOpenDialog = async () => [file];
    const other = vscode.Uri.joinPath(folder, 'attached.png');
    const read: (() => void)[] = [];
    closeWindow();
    openWindow(createAllowedReads(), () => new Promise((resolve) => read.push(resolve)));
    try {
      const reading = attaching.add(ID, [{ kind: 'file', uri: other.toString() }]);
      await until(() => read[0]);
      let picked: Promise<void> | undefined;
      await new Promise<void>((chosen) => {
        picked = attaching.pick(ID, chosen);
      });
      read[0]?.();
      await Promise.all([reading, picked]);
    } finally {
      vscode.window.showOpenDialog = showOpenDialog;
    }
    assert.equal(noteOf().length, 1);
  });

  it('are there after a reload, unchanged, changed, or older than a file that was deleted', async () => {
    closeWindow();
    openWindow();
    assert.deepEqual(noteOf(), [undefined]);
    closeWindow();
    await write('after\n');
    openWindow();
    await until(() => noteOf()[0] === 'changed; the current text is sent');
    closeWindow();
    await vscode.workspace.fs.delete(file);
    openWindow();
    await until(() => noteOf()[0] === 'older than the file');
    const [collected] = await attaching.collect(ID);
    assert.equal(collected?.newest.parts[0]?.text, 'before\n');
    assert.equal(collected.newest.older, true);
  });

  it('are checked one after another, however long that takes', async () => {
    closeWindow();
    let running = 0;
    let most = 0;
    const reads = createAllowedReads();
    openWindow({
      ...reads,
      async allows(uri, extent) {
        most = Math.max(most, ++running);
        await setTimeout(1000);
        running--;
        return reads.allows(uri, extent);
      },
    });
    assert.deepEqual(noteOf(), [undefined]);
    for (let at = 0; at < 6; at++) {
      await write(`after ${at}\n`);
      await setTimeout(400);
    }
    await until(() => noteOf()[0] === 'changed; the current text is sent');
    assert.equal(most, 1);
  });

  it('are older than a file that is deleted, and current again when it is back', async () => {
    await vscode.workspace.fs.delete(file);
    await until(() => noteOf()[0] === 'older than the file');
    await write('before\n');
    await until(() => noteOf()[0] === undefined);
  });

  it('are sent beside a folder that became a file, which keeps its earlier text, also in the queue', async () => {
    warned = [];
    const place = vscode.Uri.joinPath(folder, 'becomes-file');
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(place, 'in.txt'), Buffer.from('inside\n'));
    await attaching.add(ID, [{ kind: 'file', uri: place.toString() }]);
    await write('after\n');
    await vscode.workspace.fs.delete(place, { recursive: true });
    await vscode.workspace.fs.writeFile(place, Buffer.from('a file\n'));
    const newest = (await attaching.collect(ID)).map((one) => one.newest);
    assert.deepEqual(
      newest.map(({ older, parts }) => [older, parts[0]?.text]),
      [
        [undefined, 'after\n'],
        [true, 'inside\n'],
      ],
    );
    const [, taken] = composers.of(ID).context;
    assert.ok(taken);
    const [queued] = await attaching.refreshAll(toQueued(taken.item));
    assert.equal(queued?.older, true);
    assert.match(warned[0] ?? '', /folder/);
    await vscode.workspace.fs.delete(place);
  });
});
