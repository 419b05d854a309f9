/** Routes, and a service that stops. */
import { type Action, action } from './action.ts';

export const serviceActions: readonly Action[] = [
  action('switch the route', 6, async (world) => {
    const route = world.random.chance(0.4) ? 'work' : world.random.pick(world.service.routes);
    await world.applySettings(route);
    return route;
  }),
  action('remove the route', 1, async (world) => {
    const gone = world.random.pick(world.service.routes);
    const remaining = world.service.settings([gone]);
    await world.applySettings(gone, { 'k3.routes': remaining });
    return gone;
  }),
  action('let every tool ask', 1, async (world) => {
    await world.applySettings(world.random.pick(['work', 'tools', 'tools-rounds']), {
      'k3.tools.alwaysAsk': true,
    });
    return 'k3.tools.alwaysAsk';
  }),
  action('cut the network', 2, async (world) => {
    if (world.service.isThere) {
      await world.service.leave();
      return 'away';
    }
    await world.service.comeBack();
    return 'back';
  }),
  action('refuse the key', 1, async (world) => {
    await world.service.comeBack(true);
    return 'refused from now on';
  }),
  action('bring the service back', 3, async (world) => {
    await world.service.comeBack();
    return 'back';
  }),
];
