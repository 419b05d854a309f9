/** The page by keyboard: toolbars, the way through the transcript, and where the focus is when something disappears. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { type ChatPage, chatPages, sharedChatPage } from '../../../support/chatPage.ts';
import {
  exchangeView,
  snapshotOf,
  surroundingsView,
  toolCallView,
  turnView,
} from '../../../support/views.ts';

const openPage = sharedChatPage();
const openNewPage = chatPages();
let chat: ChatPage;

async function prepare(open = openPage): Promise<void> {
  chat = await open();
}

const press = (...keys: readonly string[]) =>
  keys.reduce((done, key) => done.then(() => chat.page.keyboard.press(key)), Promise.resolve());
/** The name of what has the focus, or its tag. */
const focused = () =>
  chat.page.evaluate<string>(
    `document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim() ?? document.activeElement.tagName`,
  );
const box = () => chat.page.getByRole('textbox', { name: 'Message' });
const button = (name: string) => chat.page.getByRole('button', { name, exact: true }).last();
const complete = turnView('complete', { hasReasoning: true, accountLine: '50 tokens' });
const two = [
  exchangeView('e1', 'First?', 'One.\n\n```ts\nlet a;\n```\n', complete),
  exchangeView('e2', 'Second?', 'Two.', complete),
];
const around = (more: Parameters<typeof surroundingsView>[0]) => ({ surroundings: surroundingsView(more) });

describe('A page that is opened', () => {
  beforeEach(() => prepare(openNewPage));

  it('has the focus in the message box, so that one can write at once', async () => {
    await chat.send(snapshotOf(two));
    await box().and(chat.page.locator(':focus')).waitFor();
  });

  it('leaves the focus where it is when the user was faster', async () => {
    await chat.page.evaluate(`window.dispatchEvent(new PointerEvent('pointerdown'))`);
    await chat.send(snapshotOf(two));
    assert.equal(await chat.page.evaluate('document.activeElement.tagName'), 'BODY');
  });
});

describe('A toolbar', () => {
  beforeEach(() => prepare().then(() => chat.send(snapshotOf(two))));

  const stops = (name: string) =>
    chat.page
      .getByRole('toolbar', { name })
      .last()
      .getByRole('button')
      .evaluateAll((all) => all.filter((one) => one.tabIndex === 0).length);

  for (const name of ['Message actions', 'Message options', 'Code, ts'])
    it(`is one tab stop: ${name}`, async () => assert.equal(await stops(name), 1));

  it('has arrow keys, Home, and End, and comes back to the button that was used', async () => {
    await button('Copy').focus();
    await press('ArrowRight');
    assert.equal(await focused(), 'Regenerate');
    await press('End');
    assert.equal(await focused(), 'Fork');
    await press('ArrowRight');
    assert.equal(await focused(), 'Copy', 'from the last to the first');
    await press('ArrowLeft', 'ArrowLeft', 'Tab');
    assert.equal(await focused(), 'Details: 50 tokens', 'Tab leaves the toolbar');
    await press('Shift+Tab');
    assert.equal(await focused(), 'Regenerate');
    await press('Home');
    assert.equal(await focused(), 'Copy');
    assert.equal(await stops('Message actions'), 1);
  });

  it('keeps its tab stop when the page is drawn again', async () => {
    await button('Attach').focus();
    await press('ArrowRight', 'ArrowRight');
    assert.equal(await focused(), 'Effort');
    await chat.send({ type: 'surroundings', surroundings: surroundingsView({ effort: 'low' }) });
    assert.equal(await focused(), 'Effort');
    assert.equal(await stops('Message options'), 1);
  });
});

