/** The efforts of the reasoning, from the lowest to the highest (Q15). */
export const EFFORTS = ['low', 'high', 'max'] as const;

export type ReasoningEffort = (typeof EFFORTS)[number];

export const isEffort = (value: unknown): value is ReasoningEffort =>
  EFFORTS.some((effort) => effort === value);
