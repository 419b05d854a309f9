/** The outcomes that scenarios of the emulator cause, and the texts that the user sees. */

export interface ExpectedOutcome {
  readonly scenario: string;
  readonly outcome: string;
  /** Text on the card. */
  readonly card?: RegExp;
  readonly button?: string;
  /** The code in the Problems view. */
  readonly problem?: string;
}

export const OUTCOMES: readonly ExpectedOutcome[] = [
  {
    scenario: 'spent-on-reasoning',
    outcome: 'spent-on-reasoning',
    card: /Reasoning used all output tokens/,
    button: 'Retry with a larger budget',
    problem: 'spent-on-reasoning',
  },
  { scenario: 'truncate', outcome: 'truncated', card: /cut off/, button: 'Continue', problem: 'truncated' },
  {
    scenario: 'substitute',
    outcome: 'complete',
    card: /Another model answered/,
    problem: 'model-substituted',
  },
  { scenario: 'renamed-reasoning', outcome: 'complete' },
  { scenario: 'think-no-open', outcome: 'complete' },
  { scenario: 'no-usage', outcome: 'complete', card: /Usage not reported/, problem: 'usage-missing' },
  { scenario: 'zero-usage', outcome: 'complete', card: /Usage not reported/, problem: 'usage-missing' },
  { scenario: 'no-done', outcome: 'complete' },
  { scenario: 'empty', outcome: 'empty', card: /The answer is empty/, problem: 'empty-answer' },
  {
    scenario: 'cut-mid-answer',
    outcome: 'interrupted',
    card: /interrupted/,
    button: 'Continue',
    problem: 'interrupted',
  },
  { scenario: '401', outcome: 'failed', card: /key was not accepted/, button: 'Set API Key…' },
  {
    scenario: '404-direct',
    outcome: 'failed',
    card: /the service doesn’t say which/,
    button: 'Check Connection',
  },
  {
    scenario: '404-gateway',
    outcome: 'failed',
    card: /doesn’t recognize the model/,
    button: 'Check Connection',
  },
  { scenario: 'rate-limit', outcome: 'complete' },
  { scenario: 'balance', outcome: 'failed', card: /no balance/ },
  { scenario: 'overloaded', outcome: 'complete' },
  { scenario: 'html-200', outcome: 'failed', card: /a web page/ },
  { scenario: 'error-200', outcome: 'failed', card: /reported an error/ },
  { scenario: 'error-mid-stream', outcome: 'failed', card: /reported an error/, button: 'Retry' },
  { scenario: 'redirect', outcome: 'failed', card: /not followed/ },
  { scenario: 'single-bytes', outcome: 'complete' },
  { scenario: 'bare-cr', outcome: 'complete' },
  { scenario: 'no-space', outcome: 'complete' },
  {
    scenario: 'stall-answer',
    outcome: 'stalled',
    card: /k3\.timeouts\.answering/,
  },
];