describe('Alt+Up and Alt+Down', () => {
  beforeEach(() => prepare().then(() => chat.send(snapshotOf(two))));

  it('go from message to message, and below the last one to the message box', async () => {
    await box().focus();
    const names = ['svc-k3: Done', 'You: Second?', 'svc-k3: Done', 'You: First?'];
    for (const name of names) {
      await press('Alt+ArrowUp');
      assert.equal(await focused(), name);
    }
    await press('Alt+ArrowUp');
    assert.equal(await focused(), 'You: First?', 'stays at the first one');
    for (const name of names.slice(0, 3).toReversed()) {
      await press('Alt+ArrowDown');
      assert.equal(await focused(), name);
    }
    await press('Alt+ArrowDown');
    assert.equal(await focused(), 'Message');
    assert.equal(await chat.page.locator('textarea.edit').count(), 0, 'nothing is edited');
  });

  it('are known to the editor, which opens its menu after Alt alone', async () => {
    await chat.page.evaluate(
      `globalThis.walked = []; addEventListener('keydown', (event) => globalThis.walked.push(event.key))`,
    );
    await box().focus();
    await press('Alt+ArrowUp', 'Alt+ArrowDown');
    assert.deepEqual(await chat.page.evaluate('globalThis.walked'), ['Alt', 'ArrowUp', 'Alt', 'ArrowDown']);
    assert.equal(await focused(), 'Message');
  });

  it('begin at the message that has the focus in it', async () => {
    await button('Regenerate').focus();
    await press('Alt+ArrowUp');
    assert.equal(await focused(), 'svc-k3: Done');
    await button('Regenerate').focus();
    await press('Alt+ArrowDown');
    assert.equal(await focused(), 'Message');
  });

  it('scroll to the message, which streaming text does not move away', async () => {
    const long = exchangeView('e3', 'Third?', 'A line.\n\n'.repeat(100), turnView('running'));
    await chat.send(snapshotOf([...two, long], around({ running: true })));
    await box().focus();
    await press('Alt+ArrowUp', 'Alt+ArrowUp', 'Alt+ArrowUp', 'Alt+ArrowUp', 'Alt+ArrowUp');
    assert.equal(await focused(), 'svc-k3: Done');
    const top = () => chat.page.locator('.log').evaluate((log) => log.scrollTop);
    const before = await top();
    assert.equal(typeof before, 'number');
    await chat.send({ type: 'text', turnId: 't3', reasoning: '', answer: 'And more.\n\n'.repeat(30) });
    assert.equal(await top(), before);
  });

  it('with Shift go from card to card', async () => {
    const call = toolCallView({ approval: 'a1', state: 'waiting', stateLabel: 'Waiting' });
    const turn = turnView('running', { rounds: [{ answer: '', calls: [call] }] });
    await chat.send(snapshotOf([...two, exchangeView('e3', 'Third?', '', turn)], around({ running: true })));
    await box().focus();
    await press('Alt+Shift+ArrowUp');
    assert.equal(await focused(), 'Tool call, read_file');
    await press('Alt+Shift+ArrowUp');
    assert.equal(await focused(), 'Code, ts');
    await press('Alt+Shift+ArrowDown', 'Alt+Shift+ArrowDown');
    assert.equal(await focused(), 'Message');
  });
});

