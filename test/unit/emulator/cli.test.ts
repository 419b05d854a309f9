/** The program of `npm run emulator`, as other programs start it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, describe, it } from 'mocha';

describe('The emulator on the command line', () => {
  let child: ReturnType<typeof start> | undefined;
  const start = (...args: readonly string[]) =>
    spawn(process.execPath, [...process.execArgv, 'src/emulator/cli.ts', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  afterEach(async () => {
    if (child?.kill() === true) await once(child, 'exit');
    child = undefined;
  });

  it('prints one line of JSON with its address and key when it listens, lists scenarios, and answers below their prefix', async () => {
    child = start('--port', '0', '--route', 'gateway', '--key', 'sk-own', '--tokens-per-second', '10000');
    const lines: string[] = [];
    const printed = createInterface({ input: child.stdout });
    printed.on('line', (line) => lines.push(line));
    await once(printed, 'line');
    const { url, key, ...more } = JSON.parse(lines[0] ?? '');
    assert.deepEqual([key, more], ['sk-own', {}]);
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.match(await (await fetch(`${url}/s`)).text(), /truncate/);
    const ask = (path: string, bearer: string) =>
      fetch(`${url}${path}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'svc-k3', messages: [{ role: 'user', content: 'Why?' }] }),
      });
    const cut = await ask('/s/truncate', 'sk-own');
    assert.match(await cut.text(), /"finish_reason":\s*"length"/);
    const plain = await ask('', 'sk-own');
    assert.deepEqual([plain.status, /"finish_reason":\s*"stop"/.test(await plain.text())], [200, true]);
    assert.equal((await ask('', 'sk-other')).status, 401);
    assert.equal(lines.length, 1);
  });

  it('names a flag that it can’t use', async () => {
    child = start('--route', 'other');
    let said = '';
    child.stderr.on('data', (text) => {
      said += String(text);
    });
    const [code] = await once(child, 'close');
    assert.equal(code, 2);
    assert.match(
      said,
      /^--route must be direct or gateway; it is "other"\nUsage: npm run emulator -- \[--port N\]/m,
    );
  });
});
