/** Find in the conversation, on the page of the chat alone in a browser. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { type FindMatch, MAX_MATCHES } from '../../../src/conversation/findMatches.ts';
import { type ChatPage, DRAWN, isTrue, sharedChatPage } from '../../support/chatPage.ts';
import { eventually } from '../../support/eventually.ts';
import { framedPages } from '../../support/framedPage.ts';
import { exchangeView, snapshotOf, turnView } from '../../support/views.ts';

const openPage = sharedChatPage();
const openFramed = framedPages();
let chat: ChatPage;

const said = (id: string, answer: string) => exchangeView(id, 'Why?', answer, turnView('complete'));
const inAnswer = (exchangeId: string, occurrence = 0) =>
  ({ exchangeId, part: 'answer', occurrence }) as const;

/** Searches, and answers as the host does. */
async function find(words: string, ...places: readonly FindMatch[]): Promise<void> {
  await chat.send({ type: 'open-find' });
  await chat.page.locator('.find-box').fill(words);
  await chat.send({ type: 'found', words, places });
}

const status = () => chat.page.locator('.find-count').textContent();
const searches = async () => (await chat.posted()).filter(({ type }) => type === 'find');
const isCurrent = (text: string) =>
  isTrue(
    chat.page,
    `[...CSS.highlights.get('found-current') ?? []].map(String).join() === ${JSON.stringify(text)}`,
  );

describe('A search in the conversation', () => {
  beforeEach(async () => {
    chat = await openPage();
    await chat.send(snapshotOf([said('e1', 'It adds up.'), said('e2', 'So it adds up, and adds.')]));
    await find('adds', inAnswer('e1'), inAnswer('e2'), inAnswer('e2', 1));
    assert.equal(await status(), '3 of 3');
    await chat.posted();
  });

  it('marks letters with marks in both of their forms', async () => {
    for (const form of ['NFC', 'NFD']) {
      await chat.send(snapshotOf([said('e1', 'İ: the *Café* é is old.'.normalize(form))]));
      for (const words of ['café é', 'café é'.normalize('NFD')]) {
        await find(words, inAnswer('e1'));
        await isCurrent('Café é'.normalize(form));
      }
    }
  });

  it('is made again in another conversation, whose places it then shows', async () => {
    await chat.send(snapshotOf([said('e7', 'Nothing adds.')], { conversationId: 'c2' }));
    assert.deepEqual(await searches(), [{ type: 'find', words: 'adds' }]);
    assert.notEqual(await status(), '3 of 3');
    await chat.send({ type: 'found', words: 'adds', places: [inAnswer('e7')] });
    assert.equal(await status(), '1 of 1');
    await isCurrent('adds');
    // One that found nothing, too.
    await find('up');
    await chat.posted();
    await chat.send(snapshotOf([said('e1', 'It adds up.')]));
    assert.deepEqual(await searches(), [{ type: 'find', words: 'up' }]);
  });

  it('says that there are more places than those that it goes through', async () => {
    const places = Array.from({ length: MAX_MATCHES }, () => inAnswer('e1'));
    await find('adds', ...places.slice(1));
    assert.equal(await status(), '9,999 of 9,999');
    await find('adds', ...places);
    assert.equal(await status(), '10,000 of 10,000+');
  });

  it('colors its places in all texts, the current one differently', async () => {
    await chat.page.evaluate(`
      document.documentElement.style.setProperty('--vscode-editor-findMatchHighlightBackground', 'rgb(250, 200, 0)');
      document.documentElement.style.setProperty('--vscode-editor-findMatchBackground', 'rgb(0, 200, 250)');
    `);
    const colorOf = (name: string) =>
      chat.page.evaluate<string>(
        `getComputedStyle(document.querySelector('.answer p'), '::highlight(${name})').backgroundColor`,
      );
    assert.deepEqual(
      [await colorOf('found'), await colorOf('found-current')],
      ['rgb(250, 200, 0)', 'rgb(0, 200, 250)'],
    );
  });

  it('is made again when another branch is shown, which doesn’t have the place', async () => {
    await chat.send(snapshotOf([said('e1', 'It adds up.'), said('e3', 'No.')]));
    assert.deepEqual(await searches(), [{ type: 'find', words: 'adds' }]);
    await chat.send({ type: 'found', words: 'adds', places: [inAnswer('e1')] });
    assert.equal(await status(), '1 of 1');
  });

  it('that found nothing is made again with Enter, because the answer may have gone on', async () => {
    await find('whole');
    await chat.posted();
    await chat.page.keyboard.press('Enter');
    assert.deepEqual(await searches(), [{ type: 'find', words: 'whole' }]);
    await find('adds', inAnswer('e1'), inAnswer('e2'));
    await chat.posted();
    await chat.page.keyboard.press('Enter');
    await chat.send();
    assert.deepEqual([await searches(), await status()], [[], '1 of 2']);
  });

  it('is made again with a snapshot if its results are not there yet, which the page may have missed', async () => {
    await chat.page.locator('.find-box').fill('up');
    assert.deepEqual(await searches(), [{ type: 'find', words: 'up' }]);
    const all = [said('e1', 'It adds up.'), said('e2', 'So it adds up, and adds.')];
    await chat.send(snapshotOf(all));
    assert.deepEqual(await searches(), [{ type: 'find', words: 'up' }]);
    await chat.send({ type: 'found', words: 'up', places: [inAnswer('e1'), inAnswer('e2')] });
    assert.equal(await status(), '2 of 2');
    await chat.send(snapshotOf(all));
    assert.deepEqual(await searches(), []);
  });

  it('is not made again for a snapshot that has the place, such as the one that was requested', async () => {
    await find('late', inAnswer('e9'));
    const asked = await chat.posted();
    assert.ok(asked.some(({ type }) => type === 'show-exchange'));
    await chat.send(snapshotOf([said('e9', 'Too late.')]));
    await isCurrent('late');
    assert.deepEqual(await searches(), []);
    assert.equal(await status(), '1 of 1');
  });
});

