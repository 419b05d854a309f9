import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'mocha';
import { CancellationTokenSource } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { withSignal, withToken } = await withEditorStub(
  () => import('../../../../src/editor/base/cancellation.ts'),
);

describe('A signal for a token of the editor', () => {
  const toSource = () => {
    const source = new CancellationTokenSource();
    const { onCancellationRequested } = source.token;
    let listeners = 0;
    const token = {
      get isCancellationRequested() {
        return source.token.isCancellationRequested;
      },
      onCancellationRequested(listener: (event: unknown) => unknown) {
        listeners++;
        const listening = onCancellationRequested(listener);
        return {
          dispose() {
            listeners--;
            listening.dispose();
          },
        };
      },
    };
    return { token, cancel: () => source.cancel(), listeners: () => listeners };
  };

  it('aborts when the token is canceled, and listens no longer than it is needed', async () => {
    const { token, cancel, listeners } = toSource();
    const aborted = await withSignal(token, async (signal) => {
      assert.equal(signal.aborted, false);
      cancel();
      return signal.aborted;
    });
    assert.deepEqual([aborted, listeners()], [true, 0]);
  });

  it('is aborted if the token was canceled before, and nothing listens after a failure', async () => {
    const { token, cancel, listeners } = toSource();
    cancel();
    const failing = withSignal(token, async (signal) => {
      throw new Error(String(signal.aborted));
    });
    await assert.rejects(failing, { message: 'true' });
    assert.equal(listeners(), 0);
  });
});

describe('A token of the editor for a signal', () => {
  it('listens to the signal no longer than it is needed, also after a failure', async () => {
    const { signal } = new AbortController();
    await withToken(signal, async () => undefined);
    await assert.rejects(withToken(signal, async () => Promise.reject(new Error('broken'))));
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });

  it('is canceled when the signal aborts, or if it was aborted before', async () => {
    const control = new AbortController();
    const seen: boolean[] = [];
    for (let count = 0; count < 2; count++)
      await withToken(control.signal, async (token) => {
        seen.push(token.isCancellationRequested);
        control.abort();
        seen.push(token.isCancellationRequested);
      });
    assert.deepEqual(seen, [false, true, true, true]);
  });
});
