/**
 * The client's ends of all connections in this process. The service's ends alone don't tell whether the client has left:
 * where TLS is broken, a server of HTTP/2 doesn't notice it.
 */
import { Socket } from 'node:net';

const sockets = new Set<Socket>();

/** Begins to note connections; the function that it returns ends that. */
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

/** How many connections to a port are open. */
export const openTo = (port: number): number =>
  [...sockets].filter(({ destroyed, remotePort }) => !destroyed && remotePort === port).length;
