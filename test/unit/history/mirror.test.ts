import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { createMirror } from '../../../src/history/mirror.ts';

describe('A value that two windows change', () => {
  let stored: readonly string[] | undefined;
  let gone: boolean;
  beforeEach(() => {
    stored = ['one'];
    gone = false;
  });

  const open = () =>
    createMirror<readonly string[]>({
      empty: [],
      read: () => (gone ? undefined : stored),
      change(_, toNext) {
        if (gone) return undefined;
        stored = toNext(stored ?? []);
        return stored;
      },
      setUnseen: (_, value) => value,
      join: (other) => other,
    });
  const adding = (text: string) => (before: readonly string[]) => [...before, text];

  it('has the changes of both that were made while the disk was gone', () => {
    const [here, there] = [open(), open()];
    here.get('c1');
    gone = true;
    here.change('c1', adding('here'));
    there.change('c1', adding('there'));
    assert.deepEqual(here.get('c1'), ['one', 'here']);
    gone = false;
    here.writeDue();
    there.writeDue();
    assert.deepEqual(stored, ['one', 'here', 'there']);
    here.refresh();
    assert.deepEqual(here.get('c1'), stored);
  });

  it('is kept as a whole after many changes that could not be written', () => {
    const here = open();
    gone = true;
    let made = 0;
    for (let at = 0; at < 1000; at++)
      here.change('c1', (before) => {
        made += 1;
        return [...before, String(at)].slice(-3);
      });
    assert.deepEqual(here.get('c1'), ['997', '998', '999']);
    made = 0;
    gone = false;
    here.writeDue();
    assert.ok(made < 200, `${made} changes`);
    assert.deepEqual(stored?.slice(-3), ['997', '998', '999']);
  });
});
