/** What shows by its color alone is seen in the high contrast themes too, on the page of the chat alone. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { type ChatPage, chatPages } from '../../support/chatPage.ts';
import { applyTheme, type ThemeName, themeOf } from '../../support/themes.ts';
import { exchangeView, snapshotOf, turnView } from '../../support/views.ts';

const openPage = chatPages();
let chat: ChatPage;

/** The relative luminance of a color such as `rgb(1, 2, 3)` or `#010203`, as WCAG defines it. */
function luminanceOf(color: string): number {
  const parts = color.startsWith('#')
    ? [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
    : (color.match(/[\d.]+/g) ?? []).map(Number);
  const [red = 0, green = 0, blue = 0] = parts.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const styleOf = (selector: string, names: readonly string[], pseudo?: string) =>
  chat.page.evaluate<string>(`(() => {
    const style = getComputedStyle(document.querySelector(${JSON.stringify(selector)}), ${JSON.stringify(pseudo ?? null)});
    return ${JSON.stringify(names)}.map((name) => style.getPropertyValue(name)).join(' ');
  })()`);

describe('In a high contrast theme', () => {
  beforeEach(async () => {
    chat = await openPage();
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', 'It adds up.', turnView('complete'))]));
  });

  for (const theme of ['light', 'dark', 'hc-light', 'hc-dark'] as const satisfies readonly ThemeName[]) {
    it(`the button that sends is seen, and so in other themes: ${theme}`, async () => {
      await applyTheme(chat.page, theme);
      await chat.page.getByRole('textbox', { name: 'Message' }).fill('Which boat?');
      await chat.page
        .getByRole('button', { name: 'Send', exact: true })
        .and(chat.page.locator(':enabled'))
        .waitFor();
      const background = themeOf(theme).variables['sideBar-background'] ?? '';
      const color = await styleOf('.send', ['color']);
      assert.ok(contrastOf(color, background) >= 3, `${color} on ${background}`);
    });

    it(`words that Why? and Find mark are seen, and the current ones among them: ${theme}`, async () => {
      await applyTheme(chat.page, theme);
      const marks = ['background-color', 'text-decoration-line'];
      const plain = await styleOf('[data-part="answer"] p', marks);
      for (const [some, current] of [
        ['why', 'why-current'],
        ['found', 'found-current'],
      ] as const) {
        const one = await styleOf('[data-part="answer"] p', marks, `::highlight(${some})`);
        const other = await styleOf('[data-part="answer"] p', marks, `::highlight(${current})`);
        assert.equal(new Set([plain, one, other]).size, 3, `${plain}, ${one}, ${other}`);
      }
    });
  }
});
