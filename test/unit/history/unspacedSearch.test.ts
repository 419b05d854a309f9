import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { toLinkedExchanges } from '../../../src/history/branches.ts';
import type { SetAsideReport } from '../../../src/history/database.ts';
import type { History } from '../../../src/history/history.ts';
import { type Database, findSqlite } from '../../../src/history/sqlite.ts';
import { completeTurn } from '../conversation/turns.ts';
import { conversation, exchange, makeFolder, open, PRICES } from './support.ts';

/** Asks a question in a conversation of its own. */
function ask(history: History, id: string, question: string, answer = 'Yes.'): void {
  const turn = { ...completeTurn(), id: `t-${id}`, reasoning: '', answer };
  const one = conversation(id, [exchange(`e-${id}`, question, [turn])]);
  history.putHeader(one);
  for (const linked of toLinkedExchanges(one.exchanges, [])) history.putExchange(id, linked, PRICES);
}

const found = (history: History, text: string) =>
  history.search(text, 20).map(({ conversationId }) => conversationId);
const snippets = (history: History, text: string) =>
  history.search(text, 20).map(({ snippet }) => snippet.replaceAll('\u0002', '«').replaceAll('\u0003', '»'));

/** The database as a window with the version before has it, whose tables don't have the index. */
function withoutIndex(folder: string): void {
  const db = rawOpen(folder);
  for (const trigger of ['added', 'changed', 'removed'])
    db.exec(`DROP TRIGGER IF EXISTS passage_${trigger}_unspaced`);
  db.exec('DROP TABLE IF EXISTS unspaced; DROP TABLE IF EXISTS unindexed');
  db.close();
}

function rawOpen(folder: string): Database {
  const { DatabaseSync } = findSqlite() ?? assert.fail();
  return new DatabaseSync(join(folder, 'conversations.db'));
}

/** Damages all pages of the index. */
const DAMAGED_PAGES = 'UPDATE unspaced_data SET block = zeroblob(40) WHERE id > 10';

describe('A search', () => {
  it('leaves out parts of answers that only a later version knows', async () => {
    const folder = await makeFolder();
    const history = open(folder);
    ask(history, 'en', 'Why does it stop?', 'It stops at the end.');
    const db = rawOpen(folder);
    db.exec(`UPDATE passage SET part = 'sketch/0' WHERE part LIKE 'answer%'`);
    db.close();
    assert.deepEqual(
      history.search('stop', 20).map(({ part }) => part),
      ['question'],
    );
  });
});

