/** What shows by its color alone is seen in the high contrast themes too, on the page of the chat alone. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { type ChatPage, sharedChatPage } from '../../support/chatPage.ts';
import { contrastOf } from '../../support/contrast.ts';
import { applyTheme, type ThemeName, themeOf } from '../../support/themes.ts';
import { exchangeView, snapshotOf, TURN_MAP, toolCallView, turnView } from '../../support/views.ts';

const openPage = sharedChatPage();
let chat: ChatPage;

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

    it(`the chosen form of an answer in JSON looks different with the focus than without: ${theme}`, async () => {
      await applyTheme(chat.page, theme);
      const structured = { name: 'a', state: 'fits', summary: '', errors: [], brokenAt: undefined } as const;
      const turn = turnView('complete', { structured: { ...structured, repairable: false } });
      await chat.send(snapshotOf([exchangeView('e72', 'Why?', '{"a": 1}', turn)]));
      const chosen = chat.page.locator('.structured-head [aria-pressed="true"]');
      await chosen.waitFor();
      const outline = () => styleOf('.structured-head [aria-pressed="true"]', ['outline-width']);
      const before = await outline();
      await chat.page.keyboard.press('Shift');
      await chosen.focus();
      assert.notEqual(await outline(), before);
    });

    it(`a button has the same focus ring while the pointer rests on it: ${theme}`, async () => {
      await applyTheme(chat.page, theme);
      const ring = () => styleOf('.icon-button:focus', ['outline-style', 'outline-width', 'outline-color']);
      const one = chat.page.locator('.composer .icon-button:enabled').first();
      await chat.page.keyboard.press('Shift');
      await one.focus();
      const before = await ring();
      await one.hover();
      assert.equal(await ring(), before);
    });

    it(`a tool call that waits looks different with the focus than without: ${theme}`, async () => {
      await applyTheme(chat.page, theme);
      const waiting = { state: 'waiting', approval: 'a1', result: undefined } as const;
      const toolCalls = ['a', 'b'].map((id) => toolCallView({ ...waiting, id }));
      const turn = turnView('running', { rounds: [{ answer: '', calls: toolCalls }] });
      await chat.send(snapshotOf([exchangeView('e1', 'Why?', '', turn)]));
      const cards = chat.page.locator('.tool-call.is-waiting');
      await chat.page.keyboard.press('Shift');
      await cards.first().focus();
      const ring = (await styleOf('.tool-call.is-waiting', ['outline-width', 'outline-offset'])).split(' ');
      assert.deepEqual(ring, ['2px', '1px'], 'outside of its border, which has the same color');
    });

    it(`a tool call that waits has a button that stands out, and a line below its name: ${theme}`, async () => {
      await applyTheme(chat.page, theme);
      const toolCalls = [toolCallView({ state: 'waiting', approval: 'a1', result: undefined })];
      const turn = turnView('running', { rounds: [{ answer: '', calls: toolCalls }] });
      await chat.send(snapshotOf([exchangeView('e1', 'Why?', '', turn)]));
      const isHighContrast = theme.startsWith('hc');
      const look = [isHighContrast ? 'box-shadow' : 'background-color'];
      const first = await styleOf('.card-actions .vscode-button', look);
      assert.notEqual(first, await styleOf('.card-actions .vscode-button + .vscode-button', look));
      const line = await styleOf('.is-waiting > .tool-head', ['border-bottom-width', 'border-bottom-color']);
      assert.equal(/^0px|rgba\(0, 0, 0, 0\)$/.test(line), !isHighContrast, line);
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

    it(`the text of the current match of Find can be read, also in the reasoning: ${theme}`, async () => {
      const turn = turnView('complete', { hasReasoning: true });
      await chat.send(snapshotOf([exchangeView('e1', 'Why?', 'It adds up.', turn)]));
      await applyTheme(chat.page, theme);
      for (const part of ['[data-part="answer"] p', '.reasoning-body']) {
        const style = await chat.page.evaluate<readonly string[]>(`(() => {
          const { color, backgroundColor } = getComputedStyle(document.querySelector(${JSON.stringify(part)}), '::highlight(found-current)');
          return [color, backgroundColor];
        })()`);
        const [color = '', background = ''] = style;
        assert.ok(contrastOf(color, background) >= 4.5, `${color} on ${background}`);
      }
    });
  }

  it('the parts of a map are told apart where the system replaces all colors', async () => {
    await chat.page.emulateMedia({ forcedColors: 'active' });
    await applyTheme(chat.page, 'hc-dark');
    const turn = turnView('complete', { hasReasoning: true });
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', 'It adds up.', turn)]));
    await chat.page.getByRole('button', { name: 'Map' }).click();
    await chat.send({ type: 'map', turnId: 't1', map: TURN_MAP });
    const looks = await chat.page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('.map-legend .map-part')].map((one) => getComputedStyle(one).background)`,
    );
    await chat.page.emulateMedia({ forcedColors: null });
    assert.ok(looks.length > 3);
    assert.equal(new Set(looks).size, looks.length, looks.join('\n'));
  });
});
