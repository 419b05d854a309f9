/** The results of a probe as a Markdown page. Loaded with the first probe. */
import * as vscode from 'vscode';
import type { CHECKS, CheckId, CheckResult, RouteProbe, Seen, Verdict } from '../../probe/probe.ts';

const t = vscode.l10n.t;

export function checkLabel(check: CheckId): string {
  switch (check) {
    case 'model':
      return t('Response model');
    case 'reasoning':
      return t('Reasoning field');
    case 'usage':
      return t('Usage');
    case 'caching':
      return t('Caching');
    case 'tools':
      return t('Tools');
    case 'parallel-tools':
      return t('Parallel tool calls');
    case 'images':
      return t('Images');
    case 'json':
      return 'JSON';
    case 'schema':
      return t('JSON with a schema');
    case 'effort':
      return t('Reasoning effort');
    case 'budget':
      return t('Output budget');
    case 'ceiling':
      return t('Largest output budget');
    case 'keep-alives':
      return t('Keep-alives');
  }
}

const VERDICTS: Readonly<Record<Verdict, () => string>> = {
  yes: () => t('yes'),
  no: () => t('no'),
  unclear: () => t('unclear'),
};

/** Functions that the extension has already loaded. Importing them here would make the build put them into a chunk of their own. */
export interface ReportWriter {
  readonly checks: typeof CHECKS;
  plain(text: string): string;
  figure(count: number): string;
  /** With its unit. */
  tokens(count: number): string;
  cost(usd: number): string;
  day(at: number): string;
  /** What a route doesn't support, as a sentence; empty if this restricts nothing. */
  lack(result: CheckResult): string;
}

function describeSeen({ kind, values }: Seen, writer: ReportWriter): string {
  const isFigure = (value: string) => /^\d+$/.test(value);
  const figures = values.map((value) => (isFigure(value) ? writer.figure(Number(value)) : value));
  const last = values.at(-1) ?? '';
  const tokens = isFigure(last) ? writer.tokens(Number(last)) : last;
  const [first = '', second = ''] = figures;
  switch (kind) {
    case 'as-is':
      return figures.join(', ');
    case 'nothing':
      return t('none');
    case 'not-reported':
      return t('not reported');
    case 'cached':
    case 'spent':
      return `${first} / ${tokens}`;
    case 'called':
      return first;
    case 'counted':
      return `+ ${tokens}`;
    case 'dropped':
      return t('The model didn’t receive it.');
    case 'answered':
    case 'other-form':
    case 'refused':
      return `“${first}”`;
    case 'efforts':
      return figures.join(' · ');
    case 'in-some':
      return t('in {0} of {1} requests', first, second);
    case 'failed':
      return t('{0} ({1})', t('failed'), first);
  }
}

/** @param why the reason why the probe ended early; empty if it didn't */
export function toProbeReport(title: string, probe: RouteProbe, why: string, writer: ReportWriter): string {
  const { plain, lack } = writer;
  const rows = writer.checks.map((check) => {
    const result = probe.results.find((one) => one.check === check);
    // Without no-break spaces, the wide last column would make the labels wrap.
    const label = checkLabel(check).replaceAll(' ', '\u00a0');
    const cells =
      result === undefined
        ? [label, '–', '']
        : [label, VERDICTS[result.verdict](), describeSeen(result.seen, writer)];
    return `| ${cells.map(plain).join(' | ')} |`;
  });
  const lacks = probe.results
    .filter(({ verdict }) => verdict === 'no')
    .map(lack)
    .filter((line) => line !== '');
  const cost = probe.cost === undefined ? t('not reported') : writer.cost(probe.cost);
  const day = writer.day(Math.max(...probe.results.map(({ at }) => at)));
  return [
    `# ${plain(title)}`,
    plain(t('Probed on {0}. Requests: {1}. Cost: {2}.', day, probe.requests, cost)),
    ...(why === '' ? [] : [`**${plain(t('The probe ended early.'))}** ${plain(why)}`]),
    ...(lacks.length === 0 ? [] : [lacks.map((line) => `- ${plain(line)}`).join('\n')]),
    // The table has column headers because screen readers read them with the cells.
    `| ${[t('Check'), t('Result'), t('Details')].map(plain).join(' | ')} |\n|---|---|---|\n${rows.join('\n')}`,
  ].join('\n\n');
}
