/** The usage page in the browser: figures, charts in the theme's colors, and the same data in tables. */
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { dayText, moneyText, numberText, percentText } from '../../panel/numberFormats.ts';
import { fillPlaceholders } from '../../panel/placeholders.ts';
import {
  MIN_USD,
  toCostText,
  toUsageName,
  type UsageData,
  type UsageHostMessage,
  type UsageWebviewMessage,
  type UsageWord,
} from '../../panel/usage.ts';

import { type Bars, barsTemplate, drawBars } from './charts.ts';

import './usage.css';

declare function acquireVsCodeApi(): {
  postMessage(message: UsageWebviewMessage): void;
  /** The state that the extension gets when the page is restored after a reload. */
  setState(state: { readonly days: number }): void;
};

const vscode = acquireVsCodeApi();
const root = document.getElementById('app') ?? document.body;
const RANGES = [7, 30, 90, 0];
let data: UsageData | undefined;
/** Functions that stop drawing the charts again on resize. */
let stops: readonly (() => void)[] = [];

const { lang: language } = document.documentElement;
function word(key: UsageWord, ...values: readonly (string | number)[]): string {
  const text = data?.words[key] ?? key;
  // A text without a translation is in English.
  return fillPlaceholders(text, language, values, undefined, text === key ? 'en' : language);
}
const number = (value: number) => numberText(value, language);
const money = (usd: number): string =>
  usd > 0 && usd < MIN_USD ? `< ${money(MIN_USD)}` : moneyText(usd, language, 2, usd < 1 ? 4 : 2);
const tokens = (value: number | undefined) => (value === undefined ? word('Not reported') : number(value));
/** Input that isn't reported as cached was billed as uncached. */
const uncachedOf = ({ promptTokens, cachedTokens = 0 }: UsageData['total']) =>
  promptTokens === undefined ? undefined : promptTokens - cachedTokens;
const share = (part: number | undefined, whole: number | undefined) =>
  part === undefined || !whole ? '–' : percentText(part / whole, language);
const seconds = (ms: number | undefined) => (ms === undefined ? '–' : word('{0} s', ms / 1000));

function pageTemplate(usage: UsageData): TemplateResult {
  const { total } = usage;
  return html`
    <header>
      <h1>${word('Usage')}</h1>
      <div class="ranges" role="radiogroup" aria-label=${word('Days')} @keydown=${(event: KeyboardEvent) => onRangeKey(event, usage.range)}>${RANGES.map(
        (
          days,
        ) => html`<button type="button" role="radio" class="vscode-button secondary" aria-checked=${usage.range === days} tabindex=${usage.range === days ? 0 : -1}
          @click=${() => vscode.postMessage({ type: 'range', days })}>${days === 0 ? word('All time') : word('{0, plural, one {# day} other {# days}}', days)}</button>`,
      )}</div>
      <button type="button" class="vscode-button secondary" @click=${({ detail }: MouseEvent) => detail < 2 && vscode.postMessage({ type: 'csv' })}>${word('Export CSV')}</button>
    </header>
    ${total.turns === 0 ? nothing : totalsTemplate(total)}
    ${usage.routes.length === 0 ? html`<p>${word('No usage in this period.')}</p>` : bodyTemplate(usage)}
  `;
}

/** The totals without the demo. Not shown if there are no other turns. */
const totalsTemplate = (total: UsageData['total']) => html`
    <dl class="totals">
      ${fact(word('Cost'), costOf(total))}
      ${fact(word('Turns'), number(total.turns))}
      ${fact(word('Uncached input'), tokens(uncachedOf(total)))}
      ${fact(word('Cached input'), tokens(total.cachedTokens))}
      ${fact(word('Reasoning'), tokens(total.reasoningTokens))}
      ${fact(word('Answer'), tokens(total.answerTokens))}
      ${fact(word('Cached share of input'), share(total.cachedTokens, total.promptTokens))}
      ${total.unreported === 0 ? nothing : fact(word('Usage not reported'), number(total.unreported))}
    </dl>`;

/** The arrow keys select another range, as in every radio group. */
function onRangeKey(event: KeyboardEvent, range: number): void {
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const at = (RANGES.indexOf(range) + (by ?? 0) + RANGES.length) % RANGES.length;
  const days = RANGES[at];
  if (by === undefined || days === undefined || !(event.currentTarget instanceof Element)) return;
  event.preventDefault();
  event.currentTarget.querySelectorAll('button')[at]?.focus();
  vscode.postMessage({ type: 'range', days });
}

