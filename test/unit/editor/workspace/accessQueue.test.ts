import assert from 'node:assert/strict';
import { setImmediate as soon } from 'node:timers/promises';
import { describe, it } from 'mocha';
import type { AccessPurpose } from '../../../../src/access/accessReasons.ts';
import { window } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createAccessQueue } = await withEditorStub(
  () => import('../../../../src/editor/workspace/accessQueue.ts'),
);

describe('The access dialogs of tool calls that run at the same time', () => {
  restoreAfterEach(window);

  /** Asks about files, and answers the dialogs with these buttons, of which undefined is Cancel. */
  async function ask(
    purposes: readonly AccessPurpose[],
    answers: readonly (string | undefined)[],
    signals: readonly AbortSignal[] = [],
  ) {
    const shown: [path: string, cancel: string][] = [];
    Object.assign(window, {
      async showWarningMessage(_: string, { detail }: { readonly detail: string }) {
        shown.push([/\/(\w+)/.exec(detail)?.[1] ?? '', /Cancel .*/.exec(detail)?.[0] ?? '']);
        // Others are asked about meanwhile.
        await soon();
        return answers[shown.length - 1];
      },
    });
    const show = createAccessQueue();
    const asked = purposes.map((purpose, at) => {
      const path = `/f${at}`;
      const place = { realPath: path, requested: path, reasons: ['outside'] as const };
      return show({ purpose, places: [place], adds: [], lasts: 'once' }, signals[at]);
    });
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

  it('are over with Cancel for all that wait for the same kind of access, which it says', async () => {
    const { allowed, shown } = await ask(
      [...Array<'read'>(127).fill('read'), 'propose', 'read'],
      ['Allow Once', undefined, 'Allow Once'],
    );
    assert.deepEqual(
      allowed.flatMap((isAllowed, at) => (isAllowed ? [at] : [])),
      [0, 127],
    );
    const others = (count: number) => `Cancel also refuses ${count} other tool calls that wait for access.`;
    assert.deepEqual(shown, [
      ['f0', others(127)],
      ['f1', others(126)],
      ['f127', 'Cancel also refuses.'],
    ]);
  });

  it('leave out those of calls that were stopped meanwhile', async () => {
    const stopped = [new AbortController().signal, AbortSignal.abort()];
    const { allowed, shown } = await ask(['read', 'read'], ['Allow Once'], stopped);
    assert.deepEqual(allowed, [true, false]);
    assert.deepEqual(shown, [['f0', 'Cancel also refuses.']]);
  });
});
