/** The usage page in the browser: figures, charts in the theme's colors, and the same data in tables. */
import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartConfiguration,
  Legend,
  LinearScale,
  Tooltip,
} from 'chart.js';
import { html, nothing, render, type TemplateResult } from 'lit';
import {
  CONNECTION_CHECKS,
  OTHER_CHATS,
  toCostText,
  type UsageData,
  type UsageHostMessage,
  type UsageWebviewMessage,
  type UsageWord,
} from '../panel/usage.ts';

import './usage.css';

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Legend, Tooltip);

declare function acquireVsCodeApi(): { postMessage(message: UsageWebviewMessage): void };

const vscode = acquireVsCodeApi();
const root = document.getElementById('app') ?? document.body;
const RANGES = [7, 30, 90, 0];
let data: UsageData | undefined;
let charts: Chart[] = [];

const word = (key: UsageWord, value?: string | number) =>
  (data?.words[key] ?? key).replace('{0}', String(value ?? ''));
const number = (value: number) => Math.round(value).toLocaleString();
const money = (usd: number) =>
  `$${usd.toLocaleString(undefined, { minimumFractionDigits: 2, maximumFractionDigits: usd < 1 ? 4 : 2 })}`;
const share = (part: number, whole: number) => (whole === 0 ? '–' : `${Math.round((100 * part) / whole)}%`);
const seconds = (ms: number | undefined) =>
  ms === undefined ? '–' : `${(ms / 1000).toLocaleString(undefined, { maximumFractionDigits: 1 })} s`;

function pageTemplate(usage: UsageData): TemplateResult {
  const { total } = usage;
  return html`
    <header>
      <h1>${word('Usage')}</h1>
      <div class="ranges" role="radiogroup" aria-label=${word('Days')}>${RANGES.map(
        (
          days,
        ) => html`<button type="button" role="radio" class="vscode-button secondary" aria-checked=${usage.range === days}
          @click=${() => vscode.postMessage({ type: 'range', days })}>${days === 0 ? word('All time') : word('{0} days', days)}</button>`,
      )}</div>
      <button type="button" class="vscode-button secondary" @click=${() => vscode.postMessage({ type: 'csv' })}>${word('Export CSV')}</button>
    </header>
    <dl class="totals">
      ${fact(word('Cost'), costOf(total))}
      ${fact(word('Turns'), number(total.turns))}
      ${fact(word('Uncached input'), number(total.promptTokens - total.cachedTokens))}
      ${fact(word('Cached input'), number(total.cachedTokens))}
      ${fact(word('Reasoning'), number(total.reasoningTokens))}
      ${fact(word('Answer'), number(total.answerTokens))}
      ${fact(word('Cached share of input'), share(total.cachedTokens, total.promptTokens))}
      ${total.unreported === 0 ? nothing : fact(word('Not reported'), number(total.unreported))}
    </dl>
    ${usage.days.length === 0 ? html`<p>${word('No usage in this period.')}</p>` : bodyTemplate(usage)}
  `;
}

const fact = (label: string, value: string) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`;

function bodyTemplate(usage: UsageData): TemplateResult {
  return html`
    <div class="charts">
      ${chartTemplate('tokens', word('Tokens by day'))}
      ${chartTemplate('cost', word('Cost by day (USD)'))}
      ${chartTemplate('outcomes', word('Outcomes'))}
    </div>
    ${tableTemplate(
      word('By day'),
      [word('Day'), ...sumHeads(), word('Median time to first token')],
      usage.days.map((day) => [day.day, ...sumCells(day), seconds(day.firstTokenMs)]),
    )}
    ${tableTemplate(
      word('By conversation'),
      [word('Conversation'), ...sumHeads()],
      usage.conversations.map((one) => [
        one.title === undefined
          ? word(NAMES[one.conversationId] ?? 'Deleted conversation')
          : html`<button type="button" class="link-button" @click=${() => vscode.postMessage({ type: 'open', conversationId: one.conversationId })}>${one.title}</button>`,
        ...sumCells(one),
      ]),
    )}
    ${tableTemplate(
      word('Outcomes'),
      [word('Outcome'), word('Turns')],
      usage.outcomes.map(({ label, turns }) => [label, number(turns)]),
    )}
  `;
}

/** Names for usage that belongs to no conversation. */
const NAMES: Readonly<Record<string, UsageWord>> = {
  [OTHER_CHATS]: 'Other chats',
  [CONNECTION_CHECKS]: 'Connection checks',
};

/** A chart. The tables below contain the same data, so the canvas is hidden from screen readers. */
const chartTemplate = (id: string, title: string) =>
  html`<figure><figcaption>${title}</figcaption><div class="chart"><canvas id=${id} aria-hidden="true"></canvas></div></figure>`;

const sumHeads = () => [
  word('Turns'),
  word('Uncached input'),
  word('Cached input'),
  word('Reasoning'),
  word('Answer'),
  word('Cost'),
];
const sumCells = (sums: UsageData['total']) => [
  number(sums.turns),
  number(sums.promptTokens - sums.cachedTokens),
  number(sums.cachedTokens),
  number(sums.reasoningTokens),
  number(sums.answerTokens),
  costOf(sums),
];
const costOf = (sums: UsageData['total']) => toCostText(sums, money, word('Not reported'));

function tableTemplate(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly (string | TemplateResult)[])[],
): TemplateResult {
  return html`<div class="table-box"><table><caption>${caption}</caption>
    <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map((cell, i) => (i === 0 ? html`<th scope="row">${cell}</th>` : html`<td>${cell}</td>`))}</tr>`)}</tbody>
  </table></div>`;
}

