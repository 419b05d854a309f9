/** A connection that ends in the middle, in a way of its own. */
import { type Expected, type Fault, HTTP1, IN_BODY, type Phase } from '../fault.ts';

/** R9: what is interrupted after text came is not complete; after the finish reason, nothing is missing. */
export function broken(phase: Phase, nothing: Expected['failure'] = 'connection-lost'): Expected {
  switch (phase) {
    case 'after-finish':
      return { outcome: 'complete', failure: 'connection-lost', also: ['usage-missing'] };
    case 'connecting':
    case 'first-byte':
    case 'headers':
      return { outcome: 'failed', failure: nothing, told: /connection was lost.*before an answer/s };
    default:
      return { outcome: 'interrupted', failure: 'connection-lost', told: /interrupted/ };
  }
}

export const ENDS: readonly Fault[] = [
  {
    name: 'reset',
    phases: ['first-byte', ...IN_BODY],
    async act(reply) {
      // What the client's system has not read yet is thrown away by a reset.
      await reply.seen();
      reply.reset();
    },
    expected: ({ phase }) => broken(phase),
  },
  {
    name: 'fin',
    phases: ['first-byte', ...IN_BODY],
    act: (reply) => reply.close(),
    expected: ({ phase }) => broken(phase),
  },
  {
    name: 'end-without-done',
    phases: IN_BODY,
    act: (reply) => reply.end(),
    expected({ phase }) {
      if (phase === 'after-finish') return { outcome: 'complete', also: ['usage-missing'] };
      if (phase === 'headers')
        return { outcome: 'failed', failure: 'not-a-completion', told: /Unexpected server response/ };
      return { outcome: 'interrupted', told: /interrupted/ };
    },
  },
];

export const SILENCES: readonly Fault[] = [
  {
    name: 'stall',
    phases: ['first-byte', ...IN_BODY],
    waits: 'limit',
    act: () => undefined,
    expected: ({ phase }) =>
      phase === 'after-finish'
        ? { outcome: 'complete', failure: 'silent', also: ['usage-missing'] }
        : { outcome: 'stalled', failure: 'silent', told: /stopped responding.*k3\.timeouts/s },
  },
];

export const HELD: readonly Fault[] = [
  {
    name: 'upgrade-101',
    phases: ['first-byte'],
    transports: HTTP1,
    act: (reply) =>
      void reply.socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      ),
    expected: () => ({
      outcome: 'failed',
      failure: ['unknown', 'connection-lost'],
      told: /failed with status 101|connection was lost/,
    }),
  },
];
