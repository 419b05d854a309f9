import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, it } from 'mocha';
import { createDeferred } from '../../../../src/service/deferred.ts';
import { registered } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { atFirstUse, registerLater } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/base/atFirstUse.ts')),
  ...(await import('../../../../src/editor/base/laterCommands.ts')),
}));

describe('Code that is loaded at its first use', () => {
  let order: string[];
  const log = { warn: (line: string) => order.push(line) };
  const use = (name: string) => (value: string) => order.push(`${name} ${value}`);
  beforeEach(() => {
    order = [];
  });

  it('is not loaded before, and once for two that ask while it loads, who go on in their order', async () => {
    const { promise, resolve } = createDeferred<string>();
    const part = atFirstUse(() => {
      order.push('load');
      return promise;
    }, log);
    assert.deepEqual(order, []);
    const both = [part.run(use('first')), part.run(use('second'))];
    resolve('part');
    await Promise.all(both);
    assert.equal(await part.run((value) => value.length), 4);
    assert.deepEqual(order, ['load', 'first part', 'second part']);
  });

  it('is loaded again after it could not be, which is logged once and told to all who waited', async () => {
    let file: string | undefined;
    const part = atFirstUse(async () => {
      if (file === undefined) throw new Error('no such file');
      return file;
    }, log);
    const both = await Promise.allSettled([part.run(use('first')), part.run(use('second'))]);
    assert.deepEqual(
      both.map((one) => one.status === 'rejected' && one.reason.message),
      ['no such file', 'no such file'],
    );
    assert.deepEqual(order, ['loading a part of the extension failed: no such file']);
    file = 'part';
    await part.run(use('third'));
    assert.equal(order.at(-1), 'third part');
  });

  it('says that the window has to be reloaded when its file is gone, or another one than when the extension started', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'k3-parts-'));
    const imports = (name: string) => atFirstUse(() => import(pathToFileURL(join(folder, name)).href), log);
    writeFileSync(join(folder, 'main.mjs'), 'export const old = 1;');
    writeFileSync(join(folder, 'later.mjs'), "export { added } from './main.mjs';");
    writeFileSync(join(folder, 'faulty.mjs'), "throw new Error('a fault of ours');");
    const message = /^A file of K3 Chat is missing or has changed.* Reload the window/;
    await assert.rejects(imports('gone.mjs').run(use('first')), { message });
    await assert.rejects(imports('later.mjs').run(use('first')), { message });
    await assert.rejects(imports('faulty.mjs').run(use('first')), { message: 'a fault of ours' });
    assert.match(order[0] ?? '', /failed: Cannot find module .*gone\.mjs/);
    assert.match(order[1] ?? '', /failed: .* does not provide an export named 'added'/);
    rmSync(folder, { recursive: true });
  });

  it('does nothing after it was disposed of, also while it was loading', async () => {
    const { promise, resolve } = createDeferred<string>();
    const part = atFirstUse(() => promise, log);
    const waiting = part.run(use('first'));
    part.dispose();
    resolve('part');
    assert.equal(await waiting, undefined);
    assert.equal(await part.run(use('second')), undefined);
    assert.deepEqual(order, []);
  });

  it('is disposed of with the room, also when that ends while it loads, and once', async () => {
    const end = use('end');
    const loaded = atFirstUse(async () => 'part', log, end);
    await loaded.run(use('first'));
    loaded.dispose();
    loaded.dispose();
    assert.deepEqual(order, ['first part', 'end part']);
    const { promise, resolve } = createDeferred<string>();
    const late = atFirstUse(() => promise, log, end);
    const waiting = late.run(use('second'));
    late.dispose();
    resolve('late part');
    await waiting;
    assert.deepEqual(order.slice(2), ['end late part']);
    atFirstUse(async () => 'unused', log, end).dispose();
    assert.equal(order.length, 3);
  });

  it('runs two commands in their order, with their arguments, and gives back what they return', async () => {
    const { promise, resolve } = createDeferred<void>();
    const parts = atFirstUse(async () => {
      await promise;
      const first = async (...args: unknown[]) => order.push(`first ${args.join()}`);
      const second = (...args: unknown[]) => order.push(`second ${args.join()}`);
      return { commands: { 'k3.first': first, 'k3.second': second } };
    }, log);
    registerLater(['k3.first', 'k3.second'], parts);
    const run = (name: string, ...args: unknown[]) => registered.get(name)?.(...(args as never[]));
    const both = [run('k3.first', 1, 2), run('k3.second', 3)];
    resolve();
    assert.deepEqual(await Promise.all(both), [1, 2]);
    assert.deepEqual(order, ['first 1,2', 'second 3']);
  });
});
