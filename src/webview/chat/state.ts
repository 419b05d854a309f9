/** The state of the panel, folded from the host's messages. */
import type { Changes, HostMessage, PostedMessage, ShortText } from '../../panel/hostMessages.ts';
import type { PanelState } from '../../panel/panelState.ts';
import type { ExchangeView, TurnText, TurnView } from '../../panel/views.ts';

export interface Panel {
  readonly seq: number;
  readonly panel: PanelState;
  /** The ID of the turn of the last `text` message, to which short messages refer. */
  readonly textTurn?: string;
  /** The turn of the last `turn` message. */
  readonly turn?: TurnView;
}

/** A message in its full form, and the state after it. */
export interface Folded {
  readonly message: HostMessage;
  readonly state: Panel;
}

/** Returns a message in its full form; undefined if the state lacks the data that a shortened message refers to. */
function wholeMessage(state: Panel, posted: PostedMessage): HostMessage | undefined {
  if (isShortText(posted)) {
    const [seq, answer, reasoning = ''] = posted;
    const turnId = state.textTurn;
    return turnId === undefined ? undefined : { type: 'text', seq, turnId, reasoning, answer };
  }
  if (posted.type === 'turn-changes') {
    const turn = state.turn && withChanges(state.turn, posted);
    return turn && { type: 'turn', seq: posted.seq, turn };
  }
  if (posted.type === 'surroundings-changes') {
    const surroundings = withChanges(state.panel.surroundings, posted);
    return { type: 'surroundings', seq: posted.seq, surroundings };
  }
  return posted;
}

export const isShortText = (posted: PostedMessage): posted is ShortText => Array.isArray(posted);

function withChanges<Value>(value: Value, { changes, unset = [] }: Changes<Value>): Value {
  return { ...value, ...Object.fromEntries(unset.map((field) => [field, undefined])), ...changes };
}

/**
 * The message and the state after it, or `resync` if a message was lost and a snapshot is needed, or `outdated` if the message came
 * late or for the second time, so that the state already contains it.
 */
export function foldPanel(state: Panel | undefined, posted: PostedMessage): Folded | 'resync' | 'outdated' {
  const seq = isShortText(posted) ? posted[0] : posted.seq;
  if (state !== undefined && seq <= state.seq) return 'outdated';
  if (!isShortText(posted) && posted.type === 'snapshot')
    return { message: posted, state: { seq, panel: posted.panel } };
  if (state === undefined || seq !== state.seq + 1) return 'resync';
  const message = wholeMessage(state, posted);
  if (message === undefined || message.type === 'snapshot') return 'resync';
  return {
    message,
    state: {
      ...state,
      seq,
      panel: foldMessage(state.panel, message),
      ...(message.type === 'text' && { textTurn: message.turnId }),
      ...(message.type === 'turn' && { turn: message.turn }),
    },
  };
}

function foldMessage(panel: PanelState, message: Exclude<HostMessage, { type: 'snapshot' }>): PanelState {
  switch (message.type) {
    case 'text':
      return changeTurn(panel, message.turnId, (turn) => ({
        ...turn,
        reasoning: turn.reasoning + message.reasoning,
        answer: turn.answer + message.answer,
      }));
    case 'turn':
      return changeTurn(panel, message.turn.id, (turn) => ({
        ...message.turn,
        rounds: withTexts(message.turn.rounds, turn.rounds),
        reasoning: turn.reasoning,
        answer: turn.answer,
      }));
    case 'exchange':
      return { ...panel, exchanges: putExchange(panel.exchanges, message.exchange) };
    case 'earlier':
      return {
        ...panel,
        earlier: message.earlier,
        exchanges: [...message.exchanges, ...panel.exchanges],
      };
    case 'later':
      return { ...panel, later: message.later, exchanges: [...panel.exchanges, ...message.exchanges] };
    case 'surroundings':
      return { ...panel, surroundings: message.surroundings };
    case 'draft':
      return { ...panel, draft: message.text };
    case 'compose':
      return { ...panel, draft: panel.draft === '' ? message.text : `${panel.draft}\n${message.text}` };
    case 'reveal':
    case 'found':
    case 'choices':
    case 'recalled':
    case 'edit':
    case 'open-find':
    case 'why':
    case 'step':
    case 'map':
    case 'show-map':
    case 'paths':
    case 'symbols':
    case 'taken':
    case 'focus':
    case 'refocus':
      return panel;
  }
}

/** Keeps the texts of calls that the message doesn't repeat. */
function withTexts(rounds: TurnView['rounds'], before: TurnView['rounds']): TurnView['rounds'] {
  return rounds.map(({ calls, ...round }, at) => ({
    ...round,
    calls: calls.map(({ kept, ...call }, index) => {
      const known = kept && before[at]?.calls[index];
      if (known === undefined) return call;
      return { ...call, arguments: known.arguments, result: known.result, images: known.images };
    }),
  }));
}

/** Searches from the end: the running turn is nearly always in the last exchange. */
function changeTurn(
  panel: PanelState,
  turnId: string,
  change: (turn: TurnView & TurnText) => TurnView & TurnText,
): PanelState {
  const at = panel.exchanges.findLastIndex((exchange) => exchange.turn?.id === turnId);
  const exchange = panel.exchanges[at];
  if (exchange?.turn === undefined) return panel;
  return { ...panel, exchanges: panel.exchanges.with(at, { ...exchange, turn: change(exchange.turn) }) };
}

function putExchange(exchanges: readonly ExchangeView[], exchange: ExchangeView): readonly ExchangeView[] {
  const at = exchanges.findIndex(({ id }) => id === exchange.id);
  return at === -1 ? [...exchanges, exchange] : exchanges.with(at, exchange);
}
