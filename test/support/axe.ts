/** Looks for accessibility problems with axe-core. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const ALL = {
  runOnly: { type: 'tag', values: TAGS },
  // Not part of these tags: the accessible name has to begin with the visible label, for speech input.
  rules: { 'label-content-name-mismatch': { enabled: true } },
  resultTypes: ['violations'],
};
const CONTRAST = { runOnly: { type: 'rule', values: ['color-contrast'] }, resultTypes: ['violations'] };

/** The problems on a page, one line for each element: the rule, the element, and the reason. */
export async function violationsOn(page: Page, rules: 'all' | 'contrast'): Promise<readonly string[]> {
  const options = JSON.stringify(rules === 'all' ? ALL : CONTRAST);
  if (!(await page.evaluate<boolean>('globalThis.axe !== undefined'))) await page.evaluate(axe.source);
  return page.evaluate<string[]>(`axe.run(document, ${options}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 160) + ' · ' +
        failureSummary.replace(/\\s+/g, ' ').slice(0, 260))))`);
}