describe('A search in Chinese and Japanese', () => {
  it('finds words of one, two, and more characters anywhere in a sentence, and marks them', async () => {
    const history = open(await makeFolder());
    ask(history, 'zh', '如何在数据库中实现全文搜索功能？');
    ask(history, 'ja', '関数の戻り値をテストする方法を教えてください。');
    ask(history, 'en', 'How do I test a function?');
    for (const [text, id, marked] of [
      ['搜索', 'zh', '如何在数据库中实现全文«搜索»功能？'],
      ['数据库', 'zh', '如何在«数据库»中实现全文搜索功能？'],
      ['能', 'zh', '如何在数据库中实现全文搜索功«能»？'],
      ['戻り値', 'ja', '関数の«戻り値»をテストする方法を教えてください。'],
      ['テスト', 'ja', '関数の戻り値を«テスト»する方法を教えてください。'],
      ['テスト 関数', 'ja', '«関数»の戻り値を«テスト»する方法を教えてください。'],
    ] as const) {
      assert.deepEqual(found(history, text), [id], text);
      assert.deepEqual(snippets(history, text), [marked]);
    }
    assert.deepEqual(found(history, '搜全'), [], 'characters that are not next to each other');
    assert.deepEqual(found(history, '搜索 关键'), [], 'one of two words is missing');
  });

  it('finds words of other scripts that touch such characters, and the beginning of the last one', async () => {
    const history = open(await makeFolder());
    ask(history, 'zh', '请用TypeScript重写这个React组件');
    for (const text of ['TypeScript', 'react', 'rea', 'React组件', 'React 组件', '"React组件"', '用type'])
      assert.deepEqual(found(history, text), ['zh'], text);
    assert.deepEqual(found(history, 'type react'), [], 'only the last word may be longer');
    assert.deepEqual(snippets(history, 'React'), ['请用TypeScript重写这个«React»组件']);
  });

  it('finds what is written in full or half width, and in upper or lower case', async () => {
    const history = open(await makeFolder());
    ask(history, 'ja', 'ｶﾞｲﾄﾞとＡＰＩの説明');
    for (const text of ['ガイド', 'api', 'ＡＰＩ', 'ｶﾞｲﾄﾞ'])
      assert.deepEqual(found(history, text), ['ja'], text);
  });

  it('finds inside words of Korean and Thai', async () => {
    const history = open(await makeFolder());
    ask(history, 'ko', '데이터베이스검색을 설명해줘');
    ask(history, 'th', 'ค้นหาข้อมูลที่นี่');
    assert.deepEqual(found(history, '검색'), ['ko']);
    assert.deepEqual(found(history, 'ข้อมูล'), ['th']);
  });

  it('finds Korean whose letters are apart, and the reverse', async () => {
    const history = open(await makeFolder());
    const text = '데이터베이스검색을 설명해줘';
    ask(history, 'apart', text.normalize('NFD'));
    ask(history, 'composed', text);
    for (const form of ['NFC', 'NFD'])
      for (const part of ['검색', '데이터', '해줘', '을', '설명'])
        assert.deepEqual(
          found(history, part.normalize(form)).toSorted(),
          ['apart', 'composed'],
          `${part} ${form}`,
        );
    assert.deepEqual(snippets(history, '검색').toSorted(), [
      '데이터베이스«검색»을 설명해줘'.normalize('NFD'),
      '데이터베이스«검색»을 설명해줘',
    ]);
  });

  it('shows the words around a hit of a long answer, and values of JSON without its form', async () => {
    const history = open(await makeFolder());
    const long = `${'很长的前言。'.repeat(50)}这里有目标词。${'很长的结尾。'.repeat(50)}`;
    ask(history, 'long', 'Why?', long);
    const [snippet = ''] = snippets(history, '目标词');
    assert.match(snippet, /^….+这里有«目标词»。.+…$/);
    assert.ok(snippet.length < 140, `${snippet.length}`);
    ask(history, 'json', 'Review', JSON.stringify({ 说明: 1, findings: [{ claim: '循环多执行了一次' }] }));
    assert.deepEqual(snippets(history, '执行'), ['循环多«执行»了一次']);
    assert.deepEqual(found(history, '说明'), [], 'the name of a field is no word of the answer');
  });

  it('finds a text as it is after it changed, and nothing of what was deleted', async () => {
    const history = open(await makeFolder());
    ask(history, 'c1', '第一个问题');
    assert.deepEqual(found(history, '问题'), ['c1']);
    ask(history, 'c1', '第一个回答');
    assert.deepEqual([found(history, '问题'), found(history, '回答')], [[], ['c1']]);
    history.remove('c1');
    assert.deepEqual(found(history, '回答'), []);
    history.purge(Date.now() + 1);
    history.restore('c1');
    assert.deepEqual(found(history, '回答'), []);
  });
});