describe('A search in an answer that goes on', () => {
  const running = { ...turnView('running'), id: 't2' };
  const stream = (...texts: readonly string[]) =>
    chat.send(
      ...texts.map((answer) => ({ type: 'text', turnId: running.id, reasoning: '', answer }) as const),
    );
  const searched = (count: number) =>
    eventually(async () => {
      asked.push(...(await searches()));
      assert.equal(asked.length, count);
    });
  const top = () => chat.page.evaluate<number>(`document.querySelector('.log').scrollTop`);
  let asked: unknown[];

  beforeEach(async () => {
    asked = [];
    chat = await openPage();
    const long = said('e1', `It adds up.\n\n${'And so on.\n\n'.repeat(40)}`);
    await chat.send(snapshotOf([long, exchangeView('e2', 'Why?', 'It adds.', running)]));
  });

  it('counts and marks what has come, without going anywhere', async () => {
    await find('adds', inAnswer('e1'), inAnswer('e2'));
    await chat.page.keyboard.press('Shift+Enter');
    await isTrue(chat.page, `document.querySelector('.log').scrollTop < 100`);
    await isCurrent('adds');
    await chat.posted();
    const before = await top();
    await stream(' And', ' adds', ' more.');
    await searched(1);
    await chat.send({
      type: 'found',
      words: 'adds',
      places: [inAnswer('e1'), inAnswer('e2'), inAnswer('e2', 1)],
    });
    assert.equal(await status(), '1 of 3');
    await isTrue(chat.page, `CSS.highlights.get('found').size === 2`);
    await isCurrent('adds');
    assert.equal(await top(), before);
    assert.equal(await chat.page.locator('.find-count').getAttribute('aria-live'), 'off');
    // The user goes on.
    await chat.page.keyboard.press('Enter');
    await chat.send();
    assert.equal(await status(), '2 of 3');
    assert.equal(await chat.page.locator('.find-count').getAttribute('aria-live'), 'polite');
  });

  it('is made at most once in a second, and once more after the last text', async () => {
    await find('adds', inAnswer('e1'), inAnswer('e2'));
    await chat.posted();
    const answerAll = async (...places: readonly ReturnType<typeof inAnswer>[]) => {
      const made = await searches();
      for (const _ of made) await chat.send({ type: 'found', words: 'adds', places });
      return made.length;
    };
    const begun = Date.now();
    let count = 0;
    while (Date.now() - begun < 2500) {
      await stream(' more');
      count += await answerAll(inAnswer('e1'), inAnswer('e2'));
    }
    const seconds = (Date.now() - begun) / 1000;
    assert.ok(count > 0 && count <= seconds, `${count} searches in ${seconds} s`);
    await stream(' adds');
    const whole = [inAnswer('e1'), inAnswer('e2'), inAnswer('e2', 1)] as const;
    await eventually(async () => {
      await answerAll(...whole);
      assert.equal(await status(), '2 of 3');
    });
    // A search may have been made before the last text, and the one after it comes late on a busy machine.
    await chat.page.waitForTimeout(2400);
    await answerAll(...whole);
    await chat.page.waitForTimeout(1200);
    assert.deepEqual(await searches(), []);
  });

  it('that has found nothing says how much there is now, and goes to the first with Enter', async () => {
    await find('sums');
    await chat.posted();
    const before = await top();
    await stream(' sums and sums');
    await searched(1);
    await chat.send({ type: 'found', words: 'sums', places: [inAnswer('e2'), inAnswer('e2', 1)] });
    assert.equal(await status(), '? of 2');
    await isTrue(chat.page, `CSS.highlights.get('found').size === 2`);
    assert.equal(await top(), before);
    await chat.page.keyboard.press('Shift+Enter');
    await chat.send();
    assert.equal(await status(), '2 of 2');
    await chat.page.keyboard.press('Enter');
    await chat.send();
    assert.equal(await status(), '1 of 2');
  });

  it('is not made when it is closed, or has no words', async () => {
    await find('adds', inAnswer('e1'));
    await chat.posted();
    await stream(' adds');
    await chat.page.keyboard.press('Escape');
    await chat.page.waitForTimeout(1200);
    await chat.send({ type: 'open-find' });
    await stream(' adds');
    await chat.page.waitForTimeout(1200);
    assert.deepEqual(await searches(), []);
  });
});

