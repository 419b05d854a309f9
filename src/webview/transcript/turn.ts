import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { CardView } from '../../panel/cards.ts';
import { durationText } from '../../panel/durations.ts';
import type { Surroundings } from '../../panel/surroundings.ts';
import type { ExchangeView, TurnText, TurnView } from '../../panel/views.ts';
import { chevron, disclosure } from '../base/disclosure.ts';
import { firstClick } from '../base/firstClick.ts';
import { tokenFigures } from '../turnMap/mapNames.ts';
import { mapId } from '../turnMap/turnMaps.ts';
import { type CallRow, rowKeyOf, toCallRows } from './callRows.ts';
import { planTemplate } from './plan.ts';
import { proposalTemplate } from './proposal.ts';
import { callGroupTemplate, toolCallTemplate } from './toolCall.ts';
import type { TranscriptContext } from './transcriptContext.ts';
import { footerTemplate } from './turnFooter.ts';

/** After this time without data, the progress says so. In milliseconds. */
const QUIET_MS = 10_000;

type Shown = TurnView & TurnText;

/** An answer: progress, reasoning, text, cards, actions, checks, and usage. */
export function turnTemplate(
  exchange: ExchangeView,
  turn: Shown,
  around: Surroundings,
  context: TranscriptContext,
): TemplateResult {
  const running = turn.outcome === 'running';
  return html`<article class="message k3 ${running ? 'is-running' : 'is-finished'}" aria-label="svc-k3: ${turn.phaseLabel}" data-outcome=${turn.outcome} data-exchange=${exchange.id} data-vscode-context=${JSON.stringify({ webviewSection: turn.reasoning === '' && turn.earlierParts.length === 0 ? 'message' : 'answer', turnId: turn.id, ...(exchange.attempts > 1 && { attempts: exchange.attempts }) })} tabindex="-1">
    <h3 class="who"><span class="codicon codicon-sparkle" aria-hidden="true"></span>svc-k3</h3>
    ${attemptsTemplate(exchange, context)}
    ${running && !showsReasoningLive(turn, around) ? progressTemplate(turn, context) : nothing}
    ${reasoningTemplate(turn, around, context, context.map(exchange.id, turn))}
    ${repeat(toCallRows(turn.rounds), rowKeyOf, (row) => rowTemplate(row, turn, context))}
    ${turn.answer === '' ? nothing : answerTemplate(turn, running, context)}
    ${turn.proposals.map((proposal) => proposalTemplate(proposal, context))}
    ${turn.toolCalls.map((call, index) => toolCallTemplate({ call, round: turn.rounds.length, index }, turn.id, context))}
    ${turn.cards.map((card) => cardTemplate(card, turn, context))}
    ${running ? nothing : footerTemplate(exchange, turn, context)}
  </article>`;
}

/** The text of an answer. A part is collapsed if the next message shows it together with its rest. */
function answerTemplate(turn: Shown, running: boolean, context: TranscriptContext): unknown {
  const { word, isOpen, toggle } = context;
  const text = () =>
    turn.structured === undefined || running
      ? context.text('answer', turn.id, turn.answer, !running)
      : context.structured(turn);
  if (!turn.continued) {
    const parts =
      turn.parts < 2
        ? nothing
        : html`<p class="facts">${word('{0, plural, one {Joined from # part} other {Joined from # parts}}', turn.parts)}</p>`;
    return html`${parts}${text()}${receivedTemplate(turn, context)}`;
  }
  const id = partId(turn.id);
  const open = isOpen(id, false);
  return html`${disclosure(open, word('First part of the answer. The rest is below, joined to it.'), () => toggle(id, false))}${open ? text() : nothing}`;
}

/** The answer as it was received, as plain text, because code that was cut off can't be applied. */
function receivedTemplate(
  { id, received }: Shown,
  { word, isOpen, toggle }: TranscriptContext,
): TemplateResult | typeof nothing {
  if (received === undefined) return nothing;
  const fold = `received-${id}`;
  const open = isOpen(fold, false);
  return html`${disclosure(open, word('Answer as it was received'), () => toggle(fold, false))}
    ${open ? html`<pre class="service-words" tabindex="0">${received}</pre>` : nothing}`;
}

/** The ID of the disclosure of an answer that is continued below. */
export const partId = (turnId: string) => `part-${turnId}`;

/** The ID of the disclosure of a turn's reasoning. */
export const reasoningId = (turnId: string) => `reasoning-${turnId}`;

