/**
 * The maps of turns on the page, as `panel/turnMap.ts` computes them: two clickable rows that show where the time and the tokens of an
 * answer went.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { HostMessage } from '../../panel/hostMessages.ts';
import { layOut, type MapGroup } from '../../panel/turnMapLayout.ts';
import type { MapKind, MapPart, TurnMap } from '../../panel/turnMapParts.ts';
import type { TurnText, TurnView } from '../../panel/views.ts';
import { joinList } from '../base/joinList.ts';
import type { PageContext } from '../base/pageContext.ts';
import { scrollLog } from '../base/scrollLog.ts';
import { kindName, nameOfParts, secondsText, sumOf, tokenFigures } from './mapNames.ts';
import { goToPart, hasTarget, type MapTargetsDeps } from './mapTargets.ts';

export interface TurnMaps {
  /** The map of a turn, if it is open. */
  template(exchangeId: string, turn: Shown): TemplateResult | typeof nothing;
  receive(message: Extract<HostMessage, { type: 'map' }>): void;
  /** Opens a map and moves the focus to it. */
  show(message: Extract<HostMessage, { type: 'show-map' }>): void;
  /** Call this when the page has got a snapshot. */
  renew(): void;
}

export interface TurnMapsDeps
  extends MapTargetsDeps,
    Pick<PageContext, 'post' | 'word' | 'isOpen' | 'toggle'> {
  /** The width of the messages in pixels, with their padding. */
  width(): number;
  /** Keeps the button that the user has just selected in place. */
  hold(): void;
}

type Shown = TurnView & TurnText;
type Row = 'times' | 'tokens';

/** The ID of the disclosure of a turn's map. */
export const mapId = (turnId: string) => `map-${turnId}`;

/** The width of the row's name and of the space around it, in pixels. */
const BESIDE = 92;

// CSS, not translated.
const toStyle = ({ width }: MapGroup) => `width: ${width}%`;