/** The current value of a theme color, because a canvas does not resolve CSS variables. */
const colour = (name: string) => getComputedStyle(document.body).getPropertyValue(`--vscode-${name}`).trim();

function drawCharts({ days, outcomes }: UsageData): void {
  for (const chart of charts) chart.destroy();
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  const labels = days.map(({ day }) => day.slice(5));
  charts = [
    make('tokens', {
      labels,
      stacked: true,
      whole: true,
      sets: [
        [word('Uncached input'), days.map((d) => d.promptTokens - d.cachedTokens), 'charts-blue'],
        [word('Cached input'), days.map((d) => d.cachedTokens), 'charts-green'],
        [word('Reasoning'), days.map((d) => d.reasoningTokens), 'charts-purple'],
        [word('Answer'), days.map((d) => d.answerTokens), 'charts-orange'],
      ],
    }),
    make('cost', {
      labels,
      stacked: false,
      whole: false,
      sets: [[word('Cost'), days.map((d) => d.cost), 'charts-yellow']],
    }),
    make('outcomes', {
      labels: outcomes.map(({ label }) => label),
      stacked: false,
      whole: true,
      sets: [[word('Turns'), outcomes.map(({ turns }) => turns), 'charts-blue']],
    }),
  ].flatMap((chart) => chart ?? []);
}

interface Bars {
  /** Whether the values are integers. */
  readonly whole: boolean;
  readonly labels: readonly string[];
  readonly stacked: boolean;
  /** Name, values, and theme color of each data set. */
  readonly sets: readonly (readonly [string, readonly number[], string])[];
}

function make(id: string, { labels, stacked, whole, sets }: Bars): Chart | undefined {
  const canvas = document.getElementById(id);
  if (!(canvas instanceof HTMLCanvasElement)) return undefined;
  const text = colour('foreground');
  const lines = colour('widget-border') || colour('contrastBorder') || 'transparent';
  const scale = { stacked, ticks: { color: text }, grid: { color: lines } };
  const configuration: ChartConfiguration<'bar'> = {
    type: 'bar',
    data: {
      labels: [...labels],
      datasets: sets.map(([label, figures, name]) => ({
        label,
        data: [...figures],
        backgroundColor: colour(name),
        borderColor: colour('contrastBorder') || colour(name),
        borderWidth: colour('contrastBorder') === '' ? 0 : 1,
        maxBarThickness: 40,
      })),
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      scales: {
        x: scale,
        y: { ...scale, beginAtZero: true, ticks: { ...scale.ticks, ...(whole && { precision: 0 }) } },
      },
      plugins: { legend: { display: sets.length > 1, labels: { color: text, boxWidth: 12 } } },
    },
  };
  return new Chart(canvas, configuration);
}

function draw(): void {
  if (data === undefined) return;
  render(pageTemplate(data), root);
  drawCharts(data);
}

window.addEventListener('message', ({ data: message }: MessageEvent<UsageHostMessage>) => {
  data = message.data;
  draw();
});
// When the theme changes, the classes of the body change.
new MutationObserver(() => {
  if (data !== undefined) drawCharts(data);
}).observe(document.body, { attributes: true, attributeFilter: ['class'] });
vscode.postMessage({ type: 'ready' });
