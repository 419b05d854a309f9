/**
 * A window that runs a turn and is killed before its nth statement on the database. Prints “asked” when the question was
 * written, “half” when a part of the text was, and “ended” when the end was; without a kill, the number of statements.
 * Arguments: folder, n.
 */
import { writeSync } from 'node:fs';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { HALF, openStoreWindow, playTurn } from './turn.ts';

/** A time after which text has been written, in milliseconds. */
const UNTIL_WRITTEN_MS = 700;

const [folder = '', last = ''] = process.argv.slice(2);
const { store } = openStoreWindow(folder);
const say = (what: string) => void writeSync(1, `${what}\n`);

let count = 0;
function killBefore(prototype: object, name: string): void {
  const real: (...args: unknown[]) => unknown = Reflect.get(prototype, name);
  Reflect.set(prototype, name, function (this: unknown, ...args: unknown[]) {
    if (++count === Number(last)) process.kill(process.pid, 'SIGKILL');
    return Reflect.apply(real, this, args);
  });
}
killBefore(StatementSync.prototype, 'run');
killBefore(DatabaseSync.prototype, 'exec');

await playTurn(store, 'c1', async (at) => {
  if (at === 0) say('asked');
  if (at !== HALF) return;
  await pause(UNTIL_WRITTEN_MS);
  say('half');
});
say('ended');
store.dispose();
say(String(count));
