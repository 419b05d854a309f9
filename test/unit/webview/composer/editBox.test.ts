import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { PanelState } from '../../../../src/panel/panelState.ts';
import { createEditBox } from '../../../../src/webview/composer/editBox.ts';

type Shown = Parameters<ReturnType<typeof createEditBox>['show']>[0];

const shown = (
  conversationId: string,
  ids: readonly string[],
  editing?: PanelState['editing'],
  movedEdits: Shown['movedEdits'] = [],
): Shown => ({
  conversationId,
  movedEdits,
  exchanges: ids.map((id) => ({ id })) as unknown as PanelState['exchanges'],
  editing,
});

describe('The edit box of a question', () => {
  function box() {
    const posted: unknown[] = [];
    const made = createEditBox({
      unread: { edit: () => undefined },
      post: (message, conversation) => posted.push({ ...message, conversation }),
    });
    return { ...made, posted };
  }
  const sent = (text: string | undefined, before: string | undefined = 'e1', conversation = 'c1') => ({
    type: 'editing',
    before,
    editing: text === undefined ? undefined : { exchangeId: 'e1', text },
    conversation,
  });
  const opened = (text: string) => ({ ...sent(text), before: undefined });

  it('is as the host kept it when the page is loaded', () => {
    const edited = box();
    edited.show(shown('c1', ['e1', 'e2'], { exchangeId: 'e1', text: 'Why not?' }));
    assert.deepEqual(edited.current(), { exchangeId: 'e1', text: 'Why not?' });
    assert.deepEqual(edited.posted, []);
  });

  it('tells the host when it is opened or closed, and each change of its text at once', () => {
    const edited = box();
    edited.show(shown('c1', ['e1', 'e2']));
    edited.edit({ exchangeId: 'e1', text: 'Why?' });
    edited.edit({ exchangeId: 'e1', text: 'Why n' });
    edited.edit({ exchangeId: 'e1', text: 'Why no' });
    edited.edit(undefined);
    assert.deepEqual(edited.posted, [opened('Why?'), sent('Why n'), sent('Why no'), sent(undefined)]);
  });

  describe('with a long text', () => {
    beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
    afterEach(() => mock.timers.reset());
    const long = 'x'.repeat(50_001);

    /** A box in which keys have made the text long. */
    function typed() {
      const edited = box();
      edited.show(shown('c1', ['e1', 'e2']));
      edited.edit({ exchangeId: 'e1', text: 'Why?' });
      for (const text of [long, `${long}a`, `${long}ab`]) edited.edit({ exchangeId: 'e1', text });
      assert.deepEqual(edited.posted, [opened('Why?')]);
      return edited;
    }

    it('tells the host after a pause, as the message box does', () => {
      const { posted } = typed();
      mock.timers.tick(300);
      assert.deepEqual(posted, [opened('Why?'), sent(`${long}ab`)]);
      mock.timers.tick(10_000);
      assert.equal(posted.length, 2);
    });

    it('tells the host at once when it loses the focus, or when another conversation is shown', () => {
      for (const leave of [
        (edited: ReturnType<typeof box>) => edited.flush(),
        (edited: ReturnType<typeof box>) => edited.show(shown('c2', ['e9'])),
      ]) {
        const edited = typed();
        leave(edited);
        mock.timers.tick(10_000);
        assert.deepEqual(edited.posted, [opened('Why?'), sent(`${long}ab`)]);
      }
    });

    it('sends nothing after it was closed', () => {
      const edited = typed();
      edited.edit(undefined);
      mock.timers.tick(10_000);
      assert.deepEqual(edited.posted, [opened('Why?'), sent(undefined)]);
    });
  });

  it('keeps its text when the page is sent again, also while the question is not there or the conversation is deleted', () => {
    const edited = box();
    edited.show(shown('c1', ['e1', 'e2']));
    edited.edit({ exchangeId: 'e1', text: 'Why not?' });
    edited.show(shown('c1', ['e1', 'e2']));
    edited.show(shown('c1', ['e3']));
    edited.show(shown('c1', []));
    edited.show(shown('c1', ['e1', 'e2'], { exchangeId: 'e1', text: 'Why' }));
    assert.deepEqual(edited.current(), { exchangeId: 'e1', text: 'Why not?' });
  });

  it('goes to the version of its question that another window has asked', () => {
    const edited = box();
    edited.show(shown('c1', ['e1', 'e2']));
    edited.edit({ exchangeId: 'e1', text: 'Why not?' });
    edited.show(shown('c1', ['new'], { exchangeId: 'new', text: 'Why' }, [{ from: 'e1', to: 'new' }]));
    assert.deepEqual(edited.current(), { exchangeId: 'new', text: 'Why not?' });
  });

  it('stays at its question when another version of one before it is shown, and never goes to that of another panel', () => {
    const edited = box();
    edited.show(shown('c1', ['e1', 'e2', 'e3']));
    edited.edit({ exchangeId: 'e3', text: 'Third?' });
    const other = { exchangeId: 'e1', text: 'Why?' };
    edited.show(shown('c1', ['e1', 'new'], other));
    assert.deepEqual(edited.current(), { exchangeId: 'e3', text: 'Third?' });
    edited.show(shown('c1', ['e1', 'e2', 'new'], other, [{ from: 'e3', to: 'new' }]));
    assert.deepEqual(edited.current(), { exchangeId: 'new', text: 'Third?' });
  });

  it('tells the host which question its box had before, because another panel can have another box', () => {
    const edited = box();
    edited.show(shown('c1', ['e1', 'e2'], { exchangeId: 'e2', text: 'And' }));
    edited.edit({ exchangeId: 'e1', text: 'Why?' });
    edited.show(shown('c1', ['new', 'e2'], { exchangeId: 'new', text: 'Why?' }, [{ from: 'e1', to: 'new' }]));
    edited.edit({ exchangeId: 'new', text: 'Why n' });
    edited.edit(undefined);
    edited.show(shown('c2', ['f1']));
    edited.edit({ exchangeId: 'e1', text: 'Why?' });
    assert.deepEqual(edited.posted, [
      { ...sent('Why?'), before: 'e2' },
      { ...sent('Why n'), editing: { exchangeId: 'new', text: 'Why n' } },
      { ...sent(undefined), before: 'new' },
      { ...opened('Why?'), conversation: 'c2' },
    ]);
  });

  it('sends its last text to its own conversation when another one is shown', () => {
    const edited = box();
    edited.show(shown('c1', ['e1']));
    edited.edit({ exchangeId: 'e1', text: 'Why' });
    edited.edit({ exchangeId: 'e1', text: 'Why not?' });
    edited.show(shown('c2', ['f1']));
    assert.equal(edited.current(), undefined);
    assert.deepEqual(edited.posted.at(-1), sent('Why not?'));
    assert.equal(edited.posted.length, 2);
  });

  it('takes a question that was not sent while it is free, and has it, and else tells the host that it has none', () => {
    const edited = box();
    edited.show(shown('c1', ['e1', 'e2']));
    const [one, two] = [
      { exchangeId: 'e1', text: 'Why?' },
      { exchangeId: 'e2', text: 'And?' },
    ];
    assert.equal(edited.mayTake(two), true);
    edited.edit(one);
    const older = { ...one, text: 'How?' };
    assert.deepEqual([one, two, older].map(edited.mayTake), [true, false, false]);
    edited.leave('e2');
    assert.deepEqual(edited.posted.at(-1), { ...sent('Why?'), before: 'e2' });
    edited.edit({ exchangeId: 'e1', text: 'Why n' });
    assert.deepEqual(edited.posted.at(-1), sent('Why n'));
  });
});
