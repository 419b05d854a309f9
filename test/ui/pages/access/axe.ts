/**
 * Every state of the pages without violations of axe-core: with all rules in one theme, and its contrast in the theme after
 * that, so that each theme has its turn. `K3_ACCESS=all` looks at all of them in four themes and three widths, and at 200%
 * zoom, with all rules.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { CHAT_STATES, type PageStateOfTest } from '../../../support/accessStates.ts';
import { violationsOn } from '../../../support/axe.ts';
import {
  type ChatPage,
  DRAWN,
  openChatPage,
  sharedChatPage,
  testBrowser,
} from '../../../support/chatPage.ts';
import { applyTheme, THEMES, type ThemeName, themeOf, usedVariables } from '../../../support/themes.ts';
import { EMPTY_USAGE, USAGE } from '../../../support/usageData.ts';

const THEME_NAMES = Object.keys(THEMES) as readonly ThemeName[];
const ALL = process.env['K3_ACCESS'] === 'all';
const HEIGHT = 700;
/** In CSS pixels. A page at 200% zoom has half of the pixels. */
const SIZES = ALL ? [300, 500, 1200, 150, 600] : [300];
const looked = { states: 0, runs: 0 };

const browser = testBrowser();
const openPage = sharedChatPage();
after(() => console.log(`  Accessibility: ${looked.states} states, ${looked.runs} runs of axe.`));

/** Looks at a page that is in a state. A wide page is one in an editor, others are in the side bar. */
async function checkEverywhere(page: Page, name: string): Promise<void> {
  const first = looked.states++;
  const wrong: string[] = [];
  const themes = ALL ? THEME_NAMES : themesFrom(first);
  for (const width of SIZES)
    for (const theme of themes) {
      await page.setViewportSize({ width, height: width < 300 ? HEIGHT / 2 : HEIGHT });
      await applyTheme(page, theme, width > 500 ? 'editor-background' : 'sideBar-background');
      const rules = ALL || theme === themes[0] ? 'all' : 'contrast';
      looked.runs++;
      for (const violation of await violationsOn(page, rules)) wrong.push(`${theme} ${width}: ${violation}`);
      await screenshot(page, `${name}-${theme}-${width}`);
    }
  assert.deepEqual(wrong, []);
}

/** Two of the themes, one after the other. */
const themesFrom = (first: number): readonly ThemeName[] =>
  [...THEME_NAMES, ...THEME_NAMES].slice(first % THEME_NAMES.length).slice(0, 2);

/** @param name becomes the name of the file, in the folder `K3_SCREENSHOTS` */
async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['K3_SCREENSHOTS'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name.replaceAll(/[^\w-]+/g, '-')}.png` });
}

/** Shows a state in the page that all states share: axe-core is loaded and compiled in it once. */
async function show({ messages, act, later }: PageStateOfTest): Promise<Page> {
  const chat = await openPage();
  await chat.page.setViewportSize({ width: 300, height: HEIGHT });
  await chat.send(...messages);
  await chat.posted();
  await act?.(chat.page);
  const query = (await chat.posted()).findLast((one) => one.type === 'complete')?.query;
  // The page has asked for others before.
  const answers = later?.map((one) =>
    one.type === 'choices' ? { ...one, query: query ?? assert.fail('The page has asked for nothing.') } : one,
  );
  await chat.send(...(answers ?? []));
  return chat.page;
}

describe('The page has no accessibility problem that axe-core finds', () => {
  for (const state of CHAT_STATES)
    it(state.name, async () => {
      await checkEverywhere(await show(state), state.name);
    });

  let usage: ChatPage | undefined;
  after(() => usage?.close());

  for (const [name, data] of [
    ['usage', USAGE],
    ['no usage', EMPTY_USAGE],
  ] as const)
    it(name, async () => {
      usage ??= await openChatPage(browser(), {}, '', 'usage');
      const { page } = usage;
      await page.evaluate(`postMessage(${JSON.stringify({ type: 'usage', data })}, '*'); ${DRAWN}`);
      await page.getByRole('heading', { name: 'Usage' }).waitFor();
      await checkEverywhere(page, name);
    });
});

describe('The themes of these tests', () => {
  for (const theme of THEME_NAMES)
    it(`have all colors that the pages use (${theme})`, () => {
      const known = Object.keys(themeOf(theme).variables);
      const missing = usedVariables().filter((name) => !known.includes(name));
      assert.deepEqual(missing, [], 'run the tests of review.test.ts with K3_WRITE_THEMES=1');
    });
});
