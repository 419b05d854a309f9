/**
 * The client's ends of all connections in this process. The service's ends alone don't show whether the client has closed a
 * connection: if TLS is broken, an HTTP/2 server doesn't notice this.
 */
import { Socket } from 'node:net';

const sockets = new Set<Socket>();

/** Begins to record connections, and returns a function that ends this. */
export function watchClientSockets(): () => void {
  const { prototype } = Socket;
  const { connect } = prototype;
  prototype.connect = function (this: Socket, ...args: unknown[]) {
    sockets.add(this);
    this.once('close', () => sockets.delete(this));
    return Reflect.apply(connect, this, args);
  } as typeof connect;
  return () => {
    prototype.connect = connect;
    sockets.clear();
  };
}

/** The number of open connections to a port. */
export const openTo = (port: number): number =>
  [...sockets].filter(({ destroyed, remotePort }) => !destroyed && remotePort === port).length;
