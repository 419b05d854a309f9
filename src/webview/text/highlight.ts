/** Syntax highlighting: selected languages, once per finished block, in idle time (docs/performance.md). */
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { whenIdle } from '../base/whenIdle.ts';
import { diffGrammar } from './diffGrammar.ts';
import { toFragment } from './sanitize.ts';
import { endsOfSelected } from './selection.ts';

const LANGUAGES = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff: diffGrammar,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Longer blocks are not highlighted, because that would block the page. In UTF-16 code units. */
const LONGEST_BLOCK = 60_000;
/** The time to spend in one idle callback, in milliseconds. */
const SLICE_MS = 8;

const waiting: Element[] = [];
/** Blocks in which the user has selected something. Highlighting would end the selection. */
const selected: Element[] = [];
let scheduled = false;

/** Highlights the code blocks in a finished element when the page is idle. */
export function highlightSoon(root: ParentNode): void {
  waiting.push(...root.querySelectorAll('code[data-language]:not([data-highlighted])'));
  schedule();
}

document.addEventListener('selectionchange', () => {
  waiting.push(...selected.splice(0));
  schedule();
});

function schedule(): void {
  if (scheduled || waiting.length === 0) return;
  scheduled = true;
  whenIdle(work);
}

function work(): void {
  scheduled = false;
  const end = performance.now() + SLICE_MS;
  const ends = endsOfSelected();
  while (waiting.length > 0 && performance.now() < end) {
    const code = waiting.shift();
    if (!(code instanceof HTMLElement) || code.dataset['highlighted'] !== undefined) continue;
    if (ends.some((node) => code.contains(node))) selected.push(code);
    else highlight(code);
  }
  schedule();
}

/** Highlights the code of an element at once. */
export function highlight(code: HTMLElement): void {
  const language = code.dataset['language'] ?? '';
  const text = code.textContent ?? '';
  code.dataset['highlighted'] = 'yes';
  if (hljs.getLanguage(language) === undefined || text.length > LONGEST_BLOCK) return;
  const { value } = hljs.highlight(text, { language, ignoreIllegals: true });
  code.replaceChildren(toFragment(value));
}
