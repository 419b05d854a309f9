/** Expectations that several faults share, from the rules of the service and the outcomes of docs/security.md. */
import type { NoticeCode } from '../../../src/conversation/outcomes/notices.ts';
import type { Expected, Phase, Stage } from '../fault.ts';

/** The answer arrives in spite of the fault. */
export const COMPLETE: Expected = { outcome: 'complete' };
export const complete =
  (...also: readonly NoticeCode[]) =>
  (): Expected => ({ ...COMPLETE, also });

/**
 * The connection broke. R9: an answer that is cut off in its text is interrupted, not complete; after the finish reason,
 * no text is missing. Before any text, there is no answer; after a tool has run, its round is kept.
 */
export function lost({ phase }: Pick<Stage, 'phase'>): Expected {
  switch (phase) {
    case 'after-finish':
      return { outcome: 'complete', failure: 'connection-lost', also: ['usage-missing'] };
    case 'connecting':
    case 'first-byte':
    case 'headers':
      return {
        outcome: 'failed',
        failure: 'connection-lost',
        told: /connection was lost.*before an answer/s,
      };
    default:
      return { outcome: 'interrupted', failure: 'connection-lost', told: /interrupted/ };
  }
}

/** The body ended, correctly for HTTP, before its finish reason (R9). */
export function cut({ phase }: Pick<Stage, 'phase'>): Expected {
  if (phase === 'after-finish') return { outcome: 'complete', also: ['usage-missing'] };
  if (phase === 'headers')
    return { outcome: 'failed', failure: 'not-a-completion', told: /Unexpected server response/ };
  return { outcome: 'interrupted', told: /interrupted/ };
}

const SETTING: Readonly<Partial<Record<Phase, string>>> = {
  connecting: 'connecting',
  'first-byte': 'firstByte',
  headers: 'firstByte',
  'tool-first-byte': 'firstByte',
  reasoning: 'reasoning',
};

/** E9: the limit of the phase ended the turn, and its setting is named. */
export function silent({ phase }: Pick<Stage, 'phase'>, title = 'stopped responding'): Expected {
  if (phase === 'after-finish') return { outcome: 'complete', failure: 'silent', also: ['usage-missing'] };
  const setting = SETTING[phase] ?? 'answering';
  return {
    outcome: 'stalled',
    failure: 'silent',
    told: new RegExp(`${title}.*k3\\.timeouts\\.${setting}`, 's'),
  };
}

/** The request was refused, and is not sent again. */
export const failed = (
  failure: Expected['failure'],
  told: RegExp,
  more: Partial<Expected> = {},
): Expected => ({
  outcome: 'failed',
  ...(failure !== undefined && { failure }),
  told,
  ...more,
});
