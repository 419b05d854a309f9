/** Messages of other chats, for tests. */
import type { OtherMessage, OtherPart } from '../../../src/conversation/otherChats/otherParts.ts';

export const text = (words: string): OtherPart => ({ type: 'text', text: words });
export const call = (id: string, input: object = {}): OtherPart => ({
  type: 'call',
  id,
  name: 'read',
  input,
});
export const result = (callId: string, ...parts: OtherPart[]): OtherPart => ({
  type: 'result',
  callId,
  parts,
});
export const user = (...parts: OtherPart[]): OtherMessage => ({ role: 'user', parts });
export const assistant = (...parts: OtherPart[]): OtherMessage => ({ role: 'assistant', parts });
export const system = (...parts: OtherPart[]): OtherMessage => ({ role: 'system', parts });
export const data = (mime: string, bytes: Uint8Array | string): OtherPart => ({
  type: 'data',
  mime,
  bytes: typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes,
});
export const GIF = new TextEncoder().encode('GIF89a-----');
