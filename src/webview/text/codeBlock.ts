/** The HTML of a code block, with a header of buttons. */

export interface CodeBlockWords {
  readonly code: string;
  readonly copy: string;
  readonly insert: string;
  readonly apply: string;
  readonly newFile: string;
}

/** The actions and icons of the buttons. */
const BUTTONS = [
  ['copy', 'copy'],
  ['insert', 'insert'],
  ['apply', 'diff-added'],
  ['newFile', 'new-file'],
] as const satisfies readonly (readonly [keyof CodeBlockWords, string])[];

/**
 * The HTML of a code block.
 *
 * @param info the text after the opening fence
 */
export function toCodeBlock(
  text: string,
  info: string,
  words: CodeBlockWords,
  escapeHtml: (text: string) => string,
): string {
  const name = escapeHtml(/^[\w+#.-]+/.exec(info.trim())?.[0] ?? '');
  const group = escapeHtml(words.code) + (name === '' ? '' : `, ${name}`);
  const buttons = BUTTONS.map(([action, icon], at) => {
    const label = escapeHtml(words[action]);
    const tabStop = at === 0 ? '' : ' tabindex="-1"';
    return `<button type="button" class="icon-button codicon codicon-${icon}" data-code="${action}" aria-label="${label}" title="${label}"${tabStop}></button>`;
  });
  return (
    `<div class="code" dir="ltr" role="group" aria-label="${group}" data-info="${escapeHtml(info.trim())}">` +
    `<div class="code-head"><span class="code-language">${name}</span>` +
    `<div class="code-buttons" role="toolbar" aria-label="${group}">${buttons.join('')}</div></div>` +
    `<pre tabindex="0"><code data-language="${name || 'text'}">${escapeHtml(text)}</code></pre></div>\n`
  );
}
