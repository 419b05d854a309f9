/**
 * Runs Portkey's gateway in its own process, because it takes over its process. By default, it would listen
 * on every network and forward anything to anywhere, so it is restricted to this computer. Sends its port to
 * the parent process.
 */
import { type AddressInfo, Server } from 'node:net';

const { listen } = Server.prototype;
Object.assign(Server.prototype, {
  listen(this: Server, _port: number, _host: string | undefined, listening: () => void) {
    this.once('listening', () => process.send?.((this.address() as AddressInfo).port));
    return listen.call(this, { port: 0, host: '127.0.0.1' }, listening);
  },
});
// If a test run is killed, its server ends too.
process.once('disconnect', () => process.exit());
// @ts-expect-error It is a program, without types.
await import('@portkey-ai/gateway/build/start-server.js');
