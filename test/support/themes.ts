/** The colors, fonts, and style of VS Code's default themes, as a page of the chat gets them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Frame, Page } from 'playwright-core';

export const THEMES = {
  light: 'Default Light Modern',
  dark: 'Default Dark Modern',
  'hc-light': 'Default High Contrast Light',
  'hc-dark': 'Default High Contrast',
} as const;
export type ThemeName = keyof typeof THEMES;

/** The values of a theme that a page gets. */
export interface PageTheme {
  /** The classes of the body. */
  readonly body: string;
  /** The variables that our pages use, without `--vscode-`; empty for one that the theme doesn't set. */
  readonly variables: Readonly<Record<string, string>>;
  /** The style that the editor adds to every page. */
  readonly style: string;
}

const fileOf = (name: ThemeName) =>
  fileURLToPath(new URL(`../fixtures/themes/${name}.json`, import.meta.url));

export const themeOf = (name: ThemeName): PageTheme => JSON.parse(readFileSync(fileOf(name), 'utf8'));

export function writeTheme(name: ThemeName, theme: PageTheme): void {
  writeFileSync(fileOf(name), `${JSON.stringify(theme, null, 2)}\n`);
}

/** Reads the theme from a page in the workbench. */
export async function readTheme(page: Frame): Promise<PageTheme> {
  const { variables, ...theme } = await page.evaluate<PageTheme>(`({
    body: [...document.body.classList].filter((name) => name.startsWith('vscode-')).join(' '),
    variables: Object.fromEntries([...document.documentElement.style]
      .map((name) => [name.slice('--vscode-'.length), document.documentElement.style.getPropertyValue(name)])),
    style: document.getElementById('_defaultStyles').textContent,
  })`);
  const used = usedVariables().map((name) => [name, variables[name] ?? '']);
  return { ...theme, variables: Object.fromEntries(used) };
}

/** The variables of the editor that our pages use, and the backgrounds behind the pages, without `--vscode-`. */
export function usedVariables(): readonly string[] {
  const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
  const text = ['webview.css', 'usage.css'].map((file) => readFileSync(`${dist}${file}`, 'utf8')).join('\n');
  const inStyles = [...text.matchAll(/--vscode-([\w-]+)/g)].map((match) => match[1] ?? '');
  const charts = ['blue', 'green', 'purple', 'yellow'].map((color) => `charts-${color}`);
  const others = ['contrastBorder', 'sideBar-background', 'editor-background', 'editor-foreground'];
  return [...new Set([...inStyles, ...charts, ...others, 'font-weight'])].sort();
}

/** Shows a page in a theme, on the background of the side bar or of an editor. */
export async function applyTheme(
  page: Page,
  name: ThemeName,
  background: 'sideBar-background' | 'editor-background' = 'sideBar-background',
): Promise<void> {
  const theme = themeOf(name);
  await page.evaluate(`{
    const { variables, body, style } = ${JSON.stringify(theme)};
    for (const [name, value] of Object.entries(variables))
      document.documentElement.style.setProperty('--vscode-' + name, value);
    document.documentElement.style.background = variables[${JSON.stringify(background)}];
    document.body.className = [...document.body.classList].filter((one) => !one.startsWith('vscode-'))
      .concat(body.split(' ')).join(' ');
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    document.adoptedStyleSheets = [sheet];
  }`);
}
