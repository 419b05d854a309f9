/** What was chosen for an attempt, with the routes as they are when it is asked again. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChosenRequest } from '../../../src/conversation/requestFacts.ts';
import {
  toChosenOptions,
  toOptions,
  toPlaceHash,
  withKept,
  withoutRoute,
} from '../../../src/requests/chosenOptions.ts';
import { ROUTE } from '../service/wire.ts';

const active = { ...ROUTE, name: 'work', root: 'https://work.example/v1' };
const second = { ...ROUTE, name: 'second' };
const place = toPlaceHash(second);
const route = { name: 'second', insteadOf: 'work', place };
const chosen: ChosenRequest = { route, effort: 'low' };

describe('What was chosen for an attempt', () => {
  it('is kept while the active route is the same', () => {
    assert.deepEqual(toChosenOptions(chosen, [active, second], 'work'), {
      routeName: 'second',
      effort: 'low',
      chosen,
    });
    assert.deepEqual(toChosenOptions(undefined, [active, second], 'work'), {});
    assert.deepEqual(toChosenOptions({}, [active, second], 'work'), {});
  });

  it('has no route anymore when another one became the active one, also the demo or none', () => {
    for (const now of ['third', 'Demo', ''])
      assert.deepEqual(toChosenOptions(chosen, [active, second], now), {
        effort: 'low',
        chosen: { effort: 'low' },
      });
  });

  it('is kept when the active route only has another name, and not when its name is that of another one', () => {
    const kept: ChosenRequest = { route: { ...route, insteadOfPlace: toPlaceHash(active) } };
    const renamed = { ...active, name: 'office' };
    assert.equal(toChosenOptions(kept, [renamed, second], 'office').routeName, 'second');
    const elsewhere = { ...renamed, root: 'https://office.example/v1' };
    assert.equal(toChosenOptions(kept, [elsewhere, second], 'office').routeName, undefined);
    assert.equal(toChosenOptions(kept, [active, renamed, second], 'office').routeName, undefined);
    assert.equal(toChosenOptions(kept, [second], '').routeName, undefined);
  });

  it('has the other name of a route that was renamed, if only one leads there', () => {
    const renamed = { ...second, name: 'renamed' };
    const options = toChosenOptions(chosen, [active, renamed], 'work');
    assert.equal(options.routeName, 'renamed');
    assert.deepEqual(options.chosen?.route, { ...route, name: 'renamed' });
    const twice = [renamed, { ...second, name: 'other key' }];
    assert.equal(toChosenOptions(chosen, twice, 'work').routeName, 'second', 'it counts as gone');
    const { place: _, ...unplaced } = route;
    assert.equal(toChosenOptions({ route: unplaced }, [renamed], 'work').routeName, 'second');
  });

  it('has the name of a route that leads elsewhere since, for example to the right address', () => {
    const elsewhere = { ...second, root: 'https://right.example/v1' };
    const other = { ...second, name: 'other' };
    assert.equal(toChosenOptions(chosen, [elsewhere, other], 'work').routeName, 'second');
  });

  it('has a name that is gone, so that the user is told', () => {
    assert.equal(toChosenOptions(chosen, [active], 'work').routeName, 'second');
  });

  it('gives way to what is chosen now, and to the effort of a preset', () => {
    const kept = toChosenOptions(chosen, [active, second], 'work');
    assert.deepEqual(withKept(kept, toOptions({ effort: 'max' })), toOptions({ route, effort: 'max' }));
    const other = { name: 'third', insteadOf: 'work' };
    assert.deepEqual(withKept(kept, toOptions({ route: other })), toOptions({ route: other, effort: 'low' }));
    const preset = { name: 'Plan' };
    assert.deepEqual(withKept(kept, { preset }), { preset, ...toOptions({ route }) });
    assert.deepEqual(withKept({}, { budget: 9 }), { budget: 9 });
  });

  it('keeps what is left out, but not on another route', () => {
    const plain: ChosenRequest = { leaveOut: ['schema'] };
    const kept = toChosenOptions(plain, [active], 'work');
    assert.deepEqual(kept, { chosen: plain });
    assert.deepEqual(withKept(kept, { budget: 9 }), { budget: 9, chosen: plain });
    assert.deepEqual(withKept(kept, toOptions({ route })), toOptions({ route }));
    assert.deepEqual(withoutRoute(toOptions({ ...chosen, ...plain })), toOptions({ effort: 'low' }));
  });

  it('is asked on the active route with the same effort', () => {
    assert.deepEqual(withoutRoute({ budget: 9, ...toOptions(chosen) }), {
      budget: 9,
      ...toOptions({ effort: 'low' }),
    });
    assert.deepEqual(withoutRoute(toOptions({ route })), {});
  });

  it('leaves no address in a conversation', () => {
    assert.match(place, /^[0-9a-f]{16}$/);
    assert.notEqual(place, toPlaceHash({ ...second, model: 'other' }));
    assert.notEqual(place, toPlaceHash({ ...second, kind: 'gateway' }));
  });
});
