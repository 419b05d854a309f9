import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'mocha';
import { checkStoredConversation, killWindow } from '../../support/killWindow.ts';
import { makeFolder, open } from './support.ts';

const KILLS = 8;
const AT_ONCE = 4;
/** Enough for both processes to wait for each other many times. */
const TURNS = 400;

describe('A killed window', () => {
  it(`loses no conversation and at most the last second of a stream (${KILLS} times; bench: 1,000)`, async () => {
    const folder = await makeFolder();
    for (let n = 0; n < KILLS; n += AT_ONCE) {
      await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, i) => {
          const id = `c${n + i}`;
          checkStoredConversation(folder, id, await killWindow(folder, id, 2500));
        }),
      );
    }
    assert.equal(open(folder).list().length, KILLS);
  });
});

describe('Two windows on one store, as processes', () => {
  it('keep their own conversations, and one that both rename', async () => {
    const folder = await makeFolder();
    const script = fileURLToPath(new URL('../../support/appendingWindow.ts', import.meta.url));
    const run = (name: string) =>
      new Promise((resolve) =>
        spawn(
          process.execPath,
          ['--disable-warning=ExperimentalWarning', script, folder, name, String(TURNS)],
          {
            stdio: 'inherit',
          },
        ).once('close', resolve),
      );
    assert.deepEqual(await Promise.all([run('one'), run('two')]), [0, 0]);
    const history = open(folder);
    for (const name of ['one', 'two']) {
      const conversation = history.load(name);
      assert.equal(conversation?.exchanges.length, TURNS);
      for (const [n, { attempts, question }] of (conversation?.exchanges ?? []).entries()) {
        assert.equal(question.text, `${name} asks ${n}`);
        assert.equal(attempts[0]?.answer, `${name} is told ${n}`);
      }
    }
    assert.match(history.load('third')?.title ?? '', new RegExp(`^(one|two) renamed it ${TURNS - 1}$`));
  });
});
