/** Responses that only say that another one comes. */
import type { Socket } from 'node:net';
import { MAX_HEADERS_LENGTH } from './limits.ts';

const BEGINS = ['HTTP/1.1 100', 'HTTP/1.1 102', 'HTTP/1.1 103'];
const END = '\r\n\r\n';

/**
 * Leaves responses such as `100 Continue` out of what is read from a connection. A server may send them although nobody has asked for
 * them (RFC 9110, 15.2), and undici takes that one for a damaged response.
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
    // It isn't known yet what it is. What is too long is for undici to refuse.
    const isOpen = BEGINS.some((one) => begin.startsWith(one) || one.startsWith(begin));
    if (isOpen && begin.length <= MAX_HEADERS_LENGTH) return null;
    isOver = true;
    return Buffer.from(begin, 'latin1');
  };
}

/** Where such a response ends that a text begins with. */
const endOf = (text: string): number => (BEGINS.some((one) => text.startsWith(one)) ? text.indexOf(END) : -1);