describe('A search for emoji', () => {
  it('finds single ones, flags, and those of any skin tone, alone and with words, and marks them', async () => {
    const history = open(await makeFolder());
    ask(history, 'rocket', 'Can we deploy 🚀 today?');
    ask(history, 'thumb', 'Looks good👍🏽, thanks');
    ask(history, 'flag', 'Translate to 🇩🇪🇫🇷');
    ask(history, 'heart', 'I ❤️ tests');
    ask(history, 'coder', 'A 👩‍💻 and 你好🙂世界');
    ask(history, 'plain', 'Can we deploy today?');
    for (const [text, id] of [
      ['🚀', 'rocket'],
      ['deploy 🚀', 'rocket'],
      ['🚀 dep', 'rocket'],
      ['"deploy 🚀 today"', 'rocket'],
      ['👍', 'thumb'],
      ['👍🏽', 'thumb'],
      ['good👍🏽', 'thumb'],
      ['🇩🇪', 'flag'],
      ['🇫🇷', 'flag'],
      ['❤', 'heart'],
      ['❤️', 'heart'],
      ['👩‍💻', 'coder'],
      ['👩', 'coder'],
      ['好🙂世', 'coder'],
    ] as const)
      assert.deepEqual(found(history, text), [id], text);
    for (const text of ['👍🏿', '🇪🇫', 'test 🚀', '💥']) assert.deepEqual(found(history, text), [], text);
    assert.deepEqual(found(history, 'deploy').toSorted(), ['plain', 'rocket']);
    assert.deepEqual(snippets(history, '👍🏽'), ['Looks good«👍🏽», thanks']);
    assert.deepEqual(snippets(history, 'deploy 🚀'), ['Can we «deploy» «🚀» today?']);
  });

  it('finds them in what an earlier version has put into the index without them', async () => {
    const folder = await makeFolder();
    const before = open(folder);
    ask(before, 'en', 'Can we deploy 🚀 today?');
    ask(before, 'zh', '如何部署🚀？');
    assert.deepEqual(found(before, '部署'), ['zh']);
    before.close();
    const db = rawOpen(folder);
    db.exec(`DROP TRIGGER passage_added_unspaced; DELETE FROM unspaced; DELETE FROM unindexed;
      CREATE TRIGGER passage_added_unspaced AFTER INSERT ON passage WHEN new.text GLOB '*[一-龥]*' BEGIN
        INSERT INTO unindexed SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM unindexed WHERE id = new.id);
      END;`);
    db.close();
    const history = open(folder);
    while (history.indexDue(20));
    assert.deepEqual(found(history, '🚀').toSorted(), ['en', 'zh']);
    ask(history, 'later', 'Done 🎉');
    assert.deepEqual(found(history, '🎉'), ['later']);
  });
});

describe('A search for words and emoji, before all texts are in the index', () => {
  it('finds those that have the words', async () => {
    const folder = await makeFolder();
    const history = open(folder);
    ask(history, 'rocket', 'Can we deploy 🚀 today?');
    const db = rawOpen(folder);
    db.exec("CREATE TRIGGER stays BEFORE DELETE ON unindexed BEGIN SELECT RAISE(FAIL, 'busy'); END");
    db.close();
    assert.deepEqual(found(history, 'deploy 🚀'), ['rocket']);
    assert.deepEqual(found(history, '🚀'), []);
  });
});

