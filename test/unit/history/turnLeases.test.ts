import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createTurn } from '../../../src/conversation/fold.ts';
import { type History, openHistory } from '../../../src/history/history.ts';
import { completeTurn, FACTS } from '../conversation/turns.ts';
import { conversation, exchange, makeFolder, onFullDisk, open, storeOn, withTurn } from './support.ts';

describe('The leases of a window', () => {
  it('does not change a turn that runs in another window, and reports where it runs', async () => {
    const folder = await makeFolder();
    const here = storeOn(open(folder, [], 'project one'));
    here.take('c1');
    here.put(withTurn(createTurn('t1', 1000, FACTS)), 'e1');
    const there = storeOn(open(folder, [], 'project two'));
    assert.equal(there.get('c1')?.exchanges[0]?.attempts[0]?.outcome, undefined);
    assert.equal(there.take('c1')?.place, 'project one');
    here.dispose();
  });

  it('gives a conversation that is reserved here as another window left it', async () => {
    const folder = await makeFolder();
    const here = storeOn(open(folder));
    here.put(withTurn(completeTurn()), 'e1');
    assert.equal(here.take('c1'), undefined);
    const there = storeOn(open(folder));
    const more = [exchange('e1', 'Why?', [completeTurn()]), exchange('e2', 'And?', [])];
    there.put(conversation('c1', more), 'e2');
    here.put({ ...(here.latest('c1') ?? assert.fail()), title: 'Renamed here', named: true });
    there.put({ ...(there.latest('c1') ?? assert.fail()), pinned: true });
    const { exchanges, title, pinned } = here.latest('c1') ?? assert.fail();
    assert.deepEqual([exchanges.length, title, pinned], [2, 'Renamed here', true]);
    assert.equal(here.renew('c1'), undefined);
    there.dispose();
    here.dispose();
  });

  it('gives a conversation as another window left it also when that was just before it was reserved', async () => {
    const folder = await makeFolder();
    const here = storeOn(open(folder));
    here.put(withTurn(completeTurn()), 'e1');
    const there = storeOn(open(folder));
    const more = [exchange('e1', 'Why?', [completeTurn()]), exchange('e2', 'And?', [])];
    there.put(conversation('c1', more), 'e2');
    assert.equal(here.take('c1'), undefined);
    assert.equal(here.latest('c1')?.exchanges.length, 2);
    there.dispose();
    here.dispose();
  });

  it('does not reserve a conversation whose other window no longer tells where it is', async () => {
    const store = storeOn({ ...open(await makeFolder()), take: () => false, holder: () => undefined });
    store.put(withTurn(completeTurn()), 'e1');
    assert.deepEqual(store.take('c1'), { conversationId: 'c1', place: '' });
    assert.deepEqual(store.renew('c1'), { conversationId: 'c1', place: '' });
  });

  it('does not renew a conversation that runs in another window now', async () => {
    const folder = await makeFolder();
    const here = storeOn(open(folder));
    here.put(withTurn(completeTurn()), 'e1');
    here.take('c1');
    here.release('c1');
    const there = storeOn(open(folder, [], 'project two'));
    there.take('c1');
    assert.equal(here.renew('c1')?.place, 'project two');
    there.dispose();
    here.dispose();
  });

  it('sees a turn of another window also when it cannot write its own lease', async () => {
    const folder = await makeFolder();
    const there = storeOn(open(folder, [], 'project two'));
    there.put(withTurn(completeTurn()), 'e1');
    there.take('c1');
    const disk = onFullDisk(open(folder), 'take');
    const here = storeOn(disk.history, [], () => undefined);
    assert.equal(here.take('c1')?.place, 'project two');
    there.release('c1');
    assert.equal(here.take('c1'), undefined, 'it runs, although the lease is not written');
    there.dispose();
    here.dispose();
  });

  /** Two windows. In the second one, a write to the disk fails while `disk.full`. */
  async function withFullDisk(name: Parameters<typeof onFullDisk>[1]) {
    const folder = await makeFolder();
    const there = storeOn(open(folder));
    const real = open(folder);
    const disk = onFullDisk(real, name);
    const here = storeOn(disk.history, [], () => undefined);
    here.put(withTurn(completeTurn()), 'e1');
    return { there, here, disk, real };
  }

  it('gets its lease as soon as it can be written, so that no other window starts a turn', async () => {
    const folder = await makeFolder();
    const there = storeOn(open(folder));
    const disk = onFullDisk(open(folder, [], 'project one'), 'take');
    const here = storeOn(disk.history, [], () => undefined);
    here.put(withTurn(completeTurn()), 'e1');
    assert.equal(here.take('c1'), undefined);
    assert.equal(there.holder('c1'), undefined);
    disk.full = false;
    here.poll();
    assert.equal(there.take('c1')?.place, 'project one');
    there.dispose();
    here.dispose();
  });

  it('gives a lease back that could not be given back before, also while another turn of the window runs', async () => {
    const { there, here, disk, real } = await withFullDisk('release');
    for (const id of ['c1', 'c2']) here.take(id);
    here.release('c1');
    disk.full = false;
    here.poll();
    real.renew();
    assert.deepEqual(
      ['c1', 'c2'].map((id) => there.holder(id) !== undefined),
      [false, true],
    );
    there.dispose();
    here.dispose();
  });

  it('keeps a lease that it has taken again before an earlier one could be given back', async () => {
    const { there, here, disk } = await withFullDisk('release');
    here.take('c1');
    here.release('c1');
    here.take('c1');
    disk.full = false;
    here.poll();
    assert.ok(there.holder('c1'));
    there.dispose();
    here.dispose();
  });

  it('says in which conversation another window got the lease first', async () => {
    const { there, here, disk } = await withFullDisk('take');
    here.take('c1');
    there.take('c1');
    assert.deepEqual(here.poll().lost, []);
    disk.full = false;
    assert.deepEqual(here.poll().lost, ['c1']);
    assert.deepEqual(here.poll().lost, []);
    there.dispose();
    here.dispose();
  });

  it('renews an empty conversation whose draft changed meanwhile', async () => {
    const store = storeOn(open(await makeFolder()));
    const empty = conversation('c1', []);
    store.put(empty);
    store.putDraft('c1', 'Half');
    store.take('c1');
    store.putDraft('c1', 'Half a q');
    assert.equal(store.renew('c1'), undefined);
    store.dispose();
  });
});

