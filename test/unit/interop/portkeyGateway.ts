/**
 * Runs Portkey's gateway, in a process of its own because it takes over the process it is in. It would listen on every
 * network of the machine and pass anything on to anywhere, so it is held to this machine. The parent is sent its port.
 */
import { type AddressInfo, Server } from 'node:net';

const { listen } = Server.prototype;
Object.assign(Server.prototype, {
  listen(this: Server, _port: number, _host: string | undefined, listening: () => void) {
    this.once('listening', () => process.send?.((this.address() as AddressInfo).port));
    return listen.call(this, { port: 0, host: '127.0.0.1' }, listening);
  },
});
// A test run that was killed leaves no server behind.
process.once('disconnect', () => process.exit());
// @ts-expect-error It is a program, without types.
await import('@portkey-ai/gateway/build/start-server.js');