describe('The focus', () => {
  beforeEach(() => prepare());

  const queue = [1, 2].map((n) => ({ id: `q${n}`, text: `Message ${n}` }));

  it('is in the message box after Stop', async () => {
    const running = [exchangeView('e1', 'Why?', '', turnView('running'))];
    await chat.send(snapshotOf(running, { ...around({ running: true }), draft: 'And then?' }));
    await button('Stop').focus();
    await press('Enter');
    await chat.send({ type: 'surroundings', surroundings: surroundingsView() });
    assert.equal(await focused(), 'Message');
  });

  it('is in the message box after Send', async () => {
    await chat.send(snapshotOf(two, { draft: 'And then?' }));
    await button('Send').focus();
    await press('Enter');
    await chat.send({ type: 'taken', conversationId: 'c1', text: 'And then?' });
    assert.equal(await focused(), 'Message');
  });

  it('goes to the next item of a list, then to the message box', async () => {
    await chat.send(snapshotOf(two, around({ queue })));
    await button('Remove Message 2').focus();
    await press('Enter');
    await chat.send({ type: 'surroundings', surroundings: surroundingsView({ queue: queue.slice(0, 1) }) });
    assert.equal(await focused(), 'Remove Message 1');
    await press('Enter');
    await chat.send({ type: 'surroundings', surroundings: surroundingsView() });
    assert.equal(await focused(), 'Message');
  });

  it('is on the answer when a button of its card is gone', async () => {
    const card = {
      tone: 'problem' as const,
      title: 'Cut off',
      body: [],
      facts: [],
      actions: [{ action: 'retry' as const, label: 'Retry' }],
      serviceWords: undefined,
    };
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', '', turnView('failed', { cards: [card] }))]));
    await button('Retry').focus();
    await press('Enter');
    await chat.send({ type: 'turn', turn: turnView('running') });
    assert.equal(await focused(), 'svc-k3: Answering');
  });

  it('is on the other button when the last attempt is shown', async () => {
    const [first] = two;
    assert.ok(first);
    await chat.send(snapshotOf([{ ...first, attempts: 2 }]));
    await button('Next attempt').focus();
    await press('Enter');
    await chat.send({ type: 'exchange', exchange: { ...first, attempt: 1, attempts: 2 } });
    assert.equal(await focused(), 'Previous attempt');
  });

  it('compares attempts from the toolbar of a message that has several', async () => {
    const [first] = two;
    assert.ok(first);
    await chat.send(snapshotOf([first]));
    assert.equal(await button('Compare Attempts').count(), 0);
    await chat.send(snapshotOf([{ ...first, attempts: 2 }]));
    await chat.posted();
    await button('Compare Attempts').press('Enter');
    assert.deepEqual(await chat.posted(), [{ type: 'compare-attempts', turnId: first.turn?.id }]);
  });

  it('is on the first message that was there when earlier ones are shown', async () => {
    await chat.send(snapshotOf(two.slice(1), { earlier: 1 }));
    await button('Show earlier messages (1)').focus();
    await press('Enter');
    await chat.send({ type: 'earlier', exchanges: two.slice(0, 1), earlier: 0 });
    assert.equal(await focused(), 'You: Second?');
  });

  it('returns from the edit box to its question, or to the message box', async () => {
    await chat.send(snapshotOf(two));
    await chat.page.getByRole('button', { name: 'Edit' }).first().focus();
    await press('Enter');
    await chat.page.locator('textarea.edit:focus').waitFor();
    await press('Escape');
    await chat.page.locator('article.you:focus').waitFor();
    assert.equal(await focused(), 'You: First?');
    await box().focus();
    await press('ArrowUp');
    await chat.page.locator('textarea.edit:focus').waitFor();
    await press('Escape');
    await chat.page.locator('.composer textarea:focus').waitFor();
  });

  it('is on the message that was found when the find bar is closed', async () => {
    await chat.send(snapshotOf(two), { type: 'open-find' });
    await chat.page.locator('.find-box:focus').waitFor();
    await chat.page.keyboard.type('One');
    const places = [{ exchangeId: 'e1', part: 'answer' as const, occurrence: 0 }];
    await chat.send({ type: 'found', words: 'One', places });
    await press('Escape');
    assert.equal(await focused(), 'svc-k3: Done');
    assert.equal(await chat.page.evaluate('document.activeElement.dataset.exchange'), 'e1');
  });

  it('does not move while the user is elsewhere on the page', async () => {
    await chat.send(snapshotOf(two, around({ queue })));
    await box().focus();
    await chat.send({ type: 'surroundings', surroundings: surroundingsView() });
    assert.equal(await focused(), 'Message');
  });
});

/** VS Code listens on the window of the page, after the page itself. */
describe('A key that is the editor’s', () => {
  const heard = () => chat.page.evaluate<readonly string[]>('globalThis.heard.splice(0)');

  beforeEach(async () => {
    await prepare();
    // Listens once, because the page is that of the test before.
    await chat.page.evaluate(`{
      if (globalThis.heard === undefined) addEventListener('keydown', ({ key }) => globalThis.heard.push(key));
      globalThis.heard = [];
    }`);
  });

  const states: Readonly<Record<string, Parameters<typeof snapshotOf>[1]>> = {
    n: { draft: 'Hello' },
    Enter: { draft: 'Hello' },
    ArrowUp: { draft: '' },
    'Alt+ArrowUp': { draft: '' },
    Escape: { ...around({ running: true }), draft: 'Hello' },
  };
  for (const [second, state] of Object.entries(states))
    it(`does nothing in the page as the second of two: Ctrl+K ${second}`, async () => {
      await chat.send(snapshotOf(two, state));
      await box().focus();
      await chat.posted();
      await press('Control+k', second);
      assert.equal(await focused(), 'Message');
      assert.equal(await box().inputValue(), state?.draft);
      assert.deepEqual(
        (await chat.posted()).filter(({ type }) => type !== 'focus-moved'),
        [],
      );
      assert.equal((await heard()).at(-1), second.replace('Alt+', ''), 'the editor hears it');
      await press('End', 'n');
      assert.equal(await box().inputValue(), `${state?.draft}n`, 'the third is typed');
    });

  it('is typed if the user was elsewhere after Ctrl+K', async () => {
    await chat.send(snapshotOf(two));
    await box().fill('');
    await press('Control+k');
    await chat.page.evaluate(`dispatchEvent(new FocusEvent('blur'))`);
    await press('n');
    assert.equal(await box().inputValue(), 'n');
  });

  it('is the page’s alone if it finds text, so that the editor opens no search beside it', async () => {
    await chat.send(snapshotOf(two));
    await box().focus();
    await press('Control+f');
    await chat.page.locator('.find-box:focus').waitFor();
    assert.deepEqual(
      (await heard()).filter((key) => key !== 'Control'),
      [],
    );
  });
});
