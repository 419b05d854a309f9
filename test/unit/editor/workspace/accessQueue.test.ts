import assert from 'node:assert/strict';
import { setImmediate as soon } from 'node:timers/promises';
import { describe, it } from 'mocha';
import type { AccessPurpose } from '../../../../src/access/accessReasons.ts';
import { window } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createAccessQueue, createAccessSeries } = await withEditorStub(
  () => import('../../../../src/editor/workspace/accessQueue.ts'),
);

describe('The access dialogs of one action about several files', () => {
  restoreAfterEach(window);

  async function ask(count: number, answers: readonly (string | undefined)[]) {
    const shown: string[] = [];
    Object.assign(window, {
      async showWarningMessage(_: string, { detail }: { readonly detail: string }) {
        shown.push(/Cancel .*/.exec(detail)?.[0] ?? '');
        return answers[shown.length - 1];
      },
    });
    const show = createAccessSeries(count);
    const allowed: boolean[] = [];
    for (let at = 0; at < count; at++) {
      const place = { realPath: `/f${at}`, requested: `/f${at}`, reasons: ['outside'] as const };
      allowed.push(await show({ purpose: 'write', places: [place], adds: [], lasts: 'once' }));
    }
    return { allowed, shown };
  }

  it('are over with Cancel, which they say, and not with Refuse', async () => {
    const { allowed, shown } = await ask(5, ['Refuse', 'Allow Once', undefined, 'Allow Once']);
    assert.deepEqual(allowed, [false, true, false, false, false]);
    const cancel = 'Cancel refuses this and all other files that you would be asked about.';
    assert.deepEqual(shown, Array(3).fill(cancel));
  });

  it('say nothing of others where there is one', async () => {
    assert.deepEqual(await ask(1, [undefined]), { allowed: [false], shown: ['Cancel also refuses.'] });
  });
});

describe('The access dialogs of tool calls that run at the same time', () => {
  restoreAfterEach(window);

  const CANCEL = 'Cancel refuses this and all other tool calls that wait for the same kind of access.';

  /**
   * Asks about files, and answers the dialogs with these buttons, of which undefined is Cancel. The first dialog opens before there
   * is another call, as it does where each call finds its file first.
   */
  async function ask(
    purposes: readonly AccessPurpose[],
    answers: readonly (string | undefined)[],
    signals: readonly AbortSignal[] = [],
  ) {
    const shown: [path: string, cancel: string][] = [];
    Object.assign(window, {
      async showWarningMessage(_: string, { detail }: { readonly detail: string }) {
        const count = shown.push([/\/(\w+)/.exec(detail)?.[1] ?? '', /Cancel .*/.exec(detail)?.[0] ?? '']);
        await allCame;
        return answers[count - 1];
      },
    });
    const show = createAccessQueue();
    let come: () => void = assert.fail;
    const allCame = new Promise<void>((resolve) => {
      come = resolve;
    });
    const asked = purposes.map(async (purpose, at) => {
      for (let turn = 0; turn < at; turn++) await soon();
      const path = `/f${at}`;
      const place = { realPath: path, requested: path, reasons: ['outside'] as const };
      return show({ purpose, places: [place], adds: [], lasts: 'once' }, signals[at]);
    });
    for (const _ of purposes) await soon();
    come();
    return { allowed: await Promise.all(asked), shown };
  }

  it('are shown one after the other, each about its own path', async () => {
    const { allowed, shown } = await ask(['read', 'read', 'read'], ['Allow Once', 'Refuse', 'Allow Once']);
    assert.deepEqual(allowed, [true, false, true]);
    assert.deepEqual(
      shown.map(([path]) => path),
      ['f0', 'f1', 'f2'],
    );
  });

  it('are over with Cancel of the first one for all that came while it was open', async () => {
    const { allowed, shown } = await ask(['read', 'read', 'propose'], [undefined, 'Allow Once']);
    assert.deepEqual(allowed, [false, false, true]);
    assert.deepEqual(shown, [
      ['f0', CANCEL],
      ['f2', CANCEL],
    ]);
  });

  it('are over with Cancel for all that wait for the same kind of access, which it says', async () => {
    const { allowed, shown } = await ask(
      [...Array<'read'>(127).fill('read'), 'propose', 'read'],
      ['Allow Once', undefined, 'Allow Once'],
    );
    assert.deepEqual(
      allowed.flatMap((isAllowed, at) => (isAllowed ? [at] : [])),
      [0, 127],
    );
    assert.deepEqual(
      shown,
      ['f0', 'f1', 'f127'].map((path) => [path, CANCEL]),
    );
  });

  it('leave out those of calls that were stopped meanwhile', async () => {
    const stopped = [new AbortController().signal, AbortSignal.abort()];
    const { allowed, shown } = await ask(['read', 'read'], ['Allow Once'], stopped);
    assert.deepEqual(allowed, [true, false]);
    assert.deepEqual(shown, [['f0', CANCEL]]);
  });
});
