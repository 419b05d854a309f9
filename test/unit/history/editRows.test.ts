import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import {
  type BoxChange,
  type BoxedEdit,
  toFree,
  toUnsentEdits,
  withBox,
} from '../../../src/conversation/editBoxes.ts';
import { type Editing, reopenDraft, type Unsent } from '../../../src/conversation/unsent.ts';
import { conversation, exchange, makeFolder, open } from './support.ts';

const [A, B] = [
  { exchangeId: 'e1', text: 'First, edited' },
  { exchangeId: 'e2', text: 'Second, edited' },
];
const open1 = conversation('c1', [exchange('e1', 'First', []), exchange('e2', 'Second', [])]);

describe('Questions that two windows edit', () => {
  let folder: string;
  let isAlive: boolean;

  beforeEach(async () => {
    folder = await makeFolder();
    isAlive = true;
  });

  /** A window that has opened the conversation, as its message box does. */
  function openWindow(history = open(folder, [], 'a window', undefined, () => isAlive)) {
    let before = history.unsent('c1');
    const reopened = reopenDraft(open1, '', before);
    let edits: readonly BoxedEdit[] = reopened.editing ? [toFree(reopened.editing)] : [];
    const keep = (parts: Partial<Unsent>) => {
      history.putUnsent('c1', parts, before);
      before = { ...before, ...parts };
    };
    if (before.otherEdits.length > 0) keep(toUnsentEdits(edits));
    return {
      shown: [reopened.editing, reopened.draft] as const,
      reload: () => openWindow(history),
      edit(box: string | undefined, next: Editing | undefined) {
        const isAt: BoxChange['isAt'] = ({ exchangeId }, id) => exchangeId === id;
        edits = withBox(edits, { page: undefined, isOpen: false, before: box, next, isAt });
        keep({ editing: toUnsentEdits(edits).editing });
      },
      addOther: (otherEdits: readonly Editing[]) => keep({ otherEdits }),
      release: () => history.releaseEdits(),
    };
  }

  it('are each in the box of their window after a reload, whichever was edited last', () => {
    const [here, there] = [openWindow(), openWindow()];
    here.edit(undefined, A);
    there.edit(undefined, B);
    assert.deepEqual(
      [here.reload().shown, there.reload().shown],
      [
        [A, ''],
        [B, ''],
      ],
    );
    const longer = { ...A, text: 'First, edited twice' };
    const again = here.reload();
    again.edit('e1', longer);
    assert.deepEqual(
      [again.reload().shown, there.reload().shown],
      [
        [longer, ''],
        [B, ''],
      ],
    );
  });

  it('stay when the other window closes its box, and what was closed does not come back', () => {
    const [here, there] = [openWindow(), openWindow()];
    here.edit(undefined, A);
    there.edit(undefined, B);
    here.edit('e1', undefined);
    assert.deepEqual([here.reload().shown[1], there.reload().shown], ['', [B, '']]);
    there.edit('e2', undefined);
    assert.deepEqual(
      [here, there].map((one) => one.reload().shown),
      [
        [undefined, ''],
        [undefined, ''],
      ],
    );
  });

  it('stay beside what their window sends meanwhile', () => {
    const [here, there] = [openWindow(), openWindow()];
    here.edit(undefined, A);
    there.edit(undefined, B);
    here.addOther([{ ...B, text: 'On its way' }]);
    assert.deepEqual(here.reload().shown, [A, 'On its way']);
    assert.deepEqual(there.reload().shown, [B, '']);
  });

  it('go to the next window that opens when theirs was closed or killed', () => {
    for (const end of ['closed', 'killed']) {
      isAlive = true;
      const [here, there] = [openWindow(), openWindow()];
      here.edit(undefined, A);
      there.edit(undefined, B);
      if (end === 'closed') for (const one of [here, there]) one.release();
      else isAlive = false;
      const next = openWindow();
      assert.deepEqual(next.shown, [B, A.text], end);
      // It has taken them, and closes its box.
      next.edit('e2', undefined);
      assert.deepEqual(next.reload().shown, [undefined, ''], end);
    }
  });

  it('are kept when a window that was open all the time goes on after the other one was killed', () => {
    const [here, there] = [openWindow(), openWindow()];
    here.edit(undefined, A);
    isAlive = false;
    there.edit(undefined, B);
    assert.deepEqual(openWindow().shown, [B, A.text]);
  });

  it('stay when the other window shows them, and edits another question beside them', () => {
    const here = openWindow();
    here.edit(undefined, A);
    const there = openWindow();
    assert.deepEqual(there.shown, [A, '']);
    // Its second panel, and then the first one again.
    there.addOther([A]);
    there.edit(undefined, B);
    there.edit('e2', { ...B, text: 'Longer' });
    there.addOther([]);
    assert.deepEqual(here.reload().shown, [A, '']);
  });

  it('are two when it is the same question: each window gives up its own text only', () => {
    const here = openWindow();
    here.edit(undefined, A);
    const there = openWindow();
    assert.deepEqual(there.shown, [A, '']);
    const last = { ...A, text: 'Of there' };
    there.edit('e1', last);
    assert.deepEqual(
      [here, there].map((one) => one.reload().shown),
      [
        [A, ''],
        [last, ''],
      ],
    );
    assert.deepEqual(openWindow().shown, [last, '']);
    there.edit('e1', undefined);
    assert.deepEqual(
      [there.reload().shown, here.reload().shown],
      [
        [undefined, ''],
        [A, ''],
      ],
    );
    here.edit('e1', undefined);
    assert.deepEqual(here.reload().shown, [undefined, '']);
  });

  it('go on in the window that shows what another one left, and are one then', () => {
    const here = openWindow();
    here.edit(undefined, A);
    const there = openWindow();
    here.release();
    const longer = { ...A, text: 'First, edited twice' };
    there.edit('e1', longer);
    assert.deepEqual(
      [there.reload().shown, openWindow().shown],
      [
        [longer, ''],
        [longer, ''],
      ],
    );
    there.edit('e1', undefined);
    assert.deepEqual(
      [there.reload().shown, openWindow().shown],
      [
        [undefined, ''],
        [undefined, ''],
      ],
    );
  });

  it('are both given to the next window when it is the same question', () => {
    const here = openWindow();
    here.edit(undefined, A);
    const there = openWindow();
    const last = { ...A, text: 'Of there' };
    there.edit('e1', last);
    for (const one of [here, there]) one.release();
    assert.deepEqual(openWindow().shown, [last, A.text]);
  });
});
