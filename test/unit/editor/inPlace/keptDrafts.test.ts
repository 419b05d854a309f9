import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createKeptDrafts } from '../../../../src/editor/inPlace/keptDrafts.ts';

type Edits = Parameters<ReturnType<typeof createKeptDrafts>['keep']>[0];

/** Workspace state, which a reload keeps. */
function createState(text?: unknown) {
  const values = new Map<string, unknown>([['k3.editDrafts', text]]);
  return {
    get: <T>(key: string) => values.get(key) as T,
    update: async (key: string, value: unknown) => void values.set(key, value),
  };
}

const log = { warn: assert.fail };
const uri = (path: string) => ({ toString: () => `file:///${path}` });
const edit = (path: string, draft: string, ...steps: readonly (readonly [string, string])[]) => ({
  uri: uri(path),
  draft,
  steps: steps.map(([words, kind]) => ({ words, state: { kind } })),
});
const toEdits = (...edits: readonly ReturnType<typeof edit>[]) => edits as unknown as Edits;
const take = (kept: ReturnType<typeof createKeptDrafts>, path: string) => kept.take(uri(path) as never);

describe('What is written for edits and not sent', () => {
  it('is there after a reload, once, with the questions that waited for an answer', () => {
    const state = createState();
    const asked = [
      ['Louder.', 'sent'],
      ['Not that loud.', 'waiting'],
      ['', 'refused'],
    ] as const;
    createKeptDrafts(state, log).keep(toEdits(edit('a', 'And shorter', ...asked), edit('b', 'Softer')));
    const after = createKeptDrafts(state, log);
    assert.deepEqual([take(after, 'a'), take(after, 'a')], ['Not that loud.\n\nAnd shorter', '']);
    assert.equal(take(after, 'c'), '');
    after.keep(toEdits());
    assert.equal(take(createKeptDrafts(state, log), 'b'), 'Softer', 'as long as it isn’t taken');
    assert.equal(take(createKeptDrafts(state, log), 'a'), '');
  });

  it('is not kept when it is sent or ended, nor of more than 20 files', () => {
    const state = createState();
    const kept = createKeptDrafts(state, log);
    kept.keep(toEdits(edit('a', 'Louder')));
    kept.keep(toEdits(edit('a', '', ['Louder', 'sent'])));
    assert.equal(take(createKeptDrafts(state, log), 'a'), '');
    kept.keep(toEdits(...Array.from({ length: 21 }, (_, at) => edit(String(at), 'x'))));
    const after = createKeptDrafts(state, log);
    assert.deepEqual([take(after, '0'), take(after, '20')], ['', 'x']);
  });

  it('is left to the next edit in the file, also after a reload', () => {
    const state = createState();
    const kept = createKeptDrafts(state, log);
    const [asked] = toEdits(edit('a', '', ['Louder', 'refused'], ['Softer', 'sent']));
    assert.ok(asked);
    kept.leave(asked);
    kept.keep(toEdits());
    assert.equal(take(createKeptDrafts(state, log), 'a'), 'Louder');
    assert.deepEqual([take(kept, 'a'), take(kept, 'a')], ['Louder', '']);
  });

  it('is kept with what an earlier edit has left in the file, also when the next one is open there', () => {
    const state = createState();
    const kept = createKeptDrafts(state, log);
    const [asked] = toEdits(edit('a', '', ['Louder', 'not-sent']));
    assert.ok(asked);
    kept.leave(asked);
    kept.keep(toEdits(edit('a', 'And shorter', ['', 'sent']), edit('b', 'Softer')));
    const after = createKeptDrafts(state, log);
    assert.deepEqual([take(after, 'a'), take(after, 'b')], ['Louder\n\nAnd shorter', 'Softer']);
    assert.equal(take(kept, 'a'), 'Louder', 'what is written now is in the box of the other one');
  });

  it('is nothing if what is stored can’t be read', () => {
    assert.equal(take(createKeptDrafts(createState({ a: 1 }), log), 'a'), '');
  });
});
