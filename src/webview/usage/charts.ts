/**
 * Bar charts as SVG. Their colors come from charts.css, so that they follow the theme without being drawn again. They are hidden from
 * screen readers, because the tables of the page contain the same data.
 */
import { type Attributes, BarChart, type BarDrawEvent, getBounds, Svg } from 'chartist';
import { html, nothing, type TemplateResult } from 'lit-html';

/** `plain` for a chart with one data set. */
export type Color = 'blue' | 'green' | 'plain' | 'purple' | 'yellow';

export interface Bars {
  /** The ID of the element that contains the chart, unique in the page. */
  readonly id: string;
  readonly caption: string;
  /** The labels of the bars: a short one below or beside each bar, and a long one in its tooltip. */
  readonly labels: readonly { readonly short: string; readonly long: string }[];
  /** The name, color, and values of each data set, with one value for each label. Several sets are stacked. */
  readonly sets: readonly (readonly [name: string, color: Color, values: readonly number[]])[];
  /** Whether the values are integers. */
  readonly whole: boolean;
  /** Whether the bars are horizontal, which leaves room for words as labels. */
  readonly lying: boolean;
  /** Formats a value of the axis. All of its values have the same number of decimals. */
  readonly tick: (value: number, digits: number) => string;
  /** Formats a value in a tooltip. */
  readonly figure: (value: number) => string;
}

/** All in pixels. The height is that of `.chart` in charts.css. */
const HEIGHT = 240;
const PADDING = { top: 8, right: 8, bottom: 0, left: 0 };
const LABELS_HEIGHT = 26;
const TICKS_APART = 40;
const LYING_TICKS_APART = 56;
const DAYS_APART = 48;
const DIGIT_WIDTH = 8;
const WIDEST_BAR = 40;
const MOST_DIGITS = 8;
/** A border would hide the color of a thinner bar. */
const THINNEST_BORDERED = 6;
/** The space for labels before horizontal bars, in a narrow page and in others. */
const WORDS = { narrow: 110, wide: 170 };

// The library sets `style` attributes, which the content security policy refuses. charts.css has these rules instead.
const { attr } = Svg.prototype;
Object.assign(Svg.prototype, {
  attr(this: Svg, attributes: string | Attributes, namespace?: string) {
    if (typeof attributes === 'string') return Reflect.apply(attr, this, [attributes, namespace]);
    return Reflect.apply(attr, this, [{ ...attributes, style: undefined }]);
  },
});

/** The element for a chart, with its caption and legend. `drawBars` fills it. */
export function barsTemplate({ id, caption, sets }: Bars): TemplateResult {
  const legend = html`<ul class="legend">${sets.map(([name, color]) => html`<li class=${color}><span>${name}</span></li>`)}</ul>`;
  return html`<figure><figcaption>${caption}</figcaption><div aria-hidden="true">${sets.length > 1 ? legend : nothing}<div
    class="chart" id=${id}></div></div></figure>`;
}

/**
 * Draws a chart in its element, in the next task. It is drawn again when the window is resized.
 *
 * @returns a function that stops drawing again, or undefined if the page has no element for the chart
 */
export function drawBars(bars: Bars): (() => void) | undefined {
  const place = document.getElementById(bars.id);
  if (place === null) return undefined;
  const { labels, sets, lying } = bars;
  const chart = new BarChart(
    place,
    {
      labels: labels.map(({ short }) => short),
      series: sets.map(([, className, values]) => ({ className, data: [...values] })),
    },
    {
      stackBars: true,
      horizontalBars: lying,
      chartPadding: PADDING,
      ...(lying ? lyingAxes(bars) : standingAxes(bars, place)),
    },
    lying ? [['(min-width: 500px)', { axisY: { offset: WORDS.wide } }]] : [],
  );
  chart.on('draw', (event) => {
    if (event.type === 'bar') drawBar(event, bars);
  });
  return () => chart.detach();
}

const lyingAxes = ({ whole, tick }: Bars) => ({
  axisX: {
    offset: LABELS_HEIGHT,
    onlyInteger: whole,
    scaleMinSpace: LYING_TICKS_APART,
    labelInterpolationFnc: (value: unknown) => tick(Number(value), 0),
  },
  axisY: { offset: WORDS.narrow, showGrid: false },
});

function standingAxes({ labels, sets, whole, tick }: Bars, place: HTMLElement) {
  const sums = labels.map((_, at) => sets.reduce((sum, [, , values]) => sum + (values[at] ?? 0), 0));
  const inner = HEIGHT - PADDING.top - PADDING.bottom - LABELS_HEIGHT;
  const { values } = getBounds(inner, { high: Math.max(...sums) || 1, low: 0 }, TICKS_APART, whole);
  const digits = digitsOf(values);
  const longest = Math.max(...values.map((value) => tick(value, digits).length));
  const each = () => Math.ceil((labels.length * DAYS_APART) / (place.clientWidth - longest * DIGIT_WIDTH));
  return {
    axisX: {
      offset: LABELS_HEIGHT,
      labelOffset: { x: 0, y: 4 },
      showGrid: false,
      labelInterpolationFnc: (label: unknown, at: number) => (at % each() === 0 ? String(label) : undefined),
    },
    axisY: {
      // The library keeps 10 pixels between the labels and the bars.
      offset: longest * DIGIT_WIDTH + 10,
      labelOffset: { x: 0, y: 7 },
      onlyInteger: whole,
      scaleMinSpace: TICKS_APART,
      labelInterpolationFnc: (value: unknown) => tick(Number(value), digits),
    },
  };
}

/** How many decimals the values need. The values are sums of steps, with rounding errors. */
function digitsOf(values: readonly number[]): number {
  const isWhole = (value: number) => Math.abs(value - Math.round(value)) < 1e-6;
  let digits = 0;
  while (digits < MOST_DIGITS && !values.every((value) => isWhole(value * 10 ** digits))) digits++;
  return digits;
}

/** Replaces a bar, which the library draws as a line, by a rectangle that can have a border, with a tooltip. */
function drawBar({ element, index, seriesIndex, chartRect, x1, x2, y1, y2 }: BarDrawEvent, bars: Bars): void {
  const { labels, sets, lying, figure } = bars;
  const [name = '', , values = []] = sets[seriesIndex] ?? [];
  const value = values[index] ?? 0;
  if (value === 0) {
    element.remove();
    return;
  }
  const step = (lying ? chartRect.height() : chartRect.width()) / labels.length;
  const thickness = Math.min(WIDEST_BAR, 0.75 * step);
  const [width, height] = lying ? [Math.abs(x2 - x1), thickness] : [thickness, Math.abs(y2 - y1)];
  const bar = new Svg(
    'rect',
    {
      x: lying ? Math.min(x1, x2) : x1 - thickness / 2,
      y: lying ? y1 - thickness / 2 : Math.min(y1, y2),
      width,
      height,
    },
    thickness < THINNEST_BORDERED ? undefined : 'bordered',
  );
  bar.elem('title').text([labels[index]?.long, name, figure(value)].join(' · '));
  element.replace(bar);
}
