import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'mocha';
import { type Conversation, shownTurn } from '../../../src/conversation/conversation.ts';
import { createTurn, foldTurn } from '../../../src/conversation/fold.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { NOTHING_UNSENT, type Unsent } from '../../../src/conversation/unsent.ts';
import { toLinkedExchanges } from '../../../src/history/branches.ts';
import { type History, openHistory } from '../../../src/history/history.ts';
import { answer, completeTurn, FACTS, reasoning } from '../conversation/turns.ts';
import { conversation, exchange, makeFolder, open, PRICES, storeOn } from './support.ts';

function put(history: History, one: Conversation): void {
  history.putHeader(one);
  for (const linked of toLinkedExchanges(one.exchanges, one.branches))
    history.putExchange(one.id, linked, PRICES);
  history.putHead(one.id, one.exchanges.at(-1)?.id);
}

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('The conversation database', () => {
  it('loads a conversation as it was stored', async () => {
    const history = open(await makeFolder());
    const turn = { ...completeTurn(), id: 't1' };
    const one = conversation('c1', [
      {
        id: 'e1',
        question: {
          text: 'What is this? ☃',
          images: [
            { name: 'pixel.png', url: PIXEL },
            { name: 'file', url: 'ms://abc', omitted: true },
          ],
          origin: { uri: 'file:///a.ts', startLine: 1, endLine: 2 },
          more: [{ uri: 'file:///b.ts', startLine: 3, endLine: 4, text: 'b\n' }],
          asked: 'Explain',
          effort: 'low',
          tools: [],
          preset: { name: 'Plan', prompt: 'Plan it.', tools: ['a_*'], effort: 'max', maxCompletionTokens: 9 },
        },
        attempts: [turn, { ...turn, id: 't2' }],
        shown: 1,
      },
      exchange('e2', 'and then', [{ ...turn, id: 't3' }]),
    ]);
    put(history, one);
    assert.deepEqual(history.load('c1'), one);
  });

  it('shows the last attempt that is left if the shown one was lost with a damaged page', async () => {
    const folder = await makeFolder();
    const history = open(folder);
    const attempts = ['t1', 't2', 't3'].map((id) => ({ ...completeTurn(), id }));
    const only = { ...completeTurn(), id: 't4' };
    put(history, conversation('c1', [exchange('e1', 'Why?', attempts, 2), exchange('e2', 'And?', [only])]));
    const db = new DatabaseSync(join(folder, 'conversations.db'));
    db.exec("DELETE FROM turn WHERE id IN ('t3', 't4')");
    const shown = () => history.load('c1')?.exchanges.map((one) => [one.shown, shownTurn(one)?.id]);
    assert.deepEqual(shown(), [
      [1, 't2'],
      [0, undefined],
    ]);
    db.exec("UPDATE exchange SET shown = 'x'");
    db.close();
    assert.deepEqual(shown()?.[0], [0, 't1']);
  });

  it('stores an image once, however often it is used', async () => {
    const folder = await makeFolder();
    const history = open(folder);
    const images = [{ name: 'pixel.png', url: PIXEL }];
    const asked = (id: string) => ({
      ...exchange(id, 'q', []),
      question: { text: 'q', images, origin: undefined },
    });
    put(history, conversation('c1', [asked('e1'), asked('e2')]));
    const { findSqlite } = await import('../../../src/history/sqlite.ts');
    const sqlite = findSqlite();
    assert.ok(sqlite);
    const db = new sqlite.DatabaseSync(join(folder, 'conversations.db'), { readOnly: true });
    assert.equal(db.prepare('SELECT count(*) AS n FROM image').get()?.['n'], 1);
    db.close();
  });

  it('keeps the branches that are not shown', async () => {
    const history = open(await makeFolder());
    const one = conversation('c1', [exchange('e1', 'a', []), exchange('e2', 'b', [])], {
      branches: [
        { after: 'e1', exchanges: [exchange('e3', 'c', []), exchange('e4', 'd', [])] },
        { after: undefined, exchanges: [exchange('e5', 'other beginning', [])] },
      ],
    });
    put(history, one);
    assert.deepEqual(history.load('c1'), one);
  });

  it('is readable only by its owner', async () => {
    const folder = join(await makeFolder(), 'history');
    open(folder);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    for (const name of ['conversations.db', 'conversations.db-wal', 'conversations.db-shm'])
      assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
  });

  it('lists the newest conversations first, with routes, cost, and number of turns without usage', async () => {
    const history = open(await makeFolder());
    const turn = completeTurn();
    const turns = [
      { ...turn, id: 't2', startedAt: 2_000_000, usage: undefined },
      { ...turn, id: 't1', startedAt: 1_000_000 },
    ] as const;
    put(history, conversation('new', [exchange('e2', 'b', [turns[0]])]));
    put(history, conversation('old', [exchange('e1', 'a', [turns[1]])]));
    const [first, second] = history.list();
    assert.equal(first?.id, 'new');
    const ended = turn.timings.ended ?? assert.fail();
    assert.ok(ended > 0);
    assert.deepEqual([first.changedAt, second?.changedAt], [2_000_000 + ended, 1_000_000 + ended]);
    assert.equal(first.unreported, 1);
    assert.deepEqual(second?.routes, ['direct']);
    assert.ok(second && second.cost > 0);
  });

  it('hides removed conversations, restores them, and purges their text but not their cost', async () => {
    const history = open(await makeFolder());
    put(history, conversation('c1', [exchange('e1', 'needle', [{ ...completeTurn(), id: 't1' }])]));
    history.remove('c1');
    assert.deepEqual(history.list(), []);
    assert.equal(history.load('c1'), undefined);
    assert.deepEqual(history.search('needle', 5), []);
    history.restore('c1');
    assert.equal(history.list().length, 1);
    history.remove('c1');
    const isPurged = (before: number) => {
      history.purge(before);
      return ['c1', 'unknown'].map(history.isPurged);
    };
    assert.deepEqual(isPurged(0), [false, false]);
    assert.deepEqual(isPurged(Date.now() + 1), [true, false]);
    history.restore('c1');
    assert.deepEqual(history.list(), []);
    assert.ok(history.costSince(0) > 0);
  });

  it('finds a conversation with many matches once, with a few of its results, beside the others', async () => {
    const history = open(await makeFolder());
    put(history, conversation('c1', [exchange('e0', 'needle in one', [])]));
    const many = Array.from({ length: 60 }, (_, i) => exchange(`m${i}`, `needle ${i}`, []));
    put(history, conversation('c2', many));
    const hits = history.search('needle', 50);
    assert.deepEqual(
      hits.map(({ conversationId }) => conversationId),
      ['c2', 'c2', 'c2', 'c2', 'c2', 'c1'],
    );
    assert.equal(hits[0]?.ownerId, 'm59', 'the newest first');
    assert.equal(history.search('needle', 2).length, 2);
  });

  it('shows the words of each result, also when several have them', async () => {
    const history = open(await makeFolder());
    const json = { ...completeTurn(), id: 't1', answer: '{"price": "is a number"}' };
    put(history, conversation('c1', [exchange('e1', 'Which price comes first?', [json])]));
    const turn = {
      ...completeTurn(),
      id: 't2',
      reasoning: 'A price is a string.',
      answer: 'The price is 3.',
    };
    put(history, conversation('c2', [exchange('e2', 'And the last price?', [turn])]));
    assert.deepEqual(
      history.search('price', 9).map(({ ownerId, part, snippet }) => [ownerId, part, snippet]),
      [
        ['t2', 'answer', 'The \u0002price\u0003 is 3.'],
        ['t2', 'reasoning', 'A \u0002price\u0003 is a string.'],
        ['e2', 'question', 'And the last \u0002price\u0003?'],
        ['e1', 'question', 'Which \u0002price\u0003 comes first?'],
      ],
    );
  });

  it('shows words of an answer that is JSON, not its form', async () => {
    const history = open(await makeFolder());
    const found = { severity: 'error', claim: 'The loop runs\n"once" too often: total is wrong.' };
    const turn = { ...completeTurn(), id: 't1', answer: JSON.stringify({ findings: [found] }, null, 2) };
    put(history, conversation('c1', [exchange('e1', 'Review this.', [turn])]));
    assert.equal(
      history.search('once', 5)[0]?.snippet,
      'The loop runs "\u0002once\u0003" too often: total is wrong.',
    );
    assert.deepEqual(history.search('severity', 5), [], 'the name of a field is no word of the answer');
  });

  it('finds letters with marks in both of their forms', async () => {
    const history = open(await makeFolder());
    const exchanges = (['NFC', 'NFD'] as const).map((form) =>
      exchange(form, `The menu of the Café, が: ${form}`.normalize(form), []),
    );
    put(history, conversation('c1', exchanges));
    for (const words of ['café', 'が'])
      for (const form of ['NFC', 'NFD'])
        assert.deepEqual(
          history.search(words.normalize(form), 5).map(({ ownerId }) => ownerId),
          ['NFD', 'NFC'],
          `${words} ${form}`,
        );
  });

  it('finds words in questions, reasoning, and answers, and the last word as a prefix', async () => {
    const history = open(await makeFolder());
    const turn = {
      ...completeTurn(),
      id: 't1',
      reasoning: 'First the borrow checker',
      answer: 'Use a lifetime.',
    };
    put(history, conversation('c1', [exchange('e1', 'Why does Rust complain?', [turn])]));
    assert.deepEqual(
      history.search('rus', 5).map(({ part, ownerId }) => [part, ownerId]),
      [['question', 'e1']],
    );
    assert.equal(
      history.search('borrow chec', 5)[0]?.snippet,
      'First the \u0002borrow\u0003 \u0002checker\u0003',
    );
    assert.equal(history.search('"a lifetime"', 5)[0]?.part, 'answer');
    assert.deepEqual(history.search('"; DROP', 5), []);
    assert.deepEqual(history.search('nee\0dle', 5), []);
    assert.deepEqual(history.search('\0', 5), []);
    assert.deepEqual(history.search('  ', 5), []);
  });

  it('keeps the queued messages', async () => {
    const folder = await makeFolder();
    const history = open(folder);
    put(history, conversation('c1', []));
    const queue = [
      {
        id: 'q1',
        question: {
          text: 'Then this',
          images: [{ name: 'pixel.png', url: PIXEL }],
          context: [{ kind: 'file' as const, label: 'a.ts', parts: [{ label: 'a.ts', text: 'a' }] }],
          origin: undefined,
          format: { kind: 'json' as const },
        },
      },
    ];
    assert.deepEqual(
      history.changeQueue('c1', () => queue),
      queue,
    );
    assert.equal(
      history.changeQueue('unknown', () => queue),
      undefined,
    );
    history.close();
    assert.deepEqual(open(folder).queue('c1'), queue);
    assert.deepEqual(open(folder).queue('unknown'), []);
  });

  it('keeps drafts and titles', async () => {
    const history = open(await makeFolder());
    put(history, conversation('c1', []));
    history.putDraft('c1', 'half a sent');
    history.rename('c1', 'Mine');
    assert.equal(history.draft('c1'), 'half a sent');
    assert.equal(history.load('c1')?.title, 'Mine');
    assert.equal(history.load('c1')?.named, true);
  });

  const image = {
    name: 'pixel.png',
    url: PIXEL,
    thumbnail: PIXEL,
    scaling: {
      from: { width: 9, height: 9, bytes: 900 },
      to: { width: 1, height: 1, bytes: 90 },
      stilled: false,
    },
  };
  const file = { kind: 'file' as const, label: 'a.ts', parts: [{ label: 'a.ts', text: 'a' }] };
  const unsent: Unsent = {
    images: [image, { name: 'ms://abc', url: 'ms://abc' }],
    context: [file, { ...file, label: 'b.ts', older: true }],
    editing: { exchangeId: 'e1', text: 'Why not?' },
    otherEdits: [],
    preset: 'Plan',
    leavesOut: true,
  };

  it('keeps the attachments of a draft and the question that is being edited', async () => {
    const folder = await makeFolder();
    const history = open(folder);
    put(history, conversation('c1', []));
    assert.deepEqual(history.unsent('c1'), NOTHING_UNSENT);
    history.putUnsent('c1', unsent);
    history.close();
    const again = open(folder);
    assert.deepEqual(again.unsent('c1'), unsent);
    again.putUnsent('c1', { editing: undefined, context: [], preset: undefined, leavesOut: undefined });
    assert.deepEqual(again.unsent('c1'), { ...NOTHING_UNSENT, images: unsent.images });
    assert.deepEqual(again.unsent('unknown'), NOTHING_UNSENT);
  });

  it('keeps the other edits of each window, and gives those of a window that no longer runs to one that opens', async () => {
    const folder = await makeFolder();
    let isAlive = true;
    const openWindow = () => open(folder, [], 'a window', undefined, () => isAlive);
    const [one, other] = [
      { exchangeId: 'e1', text: 'One' },
      { exchangeId: 'e2', text: 'Other' },
    ];
    const [here, there] = [openWindow(), openWindow()];
    put(here, conversation('c1', []));
    here.putUnsent('c1', { otherEdits: [one] }, NOTHING_UNSENT);
    assert.deepEqual(there.unsent('c1'), NOTHING_UNSENT);
    here.releaseEdits();
    assert.deepEqual(there.unsent('c1').otherEdits, [one], 'its process may still run');
    here.putUnsent('c1', { otherEdits: [one] }, here.unsent('c1'));
    const opened = there.unsent('c1');
    assert.deepEqual([opened, here.unsent('c1').otherEdits], [NOTHING_UNSENT, [one]]);
    there.putUnsent('c1', { otherEdits: [other] }, opened);
    isAlive = false;
    const later = openWindow();
    assert.deepEqual(later.unsent('c1').otherEdits, [one, other]);
    // It has taken them.
    later.putUnsent('c1', { otherEdits: [] }, later.unsent('c1'));
    assert.deepEqual(openWindow().unsent('c1'), NOTHING_UNSENT);
  });

  it('gives the other edits of a window that was killed to one whose process has its number', async () => {
    const folder = await makeFolder();
    const killed = open(folder);
    put(killed, conversation('c1', []));
    const other = { exchangeId: 'e1', text: 'Other' };
    killed.putUnsent('c1', { editing: { exchangeId: 'e2', text: 'One' }, otherEdits: [other] });
    const there = open(folder);
    assert.deepEqual(there.unsent('c1').otherEdits, [], 'its window is open');
    killed.close();
    assert.deepEqual(there.unsent('c1').otherEdits, [other]);
    assert.deepEqual(open(folder).unsent('c1').otherEdits, [other]);
  });

  it('gives the other edits of a killed window to the next one when another process has its number, and not before', async () => {
    const folder = await makeFolder();
    let now = 1_000_000;
    let elapsed = 0;
    const openWindow = () => {
      const opened = openHistory({
        folder,
        place: 'a window',
        now: () => now,
        elapsed: () => elapsed,
        isAlive: () => true,
        onSetAside: () => assert.fail('set aside'),
        onWrong: assert.fail,
      });
      assert.ok(opened.ok);
      return opened.history;
    };
    const [here, there] = [openWindow(), openWindow()];
    put(here, conversation('c1', []));
    const store = storeOn(here);
    const other = { exchangeId: 'e1', text: 'Other' };
    store.putUnsent('c1', { otherEdits: [other] });
    for (let n = 0; n < 12; n++) {
      now += 2000;
      store.poll();
      assert.deepEqual(there.unsent('c1').otherEdits, [], `after ${n} looks`);
    }
    now += 11_000;
    assert.deepEqual([there.unsent('c1').otherEdits, here.unsent('c1').otherEdits], [[other], [other]]);
    store.poll();
    assert.deepEqual(there.unsent('c1').otherEdits, []);
    // The clock is set back, and nobody says any more that the window is open.
    now -= 3_600_000;
    assert.deepEqual(there.unsent('c1').otherEdits, [], 'it may be open');
    elapsed += 10_000;
    assert.deepEqual(there.unsent('c1').otherEdits, [other]);
    there.close();
    here.close();
  });

  it('lists a conversation that has attachments, and not one in which only a preset was chosen', async () => {
    const history = open(await makeFolder());
    put(history, conversation('c1', []));
    history.putUnsent('c1', { preset: 'Plan', leavesOut: true });
    assert.deepEqual(history.choices('c1'), { preset: 'Plan', leavesOut: true });
    assert.deepEqual(history.list(), []);
    history.putUnsent('c1', { images: unsent.images });
    assert.equal(history.list().length, 1);
  });

  it('deletes the attachments with their conversation', async () => {
    const history = open(await makeFolder());
    put(history, conversation('c1', []));
    history.putUnsent('c1', unsent);
    history.remove('c1');
    history.purge(Date.now() + 1);
    assert.deepEqual(history.unsent('c1'), NOTHING_UNSENT);
  });

  it('deletes attachments whose conversation is not there, or was deleted by an earlier version', async () => {
    const folder = await makeFolder();
    const history = open(folder);
    // An image was still being scaled when its conversation, which has no question, was deleted.
    history.putUnsent('never written', unsent);
    history.purge(0);
    assert.deepEqual(history.unsent('never written'), NOTHING_UNSENT);
    put(history, conversation('c1', []));
    history.putUnsent('c1', unsent);
    history.purge(Date.now() + 1);
    assert.deepEqual(history.unsent('c1'), unsent);
  });

  it('leaves out attachments that cannot be read, and reports them', async () => {
    const folder = await makeFolder();
    const wrong: string[] = [];
    const history = open(folder, [], 'a window', (what) => wrong.push(what));
    put(history, conversation('c1', []));
    const fetched = { ...image, url: 'https://example.com/a.png' };
    history.putUnsent('c1', { images: [fetched, image], editing: { exchangeId: 'e1' } } as unknown as Unsent);
    assert.deepEqual(history.unsent('c1'), { ...NOTHING_UNSENT, images: [image] });
    assert.deepEqual(wrong, [
      'an attached image: url should be the bytes of an image, or an address that begins with ms://',
      'an edited question: text should be text',
    ]);
  });
});