describe('The index for Chinese and Japanese', () => {
  it('is added to a database that has conversations, loses nothing, and leaves its version', async () => {
    const folder = await makeFolder();
    const before = open(folder);
    ask(before, 'zh', '如何实现全文搜索？');
    ask(before, 'en', 'Crème brûlée');
    before.close();
    withoutIndex(folder);
    const history = open(folder);
    assert.deepEqual(found(history, '搜索'), ['zh']);
    assert.deepEqual(found(history, 'creme'), ['en']);
    assert.equal(history.load('zh')?.exchanges[0]?.question.text, '如何实现全文搜索？');
    const db = rawOpen(folder);
    assert.equal(db.prepare('PRAGMA user_version').get()?.['user_version'], 4);
    db.close();
  });

  it('gets what a window with an earlier version writes and deletes', async () => {
    const folder = await makeFolder();
    const here = open(folder);
    ask(here, 'zh', '原来的文字');
    assert.deepEqual(found(here, '原来'), ['zh']);
    // An earlier version knows only the tables of version 4.
    const there = rawOpen(folder);
    there.exec("UPDATE passage SET text = '后来的内容' WHERE owner_id = 'e-zh'");
    there.exec(
      "INSERT INTO passage (conversation_id, owner_id, part, text) VALUES ('zh', 'e2', 'question', '新的段落')",
    );
    assert.deepEqual([found(here, '原来'), found(here, '内容'), found(here, '段落')], [[], ['zh'], ['zh']]);
    there.exec("DELETE FROM passage WHERE owner_id = 'e2'");
    there.close();
    assert.deepEqual(found(here, '段落'), []);
  });

  it('is completed by the next window when one is killed meanwhile', async () => {
    const folder = await makeFolder();
    const first = open(folder);
    for (let n = 0; n < 120; n++) ask(first, `c${n}`, `第${n}个关于索引的问题。`.repeat(20));
    first.close();
    withoutIndex(folder);
    const killed = open(folder);
    while (indexed(folder) === 0) assert.equal(killed.indexDue(1), true);
    // Half of a transaction, as a killed process leaves it.
    const half = rawOpen(folder);
    half.exec('BEGIN IMMEDIATE; DELETE FROM unindexed');
    half.close();
    killed.close();
    const history = open(folder);
    while (history.indexDue(20));
    assert.equal(indexed(folder), 120);
    assert.equal(history.search('索引', 500).length, 120);
    assert.equal(history.list().length, 120);
  });

  it('is filled by two windows at once, each passage once', async () => {
    const folder = await makeFolder();
    const first = open(folder);
    for (let n = 0; n < 120; n++) ask(first, `c${n}`, `第${n}个关于索引的问题。`.repeat(20));
    first.close();
    withoutIndex(folder);
    const [here, there] = [open(folder), open(folder)];
    while ([here.indexDue(1), there.indexDue(1)].some((more) => more));
    assert.equal(indexed(folder), 120);
    assert.equal(there.search('索引', 500).length, 120);
  });

  it('gets some passages with each search, however little time there is', async () => {
    const folder = await makeFolder();
    const history = open(folder);
    for (let n = 0; n < 20; n++) ask(history, `c${n}`, `第${n}个问题`, '是');
    history.indexDue(0);
    assert.equal(indexed(folder), 40);
  });

  it('gets a long text in many steps', async () => {
    const { history } = await withLongText();
    let steps = 1;
    while (history.indexDue(1)) steps++;
    assert.ok(steps > 10, `${steps} steps`);
    assert.deepEqual(found(history, '开头的'), ['long']);
    assert.deepEqual(found(history, '末尾的'), ['long']);
  });

  it('gets a long text as it is when it changes between two steps', async () => {
    const { history, folder } = await withLongText();
    assert.equal(history.indexDue(1), true);
    const there = rawOpen(folder);
    there.exec("UPDATE passage SET text = '后来的内容' || text WHERE part = 'answer'");
    while (history.indexDue(1));
    assert.deepEqual(found(history, '后来的内容'), ['long']);
    there.exec("UPDATE passage SET text = '原来的内容' || substr(text, 6) WHERE part = 'answer'");
    assert.equal(history.indexDue(1), true);
    there.exec("DELETE FROM passage WHERE part = 'answer'");
    there.close();
    while (history.indexDue(1));
    assert.deepEqual([found(history, '后来的内容'), found(history, '原来的内容')], [[], []]);
  });

  it('is merged in many small steps, and not while passages are put there', async () => {
    const folder = await makeFolder();
    const first = open(folder);
    for (let n = 0; n < 60; n++) ask(first, `c${n}`, `第${n}个问题`, randomChinese(4000));
    first.close();
    withoutIndex(folder);
    const history = open(folder);
    while (history.indexDue(0));
    assert.ok(parts(folder) > 100, `${parts(folder)} parts`);
    let steps = 0;
    while (history.mergeParts(0)) steps++;
    assert.ok(steps > 10, `${steps} steps`);
    assert.ok(parts(folder) < 12, `${parts(folder)} parts`);
    assert.equal(history.search('个问题', 500).length, 60);
  });

  it('is merged by searches, too, so that a window that is open for weeks has few parts', async () => {
    const folder = await makeFolder();
    const history = open(folder);
    for (let n = 0; n < 100; n++) {
      ask(history, `c${n}`, `第${n}个问题`, '');
      assert.deepEqual(found(history, `第${n}个`), [`c${n}`]);
    }
    assert.ok(parts(folder) < 20, `${parts(folder)} parts`);
  });

  for (const [how, sql] of [
    ['its structure', "UPDATE unspaced_data SET block = x'ffffffffffffffff' WHERE id = 10"],
    ['its pages', DAMAGED_PAGES],
    ['all of it', 'DELETE FROM unspaced_data'],
  ] as const) {
    it(`is filled again when ${how} is damaged in a window that uses it, and the database stays`, async () => {
      const folder = await makeFolder();
      const reports: SetAsideReport[] = [];
      const history = open(folder, reports);
      for (let n = 0; n < 20; n++) ask(history, `c${n}`, `第${n}个问题 question`);
      assert.equal(history.search('个问题', 50).length, 20);
      damage(folder, sql);
      assert.equal(history.search('个问题', 50).length, 20);
      assert.equal(history.search('question', 50).length, 20);
      ask(history, 'more', '后来的段落');
      assert.deepEqual(found(history, '段落'), ['more']);
      assert.deepEqual(reports, []);
    });

    it(`is filled again when ${how} was damaged before the window was opened`, async () => {
      const folder = await makeFolder();
      const before = open(folder);
      for (let n = 0; n < 20; n++) ask(before, `c${n}`, `第${n}个问题 question`);
      assert.equal(before.search('个问题', 50).length, 20);
      before.close();
      damage(folder, sql);
      const reports: SetAsideReport[] = [];
      const history = open(folder, reports);
      assert.equal(history.search('个问题', 50).length, 20);
      assert.deepEqual(reports, []);
    });

    it(`does not keep a conversation from being removed when ${how} is damaged`, async () => {
      const folder = await makeFolder();
      const reports: SetAsideReport[] = [];
      const history = open(folder, reports);
      for (const id of ['c1', 'c2']) ask(history, id, '一个问题');
      assert.equal(found(history, '问题').length, 2);
      damage(folder, sql);
      history.remove('c1');
      history.purge(Date.now() + 1);
      assert.deepEqual(found(history, '问题'), ['c2']);
      assert.deepEqual(reports, []);
    });
  }

  it('is checked in the background, and filled again if its pages are damaged', async () => {
    const folder = await makeFolder();
    const reports: SetAsideReport[] = [];
    const history = open(folder, reports);
    for (let n = 0; n < 20; n++) ask(history, `c${n}`, `第${n}个问题`);
    while (history.indexDue(20));
    assert.equal(history.checkIndex(), false);
    damage(folder, DAMAGED_PAGES);
    assert.equal(history.checkIndex(), true);
    assert.equal(indexed(folder), 0);
    while (history.indexDue(20));
    assert.equal(history.checkIndex(), false);
    assert.equal(history.search('个问题', 50).length, 20);
    assert.deepEqual(reports, []);
  });

  it('is not checked in the background if that would take long', async () => {
    const folder = await makeFolder();
    const history = open(folder);
    ask(history, 'c1', '一个问题');
    while (history.indexDue(20));
    damage(
      folder,
      `${DAMAGED_PAGES}; WITH RECURSIVE page (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM page WHERE n < 600)
       INSERT INTO unspaced_data SELECT (9 << 37) + n, zeroblob(9) FROM page`,
    );
    assert.equal(history.checkIndex(), false);
  });

  it('does not keep a window from opening and searching when it cannot be written', async () => {
    const folder = await makeFolder();
    const first = open(folder);
    ask(first, 'en', 'A plain question');
    ask(first, 'zh', '中文问题');
    first.close();
    withoutIndex(folder);
    // Whatever makes the new tables fail.
    const db = rawOpen(folder);
    db.exec('CREATE VIEW unspaced AS SELECT 1');
    db.close();
    const history = open(folder);
    assert.deepEqual(found(history, 'plain'), ['en']);
    assert.deepEqual(found(history, '中文'), ['zh'], 'at the beginning of a sentence, as before');
    ask(history, 'en2', 'Another plain question');
    assert.deepEqual(found(history, 'another'), ['en2']);
  });
});

