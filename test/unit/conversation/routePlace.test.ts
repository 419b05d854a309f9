import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isFromRoute, routeOf, toDestination, toRoutePlace } from '../../../src/conversation/routePlace.ts';
import { ROUTE } from '../service/wire.ts';

const asked = { routeName: ROUTE.name, routePlace: toRoutePlace(ROUTE) };

describe('The route that a turn came from', () => {
  it('is known by where it leads, also after it was renamed or when its name is another one’s now', () => {
    assert.equal(isFromRoute(asked, toDestination(ROUTE)), true);
    assert.equal(isFromRoute(asked, toDestination({ ...ROUTE, name: 'renamed' })), true);
    assert.equal(isFromRoute(asked, toDestination({ ...ROUTE, root: 'https://other.example/v1' })), false);
    assert.equal(isFromRoute(asked, toDestination({ ...ROUTE, model: 'other' })), true);
  });

  it('leaves no address in a conversation', () => {
    assert.match(toRoutePlace(ROUTE), /^[0-9a-f]{16}$/);
  });

  it('is known by its name only, of turns of earlier versions and where the address is not known', () => {
    const earlier = { routeName: ROUTE.name };
    assert.equal(isFromRoute(earlier, toDestination(ROUTE)), true);
    assert.equal(isFromRoute(earlier, toDestination({ ...ROUTE, name: 'renamed' })), false);
    assert.equal(isFromRoute(asked, toDestination({ name: ROUTE.name, kind: ROUTE.kind })), true);
  });

  it('is found under its name, or else by where it leads, if only one leads there with its model', () => {
    const request = { ...asked, model: ROUTE.model };
    const renamed = { ...ROUTE, name: 'renamed' };
    const elsewhere = { ...ROUTE, root: 'https://other.example/v1' };
    const found = (...routes: readonly (typeof ROUTE)[]) => routeOf(request, routes);
    assert.equal(found(renamed, ROUTE), ROUTE);
    assert.equal(found(elsewhere, renamed), renamed);
    assert.equal(found({ ...renamed, model: 'other' }), undefined);
    assert.equal(found(renamed, { ...renamed, name: 'third' }), undefined);
    // Its address was changed, or its name is that of another one.
    assert.equal(found(elsewhere), elsewhere);
    assert.equal(found({ ...elsewhere, model: 'other' }), undefined);
    const { routePlace, ...earlier } = request;
    assert.equal(routeOf(earlier, [renamed]), undefined);
    assert.equal(routeOf(earlier, [elsewhere]), elsewhere);
  });
});