/** The text of a round, a tool call, a plan, or a group of calls. */
function rowTemplate(row: CallRow, turn: Shown, context: TranscriptContext): TemplateResult | typeof nothing {
  switch (row.kind) {
    case 'text':
      return html`<div class="interim" data-round=${row.round}>${context.text('answer', `${turn.id}/${row.round}`, row.answer, true)}</div>`;
    case 'call':
      return toolCallTemplate(row.placed, turn.id, context);
    case 'plan':
      return planTemplate(row.placed, row.plan, turn.id, context);
    case 'group':
      return callGroupTemplate(row.calls, turn.id, context);
  }
}

function attemptsTemplate(
  { id, attempt, attempts }: ExchangeView,
  { word, post }: TranscriptContext,
): TemplateResult | typeof nothing {
  if (attempts < 2) return nothing;
  const show = (next: number) => () => post({ type: 'show-attempt', exchangeId: id, attempt: next });
  return pagerTemplate('Attempts', attempt, attempts, word, show);
}

/** Buttons that move through the attempts of an answer or the versions of a question. */
export function pagerTemplate(
  name: 'Attempts' | 'Versions',
  attempt: number,
  attempts: number,
  word: TranscriptContext['word'],
  show: (next: number) => () => void,
  disabled = false,
): TemplateResult {
  const previous = word(name === 'Versions' ? 'Previous version' : 'Previous attempt');
  const next = word(name === 'Versions' ? 'Next version' : 'Next attempt');
  return html`<div class="attempts" role="group" aria-label=${word(name)}>
    <button type="button" class="icon-button" aria-label=${previous} title=${previous} ?disabled=${disabled || attempt === 0} @click=${show(attempt - 1)}><span class="codicon codicon-chevron-left"></span></button>
    <span>${attempt + 1} / ${attempts}</span>
    <button type="button" class="icon-button" aria-label=${next} title=${next} ?disabled=${disabled || attempt === attempts - 1} @click=${show(attempt + 1)}><span class="codicon codicon-chevron-right"></span></button>
  </div>`;
}

/** Whether the header of the reasoning shows the progress, instead of a line of its own. */
function showsReasoningLive(turn: Shown, around: Surroundings): boolean {
  return turn.phase === 'reasoning' && turn.hasReasoning && around.reasoningInChat !== 'hidden';
}

/** Shows from the start what the turn is waiting for, and for how long. */
function progressTemplate(turn: Shown, { word, post, now: clock }: TranscriptContext): TemplateResult {
  const now = clock();
  const waiting = turn.waitUntil !== undefined;
  // While waiting, only the time until the next request matters.
  const facts = waiting ? [] : progressFacts(turn, now, word);
  const phase =
    turn.waitUntil === undefined
      ? turn.phaseLabel
      : word('Retrying in {0}', inSeconds(Math.max(0, Math.ceil((turn.waitUntil - now) / 1000)), word));
  return html`<div class="progress">
    <span class="codicon ${waiting ? 'codicon-watch' : 'codicon-loading codicon-modifier-spin'}" aria-hidden="true"></span>
    <span class="phase">${phase}</span><span class="facts">${facts.join(' · ')}</span>
    ${waiting ? html`<button type="button" class="link-button" @click=${() => post({ type: 'stop' })}>${word('Cancel')}</button>` : nothing}
  </div>`;
}

/** The elapsed time, the number of tokens, and the time without data. */
function progressFacts(turn: Shown, now: number, word: TranscriptContext['word']): string[] {
  const elapsed = Math.floor((now - turn.startedAt) / 1000);
  // The time is drawn once a second, so 0 could be shown for longer than a second.
  const facts = elapsed < 1 ? [] : [inSeconds(elapsed, word)];
  if (turn.phase === 'reasoning' && turn.reasoningTokens !== undefined) {
    facts.push(word('about {0, plural, one {# token} other {# tokens}}', turn.reasoningTokens));
  }
  const quiet = now - turn.lastProgressAt;
  const streaming = turn.phase === 'reasoning' || turn.phase === 'answering';
  if (streaming && quiet > QUIET_MS)
    facts.push(word('no data for {0}', inSeconds(Math.floor(quiet / 1000), word)));
  return facts;
}

/** Figures that wrap only between each other: a number stays with its unit, and no line begins with a dot. */
const toFigures = (facts: readonly string[]): unknown =>
  facts.map((fact, at) => html`<span class="figure">${fact}${at === facts.length - 1 ? '' : ' ·'}</span> `);