describe('A search in a long conversation, of which the page has a part', () => {
  it('stays at its place when the page gets another part, which was requested before', async () => {
    chat = await openPage();
    await chat.send(snapshotOf([said('e9', 'It adds up.')]));
    await find('adds', inAnswer('e1'), inAnswer('e5'), inAnswer('e9'));
    // Back to e5, and at once to e1.
    await chat.page.keyboard.press('Shift+Enter');
    await chat.page.keyboard.press('Shift+Enter');
    await chat.send();
    assert.equal(await status(), '1 of 3');
    await chat.posted();
    await chat.send(snapshotOf([said('e5', 'Adds.'), said('e6', 'No.')]));
    assert.equal(await status(), '1 of 3');
    for (const _ of await searches())
      await chat.send({ type: 'found', words: 'adds', places: ['e1', 'e5', 'e9'].map((id) => inAnswer(id)) });
    assert.equal(await status(), '1 of 3');
    await chat.send(snapshotOf([said('e1', 'It adds.'), said('e2', 'No.')]));
    await isCurrent('adds');
    assert.deepEqual([await searches(), await status()], [[], '1 of 3']);
  });
});

describe('What is found in a conversation', () => {
  it('is shown in the text of a JSON answer, of which the tree has only a part, and not in its controls', async () => {
    const structured = {
      name: 'JSON',
      state: 'fits',
      summary: 'A JSON object',
      errors: [],
      brokenAt: undefined,
      repairable: false,
    } as const;
    const answer = '{"a": {"b": {"c": {"json": "needle"}}}}';
    chat = await openPage();
    // The page goes on showing the answers of this turn as text.
    await chat.send(snapshotOf([exchangeView('e61', 'Why?', answer, turnView('complete', { structured }))]));
    assert.equal(await chat.page.getByText('needle').count(), 0);
    await find('json', inAnswer('e61'));
    await isCurrent('json');
    const line = `[...CSS.highlights.get('found-current')][0].startContainer.parentElement.closest('pre').textContent`;
    assert.equal(await chat.page.evaluate(line), answer);
    await chat.page.getByRole('button', { name: 'Tree' }).click();
    await find('needle', inAnswer('e61'));
    await isCurrent('needle');
    // Colors, which come when the page is idle, would end the mark.
    await chat.page.evaluate('new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 50)))');
    await isCurrent('needle');
  });

  it('unfolds a long question whose place is not among the lines that are shown', async () => {
    chat = await openPage();
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`);
    await chat.send(
      snapshotOf([exchangeView('e1', [...lines, 'needle'].join('\n'), 'So.', turnView('complete'))]),
    );
    await chat.page.getByRole('button', { name: 'Show more' }).waitFor();
    await find('needle', { exchangeId: 'e1', part: 'question', occurrence: 0 });
    await isCurrent('needle');
    await chat.page.getByRole('button', { name: 'Show less' }).waitFor();
    const isInView = `(() => {
      const place = [...CSS.highlights.get('found-current')][0].getBoundingClientRect();
      const question = document.querySelector('.question').getBoundingClientRect();
      return place.bottom <= question.bottom + 1;
    })()`;
    await isTrue(chat.page, isInView);
  });

  it('stays marked when its text becomes a link, which is known later', async () => {
    chat = await openPage();
    // No other test has told the page of these files.
    await chat.send(snapshotOf([said('e1', 'It is in src/needle.find.ts, and in `src/other.find.ts`.')]));
    await find('needle', inAnswer('e1'));
    await isCurrent('needle');
    assert.equal(await chat.page.locator('.path-link').count(), 0);
    await chat.send({ type: 'paths', existing: ['src/needle.find.ts', 'src/other.find.ts'], missing: [] });
    await chat.page.getByRole('link', { name: 'src/needle.find.ts' }).waitFor();
    await isCurrent('needle');
  });

  it('stays marked in code that is colored later', async () => {
    chat = await openPage();
    await chat.send(snapshotOf([]));
    await find('needle', inAnswer('e1'));
    const code = `const needle = 1;\n${'let more = 2;\n'.repeat(2000)}`;
    await chat.send(snapshotOf([said('e1', `\`\`\`ts\n${code}\`\`\`\n`)]));
    await chat.page.locator('code [class^=hljs]').first().waitFor({ state: 'attached' });
    await isCurrent('needle');
  });

  it('is marked in earlier messages, too, when these are shown', async () => {
    chat = await openPage();
    await chat.send(snapshotOf([said('e2', 'A needle.')], { earlier: 1 }));
    await find('needle', inAnswer('e1'), inAnswer('e2'));
    await isCurrent('needle');
    await chat.send({ type: 'earlier', earlier: 0, exchanges: [said('e1', 'Another needle.')] });
    await isTrue(chat.page, `CSS.highlights.get('found').size === 1`);
    assert.equal(await status(), '2 of 2');
    await isCurrent('needle');
  });

  it('is marked behind letters that are longer in lower case', async () => {
    chat = await openPage();
    await chat.send(snapshotOf([said('e1', 'İSTANBUL, İZMİR: 𝒳 needle İ, and no more.')]));
    await find('needle', inAnswer('e1'));
    await isCurrent('needle');
    await find('izmir'.replaceAll('i', 'İ').toLowerCase(), inAnswer('e1'));
    await isCurrent('İZMİR');
    await find('needle İ', inAnswer('e1'));
    await isCurrent('needle İ');
  });
});