/** A conversation whose answer, of 36,000 characters, is not in the index yet. */
async function withLongText() {
  const folder = await makeFolder();
  const before = open(folder);
  ask(before, 'long', 'Why?', `开头的字。${'很长的正文。'.repeat(6000)}末尾的字。`);
  before.close();
  withoutIndex(folder);
  return { history: open(folder), folder };
}

function randomChinese(length: number): string {
  const codes = Array.from({ length }, () => 0x4e00 + Math.floor(Math.random() * 3000));
  return String.fromCharCode(...codes);
}

/** The number of parts of the index that FTS5 has to look into. */
function parts(folder: string): number {
  const db = rawOpen(folder);
  const { n } = db.prepare('SELECT count(DISTINCT segid) AS n FROM unspaced_idx').get() ?? {};
  db.close();
  return Number(n);
}

/** Changes tables that SQLite otherwise keeps from being changed. */
function damage(folder: string, sql: string): void {
  const db: Database & { enableDefensive?(on: boolean): void } = rawOpen(folder);
  db.enableDefensive?.(false);
  db.exec(sql);
  db.close();
}

function indexed(folder: string): number {
  const db = rawOpen(folder);
  const { n } = db.prepare('SELECT count(*) AS n FROM unspaced_docsize').get() ?? {};
  db.close();
  return Number(n);
}
