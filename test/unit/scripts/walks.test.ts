/** What a walk compares: that it notices what is wrong. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'mocha';
import { decide, decideAll, HUNK_TEXT, newHunkFile, textOf, typeLine } from '../../support/walks/hunkFile.ts';
import { createRandom } from '../../support/walks/random.ts';
import { differenceOf } from '../../support/walks/shownChat.ts';
import { readStored } from '../../support/walks/stored.ts';
import { completeTurn } from '../conversation/turns.ts';
import { conversation, exchange, makeFolder, open, storeOn } from '../history/support.ts';

describe('The database of a walk', () => {
  it('has the texts that were sent, and the account of turns that ended', async () => {
    const globalStorage = await makeFolder();
    const folder = join(globalStorage, 'history');
    const store = storeOn(open(folder));
    store.put(conversation('c1', [exchange('e1', 'Which birds wade?', [completeTurn('Herons do.')])]), 'e1');
    store.dispose();
    const stored = readStored(globalStorage);
    assert.ok(stored.texts.includes('Which birds wade?'));
    assert.deepEqual([stored.running, stored.wrong], [[], []]);
    const db = new DatabaseSync(join(folder, 'conversations.db'));
    db.exec('UPDATE spend SET answer_tokens = answer_tokens + 1');
    assert.match(readStored(globalStorage).wrong.join(), /tokens; the account has/);
    db.exec('DELETE FROM spend');
    assert.match(readStored(globalStorage).wrong.join(), /is not in the account/);
    db.exec('UPDATE turn SET outcome = NULL');
    assert.deepEqual(readStored(globalStorage).running, ['c1']);
    db.close();
  });
});

describe('The places in the database of a walk', () => {
  const stored = async (...sql: readonly string[]) => {
    const globalStorage = await makeFolder();
    const folder = join(globalStorage, 'history');
    const store = storeOn(open(folder));
    const asked = [exchange('e1', 'Question 7x1y', [completeTurn('Herons do.')])];
    store.put(conversation('c1', asked), 'e1');
    store.dispose();
    const db = new DatabaseSync(join(folder, 'conversations.db'));
    for (const one of sql) db.exec(one);
    db.close();
    return readStored(globalStorage).wrong.join();
  };

  it('have each answer with its question, and each cost with its turn', async () => {
    assert.equal(await stored(), '');
    assert.match(await stored("UPDATE turn SET exchange_id = 'e9'"), /an answer without its question/);
    assert.match(await stored("UPDATE exchange SET parent_id = 'e9'"), /a question without the one before/);
    assert.match(await stored('DELETE FROM turn'), /a cost without its turn/);
    assert.match(await stored('DELETE FROM conversation'), /a question without its conversation/);
  });

  it('have a message that was sent once in its conversation', async () => {
    const queue = `UPDATE conversation SET queue = '[{"text":"Question 7x1y"}]'`;
    assert.match(await stored(queue), /2 times in its conversation: c1: Question 7x1y/);
  });
});

describe('The file under review of a walk', () => {
  it('has the accepted hunks and the typed lines', () => {
    const file = newHunkFile('a.js');
    const one = decide(file, 1, 'accepted');
    assert.equal(textOf(one), HUNK_TEXT.replace('b == c', 'b === c'));
    // The second one that is still open is the third.
    assert.deepEqual(decide(one, 1, 'rejected').decisions, ['open', 'accepted', 'rejected']);
    assert.match(
      textOf(typeLine(decideAll(one, 'accepted'), '// x')),
      /^let a[\s\S]*===[\s\S]*let d = \[\];\n\/\/ x\n$/,
    );
  });
});

describe('What a chat shows in a walk', () => {
  const shown = {
    messages: ['question: a', 'complete: b'],
    draft: '',
    edit: null,
    queue: [],
    attachments: [],
    exchanges: [],
  };

  it('differs in one message or in the draft', () => {
    assert.equal(differenceOf(shown, { ...shown }), undefined);
    assert.match(
      differenceOf(shown, { ...shown, messages: ['question: a', 'complete: c'] }) ?? '',
      /at 1, complete: b:/,
    );
    assert.match(differenceOf(shown, { ...shown, draft: 'd' }) ?? '', /^draft: /);
  });
});

describe('The choices of a walk', () => {
  it('are the same for the same seed', () => {
    const choices = (seed: number) => {
      const random = createRandom(seed);
      return Array.from({ length: 20 }, () => random.below(1000));
    };
    assert.deepEqual(choices(7), choices(7));
    assert.notDeepEqual(choices(7), choices(8));
  });
});
