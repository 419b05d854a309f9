/** The map of a turn as plain data: created by the host, drawn by the webview. */

/**
 * `waiting`: the time until the first text of a response. `approval`: the time in which the user was asked. `between`: the time
 * from the tool calls to the next request. `writing`: the time of a response with nothing but tool calls. `reasoning`: reasoning
 * without steps, because their times are not known, or the service kept the text.
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

/** The subject of a part. Steps, rounds, and calls are counted from 0. */
export interface MapPlace {
  readonly kind: MapKind;
  readonly step?: number;
  /** The title of the step. */
  readonly title?: string;
  readonly round?: number;
  readonly call?: number;
}

export interface MapPart extends MapPlace {
  /** The size of the part in its row: milliseconds, or tokens. */
  readonly value: number;
  /** The milliseconds of the whole subject. For a call that ran in parallel with others, more than the size of the part. */
  readonly ms?: number;
  readonly tokens?: number;
  /** The tokens are estimated, from the length of the text. */
  readonly estimated?: true;
}

export interface TurnMap {
  /** Undefined if the times were not recorded. */
  readonly times: readonly MapPart[] | undefined;
  readonly tokens: readonly MapPart[];
  /** Which requests reported their usage. If none did, all tokens are estimated, and the input is not known. */
  readonly reported: 'all' | 'some' | 'none';
}
