/**
 * Streaming Markdown: finished blocks are rendered once and frozen, only the last block is rendered again. Blocks are frozen on
 * complete lines only, because a partial line can still change the block before it (docs/performance.md). Code that isn't closed yet is
 * only appended to. Of a list or a table, only the last items are rendered again.
 */
import type { Env, Token } from 'markdown-it';
import { labelsIn } from './footnotes.ts';
import type { MarkdownIt } from './markdown.ts';
import {
  copyOfEnv,
  type ItemUpdate,
  type OpenItems,
  offsetOfLine,
  sizeOfEnv,
  toOpenItems,
  updateItems,
} from './openItems.ts';

/** The changes since the last update. */
export type BlockUpdate =
  /** The HTML of newly finished blocks, and of the last block. */
  | { readonly type: 'blocks'; readonly frozen: string; readonly tail: string }
  /** Text at the end of the last block, which is code. Nothing else has changed. */
  | { readonly type: 'code'; readonly code: string }
  /** The last items of the last block, which is a list or a table. Nothing before them has changed. */
  | ({ readonly type: 'items' } & ItemUpdate);

export interface StreamingMarkdown {
  append(text: string): void;
  /** Renders the text since the last update. */
  update(): BlockUpdate;
  /** Renders all blocks that haven't finished. */
  open(): string;
  /**
   * Freezes everything. `whole` replaces all blocks when a late link definition or footnote changed earlier ones;
   * otherwise it is undefined.
   */
  finish(): { readonly frozen: string; readonly whole: string | undefined };
}

export function createStreamingMarkdown(md: MarkdownIt): StreamingMarkdown {
  const env: Env = {};
  /** All frozen text, for rendering everything at the end. */
  let source = '';
  /** The text that is not frozen. */
  let tail = '';
  /** The open code block, if the tail consists of one. */
  let openCode: OpenCode | undefined;
  /** The open list or table, if the tail begins with one. */
  let openItems: OpenItems | undefined;
  /** Whether blocks were frozen before math whose end may never arrive. */
  let wasMathOpen = false;
  /** A carriage return at the end, which is a line end by itself, or together with the next character. */
  let held = '';

  function freeze(text: string): string {
    source += text;
    return md.render(text, env);
  }

  /**
   * Moves all blocks except the last from the tail to the frozen text, and returns their HTML. Closed code at the end is moved as well,
   * because nothing that follows can change it.
   */
  function takeFinished(): string {
    const end = tail.lastIndexOf('\n');
    if (end === -1) return '';
    const complete = tail.slice(0, end + 1);
    const parsed = copyOfEnv(env);
    const tokens = md.parse(complete, parsed);
    const at = tokens.findLastIndex(
      ({ level, map, nesting }) => level === 0 && map !== null && nesting !== -1,
    );
    const last = tokens[at];
    const isLastClosed = isClosed(last, complete);
    const cut = offsetOfLine(complete, (last?.map ?? [0, 0])[isLastClosed ? 1 : 0]);
    if (cut === 0) return '';
    const finished = tail.slice(0, cut);
    tail = tail.slice(cut);
    const isMathOpen = parsed['openMath'] === true;
    wasMathOpen ||= isMathOpen;
    if (!isMathOpen && sizeOfEnv(parsed) === sizeOfEnv(env)) {
      source += finished;
      return md.renderer.render(tokens.slice(0, isLastClosed ? at + 1 : at), md.options, parsed);
    }
    // Definitions of the last block may still change.
    env['isFollowed'] = true;
    const html = freeze(finished);
    env['isFollowed'] = false;
    return html;
  }

  function renderTail(): string {
    const own = copyOfEnv(env);
    const tokens = md.parse(tail, own);
    openCode = toOpenCode(tail);
    openItems = sizeOfEnv(own) === sizeOfEnv(env) ? toOpenItems(md, tokens, tail, env) : undefined;
    return md.renderer.render(tokens, md.options, own);
  }

  return {
    append(text) {
      // Line ends are normalized, because lines are counted by line feeds here, but by all kinds of line ends in the parser.
      const added = held + text;
      held = added.endsWith('\r') ? '\r' : '';
      tail += added.slice(0, added.length - held.length).replace(/\r\n?/g, '\n');
    },
    update() {
      if (openCode !== undefined && !mayEnd(openCode, tail)) {
        const end = Math.max(openCode.shown, endOfCode(tail));
        const code = tail.slice(openCode.shown, end);
        openCode.shown = end;
        return { type: 'code', code };
      }
      const grown = openItems && updateItems(md, openItems, tail, env);
      if (grown !== undefined) {
        openItems = grown.open;
        return { type: 'items', ...grown.update };
      }
      return { type: 'blocks', frozen: takeFinished(), tail: renderTail() };
    },
    open: renderTail,
    finish() {
      openCode = undefined;
      openItems = undefined;
      const frozen = freeze(tail + held);
      tail = '';
      const defined = Object.keys(env.references ?? {}).length > 0 || labelsIn(env).size > 0;
      return { frozen, whole: defined || wasMathOpen ? md.render(source, {}) : undefined };
    },
  };
}

/** Whether a block is code whose last line closes it. */
function isClosed(block: Token | undefined, text: string): boolean {
  if (block?.type !== 'fence' || block.map === null) return false;
  const [from, to] = block.map.map((line) => offsetOfLine(text, line));
  const lines = text.slice(from, to).replace(/\n$/, '').split('\n');
  // A line with more indentation would be a line of the code.
  const [, end = ''] = /^ {0,3}(`+|~+)[ \t]*$/.exec(lines.at(-1) ?? '') ?? [];
  return lines.length > 1 && end.startsWith(block.markup);
}

interface OpenCode {
  /** The characters of the opening fence. */
  readonly fence: string;
  /** The length of the text that was rendered or returned, in UTF-16 code units. */
  shown: number;
}

/** The open code block that a text consists of, if the renderer shows its characters unchanged. */
function toOpenCode(text: string): OpenCode | undefined {
  // Indentation would be removed from the code as well.
  const [fence = ''] = /^(?:`{3,}|~{3,})/.exec(text) ?? [];
  const line = text.slice(0, text.indexOf('\n') + 1);
  if (fence === '' || line === '' || (fence.startsWith('`') && line.includes('`', fence.length)))
    return undefined;
  const open = { fence, shown: line.length };
  return mayEnd(open, text) ? undefined : { fence, shown: endOfCode(text) };
}

/** Whether a line that isn't completely shown could end the code, or has characters that aren't shown unchanged. */
function mayEnd({ fence, shown }: OpenCode, text: string): boolean {
  const added = text.slice(text.lastIndexOf('\n', shown - 1) + 1);
  return (fence.startsWith('~') ? /^ {0,3}~|\0/m : /^ {0,3}`|\0/m).test(added);
}

/** The offset of the end of the code that is shown. The renderer leaves out an incomplete last line that has only spaces. */
function endOfCode(text: string): number {
  const line = text.lastIndexOf('\n') + 1;
  return /^[ \t]*$/.test(text.slice(line)) ? line : text.length;
}
