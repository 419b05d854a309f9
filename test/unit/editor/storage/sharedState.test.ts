/** What the windows of a workspace keep in files, each item in its own. */
import assert from 'node:assert/strict';
import fs, { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createSharedState } from '../../../../src/editor/storage/sharedState.ts';
import { toWindowPlace } from '../../../../src/editor/storage/windowPlace.ts';
import type { Remark } from '../../../../src/review/comments/keptRemarks.ts';
import type { StoredReview } from '../../../../src/review/findings/storedFindings.ts';
import { removeFolderSync } from '../../../support/removeFolder.ts';
import { mementoOf } from '../../../support/sharedWindows.ts';

const [FINDINGS, REMARKS, FORMATS, DRAFTS] = [
  'k3.findings',
  'k3.remarks',
  'k3.answerFormats',
  'k3.editDrafts',
] as const;

const remark = (id: string, text = 'Why?', uri = 'file:///a.ts'): Remark => ({
  ...{ id, uri, text, hunk: undefined, startLine: 0, endLine: 0, quote: 'let a;' },
});
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('What the windows of a workspace share', () => {
  let home: string;
  let warnings: string[];
  const log = { warn: (line: string) => void warnings.push(line) };
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'k3-shared-'));
    warnings = [];
  });
  afterEach(() => {
    mock.timers.reset();
    // Where a test has done it with these timers, other files have imported them.
    syncBuiltinESMExports();
    removeFolderSync(home);
  });

  const start = (disk: { state: Record<string, unknown> } = { state: {} }, window?: string) =>
    createSharedState({ home, window }, mementoOf(disk), log);
  const folder = (name: string) => join(home, 'items', name);
  const idsIn = (state: ReturnType<typeof start>, name: string = REMARKS) =>
    (state.get<readonly Remark[]>(name) ?? []).map(({ id }) => id);

  it('is all that each of them has written, in its order', async () => {
    const [one, other] = [start(), start()];
    assert.deepEqual([one.get(REMARKS), other.get(REMARKS)], [undefined, undefined]);
    await one.update(REMARKS, [remark('1'), remark('2')]);
    await other.update(REMARKS, [remark('3')]);
    await one.update(REMARKS, [remark('2'), remark('1', 'Really?')]);
    assert.deepEqual(idsIn(start()).toSorted(), ['1', '2', '3']);
    assert.deepEqual(
      idsIn(start()).filter((id) => id !== '3'),
      ['2', '1'],
    );
    await one.update(REMARKS, []);
    assert.deepEqual(start().get(REMARKS), [json(remark('3'))]);
    one.dispose();
    other.dispose();
    assert.deepEqual([idsIn(start()), warnings], [['3'], []]);
  });

  it('is not what one of them has deleted, and another one has had from before', async () => {
    const one = start();
    await one.update(REMARKS, [remark('1'), remark('2')]);
    const other = start();
    other.get(REMARKS);
    await one.update(REMARKS, [remark('2')]);
    await other.update(REMARKS, [remark('1'), remark('2'), remark('3')]);
    other.dispose();
    assert.deepEqual(idsIn(start()), ['2', '3']);
    // What is changed there is kept.
    await other.update(REMARKS, [remark('1', 'And this?'), remark('2'), remark('3')]);
    assert.equal(idsIn(start()).length, 3);
  });

  it('keeps what one has changed when another one, which had it from before, deletes it', async () => {
    const one = start();
    await one.update(REMARKS, [remark('1')]);
    const other = start();
    other.get(REMARKS);
    await one.update(REMARKS, [remark('1', 'Changed')]);
    await other.update(REMARKS, []);
    assert.deepEqual(start().get(REMARKS), [json(remark('1', 'Changed'))]);
  });

  it('has a dismissed finding as dismissed when another window moves it, or has found it as well', async () => {
    const review = (state: string, startLine: number) => ({
      ...{ turnId: 't', conversationId: 'c' },
      findings: [
        {
          ...{
            id: 'f',
            uri: 'file:///a.js',
            state,
            placement: { placed: true, startLine, endLine: startLine },
          },
          finding: {
            ...{ file: 'a.js', startLine: 1, endLine: 1, claim: 'Ends.', evidence: 'run()' },
            severity: 'error',
          },
        },
      ],
    });
    const [one, late] = [start(), start()];
    late.get(FINDINGS);
    await one.update(FINDINGS, [review('open', 0)]);
    const other = start();
    other.get(FINDINGS);
    await one.update(FINDINGS, [review('dismissed', 0)]);
    await late.update(FINDINGS, [review('open', 0)]);
    await other.update(FINDINGS, [review('open', 4)]);
    assert.deepEqual(start().get<readonly StoredReview[]>(FINDINGS), [review('dismissed', 4)]);
  });

  it('is not what one of them has deleted, also if another one has it at another place of its list', async () => {
    const [one, other] = [start(), start()];
    await other.update(DRAFTS, { a: 'Louder' });
    await one.update(DRAFTS, { x: 'Why?' });
    one.get(DRAFTS);
    await other.update(DRAFTS, {});
    await one.update(DRAFTS, { x: 'Why?', a: 'Louder', y: 'How?' });
    assert.deepEqual(start().get(DRAFTS), { x: 'Why?', y: 'How?' });
  });

  it('is a record, too, in which the last one that chose wins', async () => {
    const [one, other] = [start(), start()];
    await one.update(FORMATS, { a: { kind: 'json' }, b: { kind: 'json' } });
    await other.update(FORMATS, { c: { kind: 'json' } });
    assert.deepEqual(Object.keys(start().get<object>(FORMATS) ?? {}).toSorted(), ['a', 'b', 'c']);
    await one.update(FORMATS, { b: { kind: 'json' } });
    assert.deepEqual(Object.keys(start().get<object>(FORMATS) ?? {}).toSorted(), ['b', 'c']);
  });

  it('has a schema as one of them has chosen it, without parts of what the other one has chosen since', async () => {
    const toFormat = (schema: object) => ({ c: { kind: 'schema', name: 'S', schema } });
    const one = start();
    await one.update(FORMATS, toFormat({ type: 'object' }));
    const other = start();
    other.get(FORMATS);
    await one.update(FORMATS, toFormat({ type: 'object', required: ['a'] }));
    const last = toFormat({ type: 'object', additionalProperties: false });
    await other.update(FORMATS, last);
    assert.deepEqual(start().get(FORMATS), last);
  });

  it('has what an earlier version left, once, also if another window brings that back', async () => {
    const disk = { state: { [REMARKS]: [remark('1'), remark('2'), { text: 1 }], other: 1 } };
    const late = mementoOf(disk);
    const one = start(disk);
    assert.deepEqual(idsIn(one), ['1', '2']);
    await one.update(REMARKS, [remark('2')]);
    assert.deepEqual(disk.state, { other: 1 });
    await late.update('other', 2);
    assert.ok(REMARKS in disk.state);
    assert.deepEqual(idsIn(start(disk)), ['2']);
  });

  it('keeps a file that is damaged or of a later version, and says so, also when its item is written', async () => {
    const one = start();
    await one.update(DRAFTS, { a: 'Louder', b: 'Softer', c: 'Why?' });
    const [first = '', second = ''] = readdirSync(folder(DRAFTS)).map((name) => join(folder(DRAFTS), name));
    writeFileSync(first, '{"version":1,"id":');
    const later = JSON.stringify({ ...JSON.parse(readFileSync(second, 'utf8')), version: 2 });
    writeFileSync(second, later);
    const other = start();
    const left = Object.keys(other.get<object>(DRAFTS) ?? {});
    assert.equal(left.length, 1);
    assert.equal(warnings.filter((line) => line.includes("couldn't read")).length, 2);
    other.get(DRAFTS);
    await other.update(DRAFTS, {});
    assert.equal(warnings.length, 2, 'each once, however often the window gets the focus');
    assert.deepEqual(
      [readFileSync(first, 'utf8'), readFileSync(second, 'utf8')],
      ['{"version":1,"id":', later],
    );
    await other.update(DRAFTS, { a: 'x', b: 'x', c: 'x' });
    const texts = readdirSync(folder(DRAFTS)).map((name) => readFileSync(join(folder(DRAFTS), name), 'utf8'));
    assert.ok(texts.includes('{"version":1,"id":') && texts.includes(later));
    assert.deepEqual(start().get(DRAFTS), { a: 'x', b: 'x', c: 'x' });
  });

  it('is not disturbed by a window that ended while it wrote', async () => {
    const one = start();
    await one.update(REMARKS, [remark('1')]);
    const [name = ''] = readdirSync(folder(REMARKS));
    writeFileSync(join(folder(REMARKS), `${name}.1.new`), '{"ver');
    assert.deepEqual([idsIn(start()), warnings], [['1'], []]);
  });

  it('is written again when its folder was removed', async () => {
    const one = start();
    await one.update(REMARKS, [remark('1')]);
    rmSync(home, { recursive: true });
    await one.update(REMARKS, [remark('1'), remark('2')]);
    assert.deepEqual(idsIn(start()), ['1', '2']);
  });

  it('is in memory while it can’t be written, and is written later, with one line in the log', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const one = start();
    writeFileSync(join(home, 'items'), 'no folder can be here');
    await one.update(REMARKS, [remark('1')]);
    await one.update(REMARKS, [remark('1'), remark('2')]);
    for (let seconds = 0; seconds < 60; seconds++) mock.timers.tick(1000);
    assert.deepEqual([idsIn(one), warnings.length], [['1', '2'], 1]);
    rmSync(join(home, 'items'));
    for (let seconds = 0; seconds < 60; seconds++) mock.timers.tick(1000);
    assert.deepEqual(idsIn(start()), ['1', '2']);
    one.dispose();
  });

  it('is what an earlier version left also where nothing can be written', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    writeFileSync(join(home, 'items'), 'no folder can be here');
    const disk = { state: { [REMARKS]: [remark('1')] } };
    assert.deepEqual(idsIn(start(disk)), ['1']);
    assert.ok(REMARKS in disk.state);
  });

  it('has what an earlier version left as soon as that can be written, without a change', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    writeFileSync(join(home, 'items'), 'no folder can be here');
    const disk = { state: { [REMARKS]: [remark('1')] } };
    assert.deepEqual(idsIn(start(disk)), ['1']);
    rmSync(join(home, 'items'));
    mock.timers.tick(5000);
    assert.deepEqual([idsIn(start()), warnings.length], [['1'], 1]);
  });

  it('is not again what an earlier version left when that could be written later only', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    writeFileSync(join(home, 'items'), 'no folder can be here');
    const disk = { state: { [REMARKS]: [remark('1'), remark('2')] } };
    const copy = { state: { ...disk.state } };
    const one = start(disk);
    assert.deepEqual(idsIn(one), ['1', '2']);
    rmSync(join(home, 'items'));
    await one.update(REMARKS, [remark('2')]);
    assert.deepEqual([idsIn(start(copy)), disk.state], [['2'], {}]);
  });

  it('is nothing where its folder can’t be read, and says so', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    mkdirSync(join(home, 'items'));
    writeFileSync(folder(REMARKS), 'no folder is here');
    const one = start();
    assert.deepEqual([one.get(REMARKS), one.get(DRAFTS)], [undefined, undefined]);
    await one.update(REMARKS, [remark('1')]);
    assert.deepEqual([idsIn(one), warnings.length], [['1'], 2]);
  });

  it('is written also if another one can’t be removed, which is tried again', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const one = start();
    await one.update(REMARKS, [remark('1')]);
    const removing = mock.method(fs, 'rmSync', () => {
      throw new Error('EPERM');
    });
    syncBuiltinESMExports();
    try {
      await one.update(REMARKS, [remark('2')]);
      assert.deepEqual(idsIn(start()), ['1', '2']);
    } finally {
      removing.mock.restore();
      syncBuiltinESMExports();
    }
    mock.timers.tick(5000);
    assert.deepEqual([idsIn(start()), warnings.length], [['2'], 1]);
  });

  it('writes the others if one of them can’t be written', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const one = start();
    await one.update(REMARKS, [remark('1')]);
    const [name = ''] = readdirSync(folder(REMARKS));
    const { renameSync } = fs;
    const writing = mock.method(fs, 'renameSync', (from: string, to: string) => {
      if (to.endsWith(name)) throw new Error('EPERM');
      renameSync(from, to);
    });
    syncBuiltinESMExports();
    try {
      await one.update(REMARKS, [remark('1', 'Changed'), remark('2')]);
    } finally {
      writing.mock.restore();
      syncBuiltinESMExports();
    }
    assert.deepEqual(idsIn(start()), ['1', '2']);
    assert.equal(warnings.length, 1);
  });

  it('keeps what another one has changed when that can’t be read at the moment', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const [one, other] = [start(), start()];
    await one.update(REMARKS, [remark('1'), remark('2')]);
    other.get(REMARKS);
    await one.update(REMARKS, [remark('1', 'Changed'), remark('2')]);
    const reading = mock.method(fs, 'readFileSync', () => {
      throw new Error('EBUSY');
    });
    syncBuiltinESMExports();
    // Its lines have moved.
    await other.update(REMARKS, [{ ...remark('1'), startLine: 1, endLine: 1 }]);
    reading.mock.restore();
    syncBuiltinESMExports();
    for (let seconds = 0; seconds < 10; seconds++) mock.timers.tick(1000);
    assert.deepEqual(start().get(REMARKS), [json({ ...remark('1', 'Changed'), startLine: 1, endLine: 1 })]);
    assert.equal(readdirSync(folder(REMARKS)).length, 1);
  });

  it('is removed also when one of several can’t be read at the moment, which is removed later', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const one = start();
    await one.update(REMARKS, [remark('1'), remark('2'), remark('3')]);
    const { readFileSync } = fs;
    // The first one that is removed.
    const locked = readdirSync(folder(REMARKS)).find((name) =>
      JSON.stringify(JSON.parse(readFileSync(join(folder(REMARKS), name), 'utf8'))).includes('"id":"1"'),
    );
    const reading = mock.method(fs, 'readFileSync', (path: string, ...rest: never[]) => {
      if (path.endsWith(String(locked))) throw new Error('EBUSY');
      return readFileSync(path, ...rest);
    });
    syncBuiltinESMExports();
    await one.update(REMARKS, []);
    reading.mock.restore();
    syncBuiltinESMExports();
    assert.deepEqual(readdirSync(folder(REMARKS)), [locked]);
    for (let seconds = 0; seconds < 10; seconds++) mock.timers.tick(1000);
    assert.deepEqual(readdirSync(folder(REMARKS)), []);
  });

  it('is that of all windows without a folder, except for untitled documents', async () => {
    const one = start(undefined, 'one');
    await one.update(REMARKS, [remark('1'), remark('2', 'Why?', 'untitled:Untitled-1')]);
    await one.update(DRAFTS, { 'session untitled:Untitled-1': 'Louder', 'session file:///a': 'Softer' });
    const other = start(undefined, 'other');
    assert.deepEqual(idsIn(other), ['1']);
    assert.deepEqual(other.get(DRAFTS), { 'session file:///a': 'Softer' });
    assert.deepEqual(idsIn(start(undefined, 'one')), ['1', '2']);
    await one.update(REMARKS, [remark('1', 'untitled: give it a title'), remark('2', '"uri":"untitled:')]);
    assert.deepEqual(idsIn(start(undefined, 'other')), ['1', '2']);
  });

  it('is taken along when the window gets a second folder, also after that it is not what an earlier version left', async () => {
    const disk = { state: { [REMARKS]: [remark('1')] } as Record<string, unknown> };
    const memento = mementoOf(disk);
    const toUri = (name: string) => ({ scheme: 'file', fsPath: join(home, name) });
    const place = (name: string) =>
      toWindowPlace(
        { storageUri: toUri(name), globalStorageUri: toUri('all'), workspaceState: memento } as never,
        log,
      );
    const one = createSharedState(place('one'), memento, log);
    await one.update(REMARKS, [...(one.get<readonly Remark[]>(REMARKS) ?? []), remark('2')]);
    assert.deepEqual(idsIn(createSharedState(place('two'), memento, log)), ['1', '2']);
    assert.deepEqual(warnings, []);
  });

  it('is the workspace state where the editor has no local folder', async () => {
    const disk = { state: {} as Record<string, unknown> };
    const one = createSharedState({ home: undefined }, mementoOf(disk), log);
    await one.update(REMARKS, [remark('1')]);
    assert.deepEqual([disk.state, idsIn(one)], [{ [REMARKS]: [remark('1')] }, ['1']]);
  });
});