describe('A search on a page that is a few pixels higher than what the editor shows of it', () => {
  it('scrolls the log only, so that the search stays visible', async () => {
    const page = await openFramed(
      (address) =>
        `<div id="around" style="height: 395px; overflow: hidden"><iframe src="${address}" style="display: block; height: 400px"></iframe></div>`,
    );
    const frame = page.frames()[1];
    assert.ok(frame);
    const receive = (seq: number, message: unknown) =>
      frame.evaluate(`postMessage({ ...${JSON.stringify(message)}, seq: ${seq} }, '*'); ${DRAWN}`);
    const long = 'One more line.\n\n'.repeat(40);
    await eventually(async () => {
      await receive(1, snapshotOf([said('e1', `${long}It adds up.`)]));
      assert.equal(await frame.locator('.answer').count(), 1);
    });
    await receive(2, { type: 'open-find' });
    await frame.locator('.find-box').fill('adds');
    await receive(3, { type: 'found', words: 'adds', places: [inAnswer('e1')] });
    await eventually(async () =>
      assert.ok(
        await frame.evaluate(`(() => {
          const log = document.querySelector('.log').getBoundingClientRect();
          const place = [...document.querySelectorAll('.answer p')].at(-1).getBoundingClientRect();
          // Below the middle, because it is at the end.
          return place.top > (log.top + log.bottom) / 2 && place.bottom < log.bottom;
        })()`),
      ),
    );
    assert.equal(await page.evaluate(`document.getElementById('around').scrollTop`), 0);
  });
});
