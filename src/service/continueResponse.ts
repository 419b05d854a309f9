/** A response that only says that the request goes on. */
import type { Socket } from 'node:net';

const BEGIN = 'HTTP/1.1 100';
const END = '\r\n\r\n';

/**
 * Leaves `100 Continue` out of what is read from a connection. A server may send it although nobody has asked for it (RFC 9110,
 * 15.2.1), and undici takes it for a damaged response.
 */
export function skipContinue(socket: Socket): void {
  const read = socket.read.bind(socket);
  let begin = '';
  let isOver = false;
  socket.read = (size?: number): Buffer | null => {
    const bytes: Buffer | null = read(size);
    if (isOver || bytes === null) return bytes;
    begin += bytes.toString('latin1');
    for (let end = endOf(begin); end !== -1; end = endOf(begin)) begin = begin.slice(end + END.length);
    // It isn't known yet what it is.
    if (begin.startsWith(BEGIN) || BEGIN.startsWith(begin)) return null;
    isOver = true;
    return Buffer.from(begin, 'latin1');
  };
}

/** Where such a response ends that a text begins with. */
const endOf = (text: string): number => (text.startsWith(BEGIN) ? text.indexOf(END) : -1);
