/** Fields of a request that a route may refuse, as a probe has shown, and that a question can do without. */
export type RefusedField = (typeof REFUSABLE)[number];

/** Each field has the name of a check of the probe: `ceiling` is an output budget as large as the context window. */
export const REFUSABLE = ['json', 'schema', 'effort', 'ceiling'] as const;

/** A field, or only some of its values: `lower-effort` is an effort that isn't `max`. */
export type RefusedPart = RefusedField | 'lower-effort';