export function createTurnMaps(deps: TurnMapsDeps): TurnMaps {
  const { post, word, isOpen, toggle } = deps;
  /** The maps that the host has sent, by turn ID; undefined while a map is requested. */
  const maps = new Map<string, TurnMap | undefined>();
  /** The ID of the turn whose map gets the focus when it arrives. */
  let wanted: string | undefined;

  function mapOf(turnId: string): TurnMap | undefined {
    if (!maps.has(turnId)) {
      maps.set(turnId, undefined);
      post({ type: 'map', turnId });
    }
    return maps.get(turnId);
  }

  function groupTemplate(
    group: MapGroup,
    parts: readonly MapPart[],
    row: Row,
    exchangeId: string,
    turn: Shown,
  ) {
    const some = parts.slice(group.from, group.to);
    const target = some.find((part) => hasTarget(part, turn));
    const kinds = new Set(some.map(({ kind }) => kind));
    const kind = kinds.size === 1 ? some[0]?.kind : 'mixed';
    const go = () => target !== undefined && goToPart(target, exchangeId, turn, deps);
    return html`<li class="map-part is-${kind}" .style=${toStyle(group)}><button type="button"
      aria-label=${nameOfParts(some, row, turn, word)} aria-disabled=${target === undefined} @click=${go}></button></li>`;
  }

  function rowTemplate(row: Row, parts: readonly MapPart[], name: string, exchangeId: string, turn: Shown) {
    const groups = layOut(
      parts.map(({ value }) => value),
      deps.width() - BESIDE,
    );
    return html`<div class="map-row"><span aria-hidden="true">${word(row === 'times' ? 'Time' : 'Tokens')}</span>
      <ul class="map-bar" role="list" aria-label=${name}>${groups.map((group) => groupTemplate(group, parts, row, exchangeId, turn))}</ul></div>`;
  }

  function focusWanted(): void {
    const turnId = wanted;
    if (turnId === undefined || maps.get(turnId) === undefined) return;
    wanted = undefined;
    deps.afterDrawing(() => {
      const map = document.querySelector(`.map[data-turn="${CSS.escape(turnId)}"]`);
      scrollLog(map, 'center');
      map?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
    });
  }

  /** Closes a map. The focus moves to the button that opens the map. */
  function close(turnId: string): void {
    toggle(mapId(turnId), false);
    deps.afterDrawing(() => buttonOf(turnId)?.focus());
  }

  return {
    template(exchangeId, turn) {
      if (turn.outcome === 'running' || !isOpen(mapId(turn.id), false)) return nothing;
      const map = mapOf(turn.id);
      if (map === undefined) return nothing;
      const { times = [], tokens } = map;
      const took = secondsText(sumOf(times), word);
      const used = tokenFigures(sumOf(tokens), map.reported !== 'all', word);
      const isEstimated = tokens.some(({ estimated }) => estimated);
      const facts = [
        ...took,
        ...used,
        ...(isEstimated ? [word('step tokens estimated from text length')] : []),
      ].join(' · ');
      const notes = [
        ...(map.times === undefined ? [word('The times of this answer were not recorded.')] : []),
        ...(map.reported === 'none'
          ? [word('The service reported no usage. All tokens are estimated.')]
          : []),
        ...(map.reported === 'some'
          ? [word('The service reported no usage for some requests. Their tokens are estimated.')]
          : []),
      ];
      const name = (row: 'Time' | 'Tokens', figures: readonly string[]) =>
        joinList([word(row), ...figures], word);
      return html`<div class="map" role="group" aria-label=${word('Map')} data-turn=${turn.id} @pointerover=${tell} @focusin=${tell} @pointerleave=${untell} @focusout=${untell} @keydown=${toOtherRow}>
        ${times.length === 0 ? nothing : rowTemplate('times', times, name('Time', took), exchangeId, turn)}
        ${tokens.length === 0 ? nothing : rowTemplate('tokens', tokens, name('Tokens', used), exchangeId, turn)}
        <div class="map-foot"><span class="map-told" aria-hidden="true" data-facts=${facts} .textContent=${facts}></span>
          <button type="button" class="icon-button" aria-label=${word('Close')} title=${word('Close')} @click=${() => close(turn.id)}><span class="codicon codicon-close"></span></button></div>
        ${notes.map((note) => html`<p class="facts">${note}</p>`)}
        ${legendTemplate([...times, ...tokens], word)}
      </div>`;
    },
    receive({ turnId, map }) {
      maps.set(turnId, map);
      // The map arrives later than the click that has opened it.
      if (buttonOf(turnId) === document.activeElement) deps.hold();
      focusWanted();
    },
    show({ turnId }) {
      wanted = turnId;
      if (!isOpen(mapId(turnId), false)) toggle(mapId(turnId), false);
      deps.stopFollowing();
      focusWanted();
    },
    renew: () => maps.clear(),
  };
}

const buttonOf = (turnId: string) =>
  document.querySelector<HTMLElement>(`button[data-map="${CSS.escape(turnId)}"]`);

/** The legend of the colors. Hidden from screen readers, which read the names of the parts. */
function legendTemplate(parts: readonly MapPart[], word: PageContext['word']): TemplateResult {
  const kinds = new Map<string, MapKind>();
  for (const part of parts) kinds.set(kindName(part, word), part.kind);
  return html`<div class="map-legend" aria-hidden="true">${[...kinds].map(([name, kind]) => html`<span><span class="map-part is-${kind}"></span>${name}</span>`)}</div>`;
}

/** Shows the name of the part under the pointer, or of the focused part, below the rows. */
function tell({ currentTarget, target }: Event): void {
  const part = target instanceof Element ? target.closest('.map-part > button') : null;
  write(currentTarget, part?.ariaLabel ?? undefined);
}

function untell({ currentTarget }: Event): void {
  write(currentTarget, undefined);
}

function write(map: EventTarget | null, text: string | undefined): void {
  const told = map instanceof Element ? map.querySelector<HTMLElement>('.map-told') : null;
  if (told !== null) told.textContent = text ?? told.dataset['facts'] ?? '';
}

/** Up and Down move to the other row. Left and Right move within a row, as in a toolbar. */
function toOtherRow(event: KeyboardEvent): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
  const { currentTarget: map, target } = event;
  const row = target instanceof Element ? target.closest('.map-bar') : null;
  if (!(map instanceof Element) || row === null) return;
  const rows = [...map.querySelectorAll('.map-bar')];
  const other = rows[rows.indexOf(row) + (event.key === 'ArrowDown' ? 1 : -1)];
  event.preventDefault();
  other?.querySelector<HTMLElement>('button:not([tabindex="-1"])')?.focus();
}