describe('A running turn', () => {
  const begin = (): Turn => createTurn('t1', 5, FACTS);

  it('keeps all text that was written when the process is killed', async () => {
    const folder = await makeFolder();
    const history = open(folder);
    let turn = begin();
    put(history, conversation('c1', [exchange('e1', 'q', [turn])]));
    turn = foldTurn(turn, { at: 1, event: reasoning('thinking ') });
    history.append(turn, { reasoning: 'thinking ', answer: '' });
    turn = foldTurn(turn, { at: 2, event: answer('half') });
    history.append(turn, { reasoning: '', answer: 'half' });
    const found = open(folder).load('c1')?.exchanges[0]?.attempts[0];
    assert.equal(found?.outcome, undefined);
    assert.equal(found?.reasoning, 'thinking ');
    assert.equal(found?.answer, 'half');
    assert.equal(found?.reasoningName, 'reasoning_content');
  });

  it('is found by the search after it has ended', async () => {
    const history = open(await makeFolder());
    put(history, conversation('c1', [exchange('e1', 'q', [begin()])]));
    history.append(begin(), { reasoning: 'x', answer: 'y' });
    const ended = { ...completeTurn(), id: 't1' };
    history.finish('c1', 'e1', ended, PRICES);
    assert.deepEqual(history.load('c1')?.exchanges[0]?.attempts[0], ended);
  });
});

describe('Two windows with one database', () => {
  it('run a conversation only in one of them, and know in which one', async () => {
    const folder = await makeFolder();
    const here = open(folder, [], 'project one');
    const there = open(folder, [], 'project two');
    assert.equal(here.take('c1'), true);
    assert.equal(there.take('c1'), false);
    assert.deepEqual(there.holder('c1'), { conversationId: 'c1', place: 'project one' });
    assert.deepEqual(there.holders(), [{ conversationId: 'c1', place: 'project one' }]);
    assert.equal(here.holder('c1'), undefined);
    here.release('c1');
    assert.equal(there.take('c1'), true);
  });

  it('notice what the other one has written', async () => {
    const folder = await makeFolder();
    const here = open(folder);
    const there = open(folder);
    const before = there.version();
    put(here, conversation('c1', [exchange('e1', 'q', [])]));
    assert.notEqual(there.version(), before);
    assert.equal(there.list().length, 1);
  });
});
