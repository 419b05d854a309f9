/** Task lists: `- [x] done`. The boxes are images, because selecting them does nothing. */
import type { MarkdownIt } from 'markdown-it';

const BOX = /^\[([ xX])\][ \t]+/;

export function useTaskLists(md: MarkdownIt, words: { readonly done: string; readonly open: string }): void {
  const { escapeHtml } = md.utils;
  md.core.ruler.after('inline', 'tasks', (state) => {
    for (const [index, item] of state.tokens.entries()) {
      if (item.type !== 'list_item_open' || state.tokens[index + 1]?.type !== 'paragraph_open') continue;
      const children = state.tokens[index + 2]?.children ?? [];
      const [first] = children;
      const box = first?.type === 'text' ? BOX.exec(first.content) : null;
      if (first === undefined || box === null) continue;
      item.attrJoin('class', 'task');
      first.content = first.content.slice(box[0].length);
      const token = new state.Token('task', 'span', 0);
      token.info = box[1] === ' ' ? 'open' : 'done';
      children.unshift(token);
    }
  });
  md.renderer.rules['task'] = (tokens, index) => {
    const done = tokens[index]?.info === 'done';
    const name = escapeHtml(done ? words.done : words.open);
    return `<span class="codicon codicon-${done ? 'pass-filled' : 'circle-large'} task-box" role="img" aria-label="${name}" title="${name}"></span>`;
  };
}
