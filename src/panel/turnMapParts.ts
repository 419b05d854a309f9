/** What the map of a turn shows, as plain data: created by the host, drawn by the webview. */

/**
 * `waiting` is the time until the first text of a response, `approval` that in which the user was asked, `between` that from the
 * tool calls to the next request. `writing` is that of a response
 * with nothing but tool calls. `reasoning` has no steps: their times are not known, or the service kept the text.
 */
export type MapKind =
  | 'waiting'
  | 'step'
  | 'reasoning'
  | 'answer'
  | 'writing'
  | 'approval'
  | 'call'
  | 'between'
  | 'silence'
  | 'input'
  | 'uncached'
  | 'cached';

/** What a part is about. Steps, rounds, and calls count from 0. */
export interface MapPlace {
  readonly kind: MapKind;
  readonly step?: number;
  /** The title of the step. */
  readonly title?: string;
  readonly round?: number;
  readonly call?: number;
}

export interface MapPart extends MapPlace {
  /** Its part of the row: milliseconds, or tokens. */
  readonly value: number;
  /** Milliseconds of all that it is about. For a call that ran beside others, more than its part of the row. */
  readonly ms?: number;
  readonly tokens?: number;
  /** The tokens are estimated, from the length of the text. */
  readonly estimated?: true;
}

export interface TurnMap {
  /** Undefined if the times were not recorded. */
  readonly times: readonly MapPart[] | undefined;
  readonly tokens: readonly MapPart[];
  /** Which requests reported their usage. Without it, all is estimated, and the input is not known. */
  readonly reported: 'all' | 'some' | 'none';
}
