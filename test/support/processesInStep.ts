/** Runs a module in several processes that wait for one another, so that they certainly do something at the same moment. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const COUNT = 4;

const ALL_ARE_HERE = `
  const allAreHere = () => new Promise((resolve) => {
    process.once('message', resolve);
    process.send('here');
  });`;

/**
 * Resolves when all processes have ended without an error.
 *
 * @param script a module, in which `await allAreHere()` waits until all processes have reached this line, or have ended
 */
export async function inProcessesInStep(script: string): Promise<void> {
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', ALL_ARE_HERE + script];
  const here = new Set<ChildProcess>();
  let running = COUNT;
  const goOn = () => {
    if (here.size < running) return;
    for (const child of here) child.send('all are here');
    here.clear();
  };
  const codes = Array.from({ length: COUNT }, async () => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.on('message', () => {
      here.add(child);
      goOn();
    });
    const [code] = await once(child, 'close');
    running--;
    goOn();
    return code;
  });
  assert.deepEqual(await Promise.all(codes), Array(COUNT).fill(0));
}
