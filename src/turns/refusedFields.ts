/** Fields of a request that a route may refuse, as a probe has seen it, and that a question can do without. */
export type RefusedField = (typeof REFUSABLE)[number];

export const REFUSABLE = ['schema', 'effort'] as const;
