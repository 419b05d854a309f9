/** Interim responses (1xx), which only say that the final response follows. */
import type { Socket } from 'node:net';
import { MAX_HEADERS_LENGTH } from './limits.ts';

const BEGINS = ['HTTP/1.1 100', 'HTTP/1.1 102', 'HTTP/1.1 103'];
const END = '\r\n\r\n';

/**
 * Removes responses such as `100 Continue` from the bytes that are read from a connection. A server may send them unasked (RFC
 * 9110, 15.2), and undici treats that one as a damaged response.
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
    // It isn't known yet whether this is such a response. If it is too long, undici refuses it.
    const isOpen = BEGINS.some((one) => begin.startsWith(one) || one.startsWith(begin));
    if (isOpen && begin.length <= MAX_HEADERS_LENGTH) return null;
    isOver = true;
    return Buffer.from(begin, 'latin1');
  };
}

/** The index of the end of such a response at the beginning of a text, or -1. */
const endOf = (text: string): number => (BEGINS.some((one) => text.startsWith(one)) ? text.indexOf(END) : -1);
