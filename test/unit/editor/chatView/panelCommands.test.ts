import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createPanelCommands } from '../../../../src/editor/chatView/panelCommands.ts';

describe('The commands of a panel', () => {
  function create() {
    const sent: string[] = [];
    let open = false;
    const commands = createPanelCommands({
      channel: {
        isOpen: () => open,
        send: ({ type }) => sent.push(type),
      },
      posts: { reach: (exchangeId) => void sent.push(`reach ${exchangeId}`) },
    });
    const becomeReady = () => {
      open = true;
      commands.ready();
    };
    return { commands, sent, becomeReady };
  }

  it('wait for a page that is loading, and come in their order, once', () => {
    const { commands, sent, becomeReady } = create();
    commands.send({ type: 'focus' });
    commands.send({ type: 'open-find' });
    assert.deepEqual(sent, []);
    becomeReady();
    commands.ready();
    assert.deepEqual(sent, ['focus', 'open-find']);
  });

  it('don’t give a page the focus that has gone elsewhere while it was loading', () => {
    const { commands, sent, becomeReady } = create();
    commands.send({ type: 'focus' });
    commands.send({ type: 'refocus' });
    commands.forgetFocus();
    becomeReady();
    assert.deepEqual(sent, ['refocus']);
  });

  it('put the exchange that they are about on the page first', () => {
    const { commands, sent, becomeReady } = create();
    becomeReady();
    commands.send({ type: 'show-map', exchangeId: 'x', turnId: 't' });
    assert.deepEqual(sent, ['reach x', 'show-map']);
  });
});
