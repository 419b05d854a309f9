import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { ChatPanel } from '../../../../src/editor/chatView/chatPanel.ts';
import type { SideViewDeps } from '../../../../src/editor/chatView/sideView.ts';
import { window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createSideView } = await withEditorStub(() => import('../../../../src/editor/chatView/sideView.ts'));

interface View {
  badge?: { readonly value: number } | undefined;
  close(): void;
}

describe('The badge of the chat in the side bar', () => {
  const before = { ...window };
  afterEach(() => void Object.assign(window, before));

  it('is on a view that is opened, or opened again, after the answers arrived', () => {
    let resolve = (_view: unknown): void => assert.fail();
    Object.assign(window, {
      registerWebviewViewProvider(_: string, provider: { resolveWebviewView(view: unknown): void }) {
        resolve = (view) => provider.resolveWebviewView(view);
        return { dispose: () => undefined };
      },
    });
    const nothing = () => undefined;
    const side = createSideView({
      conversations: { current: () => ({ id: 'side' }) },
      panels: { setSide: nothing, check: nothing, remove: nothing, focusBox: nothing },
      fill: () => ({}) as ChatPanel,
      log: { warn: assert.fail },
    } as unknown as SideViewDeps);
    side.register();
    const open = (): View => {
      let close: () => void = assert.fail;
      const view = {
        onDidChangeVisibility: nothing,
        onDidDispose: (listener: () => void) => (close = listener),
        close: () => close(),
      };
      resolve(view);
      return view;
    };
    side.showBadge(2);
    const first = open();
    assert.equal(first.badge?.value, 2);
    first.close();
    assert.equal(open().badge?.value, 2);
    side.showBadge(undefined);
    assert.equal(open().badge, undefined);
  });
});