/** The reasoning, with the map of the turn below its header. Only the map if there is no reasoning, or if it is hidden. */
function reasoningTemplate(
  turn: Shown,
  around: Surroundings,
  context: TranscriptContext,
  map: unknown,
): unknown {
  const { word, isOpen, toggle } = context;
  if (!turn.hasReasoning && turn.reasoning === '') return html`${absentTemplate(turn, around, word)}${map}`;
  const byDefault = around.reasoningInChat === 'expanded';
  const open = isOpen(reasoningId(turn.id), byDefault);
  if (around.reasoningInChat === 'hidden' && !open) return map;
  const live = showsReasoningLive(turn, around);
  const facts = [
    ...tokenFigures(turn.reasoningTokens, turn.reasoningTokensEstimated, word),
    ...(turn.reasoningSeconds === undefined ? [] : [inSeconds(turn.reasoningSeconds, word)]),
  ];
  return html`<div class="reasoning" role="group" aria-label=${word('Reasoning')}>
    <div class="reasoning-head">
      <button type="button" class="disclosure" aria-expanded=${open} aria-describedby="facts-${turn.id}" @click=${() => toggle(reasoningId(turn.id), byDefault)}>
        ${chevron(open)}${word('Reasoning')}
      </button>
      ${live ? html`<span class="codicon codicon-loading codicon-modifier-spin" aria-hidden="true"></span>` : nothing}
      <span class="reasoning-figures"><span class="facts" id="facts-${turn.id}">${toFigures(live ? progressFacts(turn, context.now(), word) : facts)}</span>
      ${turn.outcome === 'running' ? nothing : mapButton(turn, context)}</span>
    </div>
    ${map}
    ${!open && turn.phase === 'reasoning' ? html`<div class="live-line" dir="auto" aria-hidden="true">${turn.liveLine}</div>` : nothing}
    <div class="reasoning-body" ?hidden=${!open}>${context.text('reasoning', turn.id, turn.reasoning, turn.outcome !== 'running')}</div>
  </div>`;
}

/** A note about reasoning that was billed but not sent, such as by a gateway that leaves out or renames its field (R4). */
function absentTemplate(
  { outcome, reasoningTokens, reasoningTokensEstimated }: Shown,
  { reasoningInChat }: Surroundings,
  word: TranscriptContext['word'],
): TemplateResult | typeof nothing {
  if (outcome === 'running' || reasoningTokensEstimated || !reasoningTokens || reasoningInChat === 'hidden')
    return nothing;
  const told =
    '{0, plural, one {# token of reasoning was used, but its text wasn’t sent.} other {# tokens of reasoning were used, but their text wasn’t sent.}}';
  return html`<p class="facts">${word(told, reasoningTokens)}</p>`;
}

function mapButton({ id }: Shown, { word, isOpen, toggle }: TranscriptContext): TemplateResult {
  return html`<span class="actions"><button type="button" class="icon-button" data-map=${id} aria-expanded=${isOpen(mapId(id), false)} aria-label=${word('Map')} title=${word('Map: time and tokens of this turn')} @click=${() => toggle(mapId(id), false)}><span class="codicon codicon-graph-left" aria-hidden="true"></span></button></span>`;
}

const inSeconds = (seconds: number, word: TranscriptContext['word']) => durationText(seconds * 1000, word);

function cardTemplate(card: CardView, turn: Shown, context: TranscriptContext): TemplateResult {
  const { word, post, isOpen, toggle } = context;
  const problem = card.tone === 'problem';
  // The ID has no index: at most one card has a service response, and cards before it come and go.
  const id = `words-${turn.id}`;
  const atFirst = card.wordsFirst === true;
  const open = isOpen(id, atFirst);
  return html`<div class="card ${card.tone}" role=${problem ? 'alert' : 'status'}>
    <div class="card-title"><span class="codicon ${problem ? 'codicon-warning' : 'codicon-info'}" aria-hidden="true"></span><strong>${card.title}</strong></div>
    ${card.body.map((line) => html`<p>${line}</p>`)}
    ${card.facts.length === 0 ? nothing : html`<dl>${card.facts.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`}
    ${
      card.serviceWords === undefined
        ? nothing
        : html`${disclosure(open, word('Service response'), () => toggle(id, atFirst))}
          <pre class="service-words" tabindex="0" ?hidden=${!open}>${card.serviceWords}</pre>`
    }
    ${
      card.actions.length === 0
        ? nothing
        : html`<div class="card-actions">${card.actions.map(({ action, label }, at) => html`<button type="button" class="vscode-button ${at === 0 ? '' : 'secondary'}" @click=${firstClick(() => post({ type: 'action', action, turnId: turn.id }))}>${label}</button>`)}</div>`
    }
  </div>`;
}
