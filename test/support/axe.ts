/** Looks for accessibility problems with axe-core. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const ALL = {
  runOnly: { type: 'tag', values: TAGS },
  // Not in these tags: what is read has to begin with what is seen, so that it can be spoken to a computer.
  rules: { 'label-content-name-mismatch': { enabled: true } },
  resultTypes: ['violations'],
};
const CONTRAST = { runOnly: { type: 'rule', values: ['color-contrast'] }, resultTypes: ['violations'] };

/** What is wrong on a page, one line for each element: the rule, the element, and why. */
export async function violationsOn(page: Page, rules: 'all' | 'contrast'): Promise<readonly string[]> {
  const options = JSON.stringify(rules === 'all' ? ALL : CONTRAST);
  if (!(await page.evaluate<boolean>('globalThis.axe !== undefined'))) await page.evaluate(axe.source);
  return page.evaluate<string[]>(`axe.run(document, ${options}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 160) + ' · ' +
        failureSummary.replace(/\\s+/g, ' ').slice(0, 260))))`);
}
