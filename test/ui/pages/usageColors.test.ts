/** The colors of the charts of the usage page, in the default themes of the editor. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { type ChatPage, DRAWN, openChatPage, testBrowser } from '../../support/chatPage.ts';
import { contrastOf } from '../../support/contrast.ts';
import { applyTheme, type ThemeName, themeOf } from '../../support/themes.ts';
import { USAGE } from '../../support/usageData.ts';

const browser = testBrowser();

describe('The colors of the usage page', () => {
  let usage: ChatPage;
  before(async () => {
    usage = await openChatPage(browser(), {}, '', 'usage');
  });
  after(() => usage?.close());

  for (const theme of ['light', 'dark', 'hc-light', 'hc-dark'] as const satisfies readonly ThemeName[])
    it(`are seen, and differ, in each chart: ${theme}`, async () => {
      await applyTheme(usage.page, theme, 'editor-background');
      await usage.page.evaluate(
        `postMessage(${JSON.stringify({ type: 'usage', data: USAGE })}, '*'); ${DRAWN}`,
      );
      await usage.page.locator('#tokens rect').first().waitFor();
      const legend = await usage.page.evaluate<readonly string[]>(
        `[...document.querySelectorAll('.legend li')].map((one) => getComputedStyle(one).color)`,
      );
      const bars = await usage.page.evaluate<readonly string[]>(
        `[...new Set([...document.querySelectorAll('rect')].map((one) => getComputedStyle(one).fill))]`,
      );
      assert.equal(legend.length, 4);
      assert.equal(new Set(legend).size, 4, legend.join(' '));
      const background = themeOf(theme).variables['editor-background'] ?? '';
      for (const color of [...legend, ...bars])
        assert.ok(contrastOf(color, background) >= 3, `${color} on ${background}`);
      // The lines of the chart are behind the bars.
      if (theme.startsWith('hc')) for (const color of bars) assert.doesNotMatch(color, /rgba/, color);
    });

  it('of the buttons are those of the buttons of the chat: a theme can draw the secondary ones without the border of the others', async () => {
    const opened = await openChatPage(
      browser(),
      { 'button-border': 'rgb(1, 2, 3)', 'button-secondaryBorder': 'rgb(4, 5, 6)' },
      '',
      'usage',
    );
    try {
      await opened.page.evaluate(`postMessage(${JSON.stringify({ type: 'usage', data: USAGE })}, '*')`);
      await opened.page.getByRole('radio', { checked: true }).waitFor();
      const borders = await opened.page.evaluate<readonly string[]>(
        `[...document.querySelectorAll('.vscode-button')].map((one) =>
          one.ariaChecked + ' ' + getComputedStyle(one).borderTopColor)`,
      );
      assert.deepEqual([...new Set(borders)].sort(), [
        'false rgb(4, 5, 6)',
        'null rgb(4, 5, 6)',
        'true rgb(1, 2, 3)',
      ]);
    } finally {
      await opened.close();
    }
  });

  for (const theme of ['light', 'dark'] as const satisfies readonly ThemeName[])
    it(`have a focus ring around the selected days, which stay selected: ${theme}`, async () => {
      const opened = await openChatPage(browser(), themeOf(theme).variables, '', 'usage');
      try {
        await applyTheme(opened.page, theme, 'editor-background');
        await opened.page.evaluate(`postMessage(${JSON.stringify({ type: 'usage', data: USAGE })}, '*')`);
        const selected = opened.page.getByRole('radio', { checked: true });
        await selected.waitFor();
        const style = () =>
          opened.page.evaluate<{ outline: string; background: string }>(`(() => {
            const { outlineStyle, outlineColor, backgroundColor } = getComputedStyle(
              document.querySelector('[aria-checked="true"]'));
            return { outline: outlineStyle + ' ' + outlineColor, background: backgroundColor };
          })()`);
        const before = await style();
        await opened.page.keyboard.press('Tab');
        assert.equal(await selected.evaluate((element) => element.matches(':focus-visible')), true);
        const after = await style();
        assert.equal(after.background, before.background);
        assert.doesNotMatch(after.outline, /none|rgba\(\d+, \d+, \d+, 0\)/);
      } finally {
        await opened.close();
      }
    });
});