const fact = (label: string, value: string) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`;

function bodyTemplate(usage: UsageData): TemplateResult {
  // The demo is only in tables that mark it.
  const billed = usage.days.length > 0;
  const { others } = usage;
  return html`
    ${billed ? daysTemplate(usage) : nothing}
    ${tableTemplate(
      word('By route'),
      [word('Route'), ...sumHeads()],
      usage.routes.map((one) => [one.route ?? demoMark(), ...sumCells(one, one.route === undefined)]),
    )}
    ${tableTemplate(
      word('By conversation'),
      [word('Conversation'), ...sumHeads()],
      [
        ...usage.conversations.map((one) => [
          one.demo ? html`${demoMark()} ${conversationTemplate(one)}` : conversationTemplate(one),
          ...sumCells(one, one.demo),
        ]),
        ...(others ? [[word('… and {0} more', number(others.conversations)), ...sumCells(others)]] : []),
      ],
    )}
    ${
      billed
        ? tableTemplate(
            word('Outcomes'),
            [word('Outcome'), word('Turns')],
            usage.outcomes.map(({ label, turns }) => [label, number(turns)]),
          )
        : nothing
    }
  `;
}

const daysTemplate = (usage: UsageData) => html`
  <div class="charts">${chartsOf(usage).map(barsTemplate)}</div>
  ${tableTemplate(
    word('By day'),
    [word('Day'), ...sumHeads(), word('Median time to first token')],
    usage.days.map((day) => [dayText(day.day, language), ...sumCells(day), seconds(day.firstTokenMs)]),
  )}`;

const conversationTemplate = ({ title, conversationId }: UsageData['conversations'][number]) =>
  title === undefined
    ? html`${word(toUsageName(conversationId))}`
    : html`<button type="button" class="link-button" dir="auto" @click=${() => vscode.postMessage({ type: 'open', conversationId })}>${title}</button>`;

const demoMark = () => html`<span class="mark">${word('Demo')}</span>`;

const sumHeads = () => [
  word('Turns'),
  word('Uncached input'),
  word('Cached input'),
  word('Reasoning'),
  word('Answer'),
  word('Cost'),
];
/** @param demo whether the sums are those of the demo, for which no amount is shown */
const sumCells = (sums: UsageData['total'], demo = false) => [
  number(sums.turns),
  tokens(uncachedOf(sums)),
  tokens(sums.cachedTokens),
  tokens(sums.reasoningTokens),
  tokens(sums.answerTokens),
  demo ? word('Not billed') : costOf(sums),
];
const costOf = (sums: UsageData['total']) => toCostText(sums, money, word('Not reported'));

function tableTemplate(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly (string | TemplateResult)[])[],
): TemplateResult {
  return html`<div class="table-box" role="region" aria-label=${caption} tabindex="0"><table><caption>${caption}</caption>
    <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map((cell, i) => (i === 0 ? html`<th scope="row">${cell}</th>` : html`<td>${cell}</td>`))}</tr>`)}</tbody>
  </table></div>`;
}

function chartsOf({ days, outcomes }: UsageData): readonly Bars[] {
  const dates = days.map(({ day }) => ({
    short: dayText(day, language, 'short'),
    long: dayText(day, language),
  }));
  // The first outcome should be at the top, but horizontal bars begin at the bottom.
  const upward = outcomes.toReversed();
  return [
    {
      id: 'tokens',
      caption: word('Tokens by day'),
      labels: dates,
      // The answer and the reasoning have the same colors as in the map of a turn.
      sets: [
        [word('Uncached input'), 'yellow', days.map((d) => uncachedOf(d) ?? 0)],
        [word('Cached input'), 'green', days.map((d) => d.cachedTokens ?? 0)],
        [word('Reasoning'), 'purple', days.map((d) => d.reasoningTokens ?? 0)],
        [word('Answer'), 'blue', days.map((d) => d.answerTokens ?? 0)],
      ],
      whole: true,
      lying: false,
      tick: number,
      figure: number,
    },
    {
      id: 'cost',
      caption: word('Cost by day (USD)'),
      labels: dates,
      sets: [[word('Cost'), 'plain', days.map((d) => d.cost)]],
      whole: false,
      lying: false,
      tick: (usd, digits) => numberText(usd, language, digits, digits),
      figure: money,
    },
    {
      id: 'outcomes',
      caption: word('Outcomes'),
      labels: upward.map(({ label }) => ({ short: label, long: label })),
      sets: [[word('Turns'), 'plain', upward.map(({ turns }) => turns)]],
      whole: true,
      lying: true,
      tick: number,
      figure: number,
    },
  ];
}

function draw(): void {
  if (data === undefined) return;
  render(pageTemplate(data), root);
  for (const stop of stops) stop();
  stops = chartsOf(data).flatMap((bars) => drawBars(bars) ?? []);
}

window.addEventListener('message', ({ data: message }: MessageEvent<UsageHostMessage>) => {
  if (message.type === 'locked') return void render(html`<p role="status">${message.text}</p>`, root);
  data = message.data;
  vscode.setState({ days: data.range });
  draw();
});
vscode.postMessage({ type: 'ready' });