describe('The lease of a window that was killed', () => {
  const HOUR_MS = 3_600_000;

  /** @param machines of the two windows, whose home folder is the same */
  async function begin(isAlive = true, machines: readonly [string, string] = ['laptop', 'laptop']) {
    const clock = { now: Date.now(), elapsed: 0 };
    const folder = await makeFolder();
    const openWindow = (place: string, machine: string): History => {
      const opened = openHistory({
        folder,
        place,
        machine,
        now: () => clock.now,
        elapsed: () => clock.elapsed,
        isAlive: () => isAlive,
        onSetAside: () => assert.fail('set aside'),
        onWrong: assert.fail,
      });
      assert.ok(opened.ok);
      return opened.history;
    };
    const there = openWindow('project one', machines[0]);
    const here = openWindow('project two', machines[1]);
    there.putHeader(conversation('c1', []));
    there.take('c1');
    return { clock, there, here };
  }

  it('ends also if another process has its number and the clock is set back', async () => {
    const { clock, there, here } = await begin();
    clock.now -= HOUR_MS;
    assert.equal(here.holder('c1')?.place, 'project one', 'it may be renewed');
    clock.elapsed += 10_000;
    assert.deepEqual([here.holder('c1'), here.holders()], [undefined, []]);
    assert.equal(here.take('c1'), true);
    for (const one of [there, here]) one.close();
  });

  it('is kept when the clock is set back while it runs', async () => {
    const { clock, there, here } = await begin();
    clock.now -= HOUR_MS;
    there.renew();
    assert.equal(here.holder('c1')?.place, 'project one');
    assert.equal(here.take('c1'), false);
    for (const one of [there, here]) one.close();
  });

  for (const ms of [100, HOUR_MS])
    it(`is kept until its window renews it when the clock is set back by ${ms} ms while it runs`, async () => {
      const { clock, there, here } = await begin();
      clock.now -= ms;
      for (let n = 0; n < 30; n++) {
        assert.deepEqual([here.take('c1'), here.holders().length], [false, 1], `after ${n} seconds`);
        clock.now += 1000;
        clock.elapsed += 1000;
        there.renew();
      }
      for (const one of [there, here]) one.close();
    });

  it('is kept on another machine, where its process can’t be seen, until it expires', async () => {
    const { clock, there, here } = await begin(false, ['server', 'laptop']);
    assert.equal(here.holder('c1')?.place, 'project one');
    assert.equal(here.take('c1'), false);
    clock.now += 10_001;
    clock.elapsed += 10_001;
    assert.deepEqual([here.holder('c1'), here.take('c1')], [undefined, true]);
    for (const one of [there, here]) one.close();
  });

  it('ends at once if this process has its number', async () => {
    const { there, here } = await begin();
    assert.equal(here.holder('c1')?.place, 'project one');
    // Without its lease being released, as if it was killed.
    there.close();
    assert.deepEqual([here.holder('c1'), here.holders(), here.take('c1')], [undefined, [], true]);
    here.close();
  });
});
