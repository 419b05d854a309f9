/** The outcomes that the strict service of test/foreign causes. */

/** The result of a question with a marker of the strict service. */
export interface Expected {
  readonly marker: string;
  readonly outcome: string;
  /** Text of the answer or its card. */
  readonly message?: RegExp;
  /** The number of requests that are allowed; 1 by default. */
  readonly requests?: number;
}

export const EXPECTED: readonly Expected[] = [
  { marker: 'budget-spent', outcome: 'spent-on-reasoning', message: /Reasoning used all output tokens/ },
  { marker: 'cut', outcome: 'truncated', message: /cut off/ },
  { marker: 'nothing', outcome: 'empty', message: /The answer is empty/ },
  { marker: 'other-model', outcome: 'complete', message: /Another model answered/ },
  { marker: 'renamed-reasoning', outcome: 'complete' },
  { marker: 'renamed-reasoning:reasoning_details', outcome: 'complete' },
  { marker: 'renamed-reasoning:think', outcome: 'complete' },
  { marker: 'renamed-reasoning:both', outcome: 'complete' },
  { marker: 'no-usage', outcome: 'complete', message: /Usage not reported/ },
  { marker: 'zero-usage', outcome: 'complete', message: /Usage not reported/ },
  { marker: 'usage-in-choice', outcome: 'complete', message: /Usage\s+passed/ },
  { marker: 'no-done', outcome: 'complete' },
  { marker: 'no-done:early', outcome: 'interrupted', message: /without a finish reason/ },
  { marker: 'dropped', outcome: 'interrupted', message: /connection was lost/ },
  { marker: 'error-mid-stream', outcome: 'failed', message: /reported an error|failed/ },
  { marker: '401', outcome: 'failed', message: /key was not accepted/ },
  { marker: '404-direct', outcome: 'failed', message: /the service doesn’t say which/ },
  { marker: '404-gateway', outcome: 'failed', message: /doesn’t recognize the model/ },
  { marker: '429-twice', outcome: 'complete', requests: 3 },
  { marker: 'balance', outcome: 'failed', message: /no balance/ },
  { marker: '503-once', outcome: 'complete', requests: 2 },
  { marker: 'html-200', outcome: 'failed', message: /a web page/ },
  { marker: 'error-200', outcome: 'failed' },
  { marker: 'redirect', outcome: 'failed', message: /not followed/ },
  { marker: 'filtered', outcome: 'filtered', message: /content filter/ },
  { marker: 'filtered:finish', outcome: 'filtered' },
  { marker: 'keep-alive', outcome: 'complete' },
  { marker: 'empty-choices', outcome: 'complete' },
  { marker: 'null-deltas', outcome: 'complete' },
  { marker: 'single-bytes', outcome: 'complete' },
  { marker: 'bare-cr', outcome: 'complete' },
  { marker: 'no-space', outcome: 'complete' },
];
