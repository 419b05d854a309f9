/**
 * Streaming Markdown: finished blocks are rendered once and frozen, only the last block is rendered again. Blocks are
 * frozen on complete lines only, because a partial line can still change the block before it (docs/performance.md).
 * Code that isn't closed yet is only appended to.
 */
import type { Env } from 'markdown-it';
import { labelsIn } from './footnotes.ts';
import type { MarkdownIt } from './markdown.ts';

/** What has changed since the last update. */
export type BlockUpdate =
  /** HTML of the blocks that have finished, and of the last block. */
  | { readonly frozen: string; readonly tail: string; readonly code?: undefined }
  /** Text at the end of the last block, which is code. Nothing else has changed. */
  | { readonly code: string };

export interface StreamingMarkdown {
  append(text: string): void;
  /** Renders the text since the last update. */
  update(): BlockUpdate;
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
  /** The code block that the tail consists of, while it is open. */
  let openCode: OpenCode | undefined;
  /** Blocks were frozen before math whose end may never come. */
  let wasMathOpen = false;

  function freeze(text: string): string {
    source += text;
    return md.render(text, env);
  }

  /** Moves all blocks except the last from the tail to the frozen text, and returns their HTML. */
  function takeFinished(): string {
    const end = tail.lastIndexOf('\n');
    if (end === -1) return '';
    const complete = tail.slice(0, end + 1);
    const parsed = throwaway(env);
    const starts = md
      .parse(complete, parsed)
      .filter((token) => token.level === 0 && token.map !== null && token.nesting !== -1)
      .map((token) => token.map?.[0] ?? 0);
    const last = starts.at(-1);
    if (last === undefined || last === 0) return '';
    wasMathOpen ||= parsed['openMath'] === true;
    const cut = offsetOfLine(complete, last);
    const finished = tail.slice(0, cut);
    tail = tail.slice(cut);
    env['isFollowed'] = true;
    const html = freeze(finished);
    env['isFollowed'] = false;
    return html;
  }

  return {
    append(text) {
      tail += text;
    },
    update() {
      if (openCode !== undefined && !mayEnd(openCode, tail)) {
        const end = Math.max(openCode.shown, endOfCode(tail));
        const code = tail.slice(openCode.shown, end);
        openCode.shown = end;
        return { code };
      }
      const frozen = takeFinished();
      openCode = toOpenCode(tail);
      return { frozen, tail: md.render(tail, throwaway(env)) };
    },
    finish() {
      openCode = undefined;
      const frozen = freeze(tail);
      tail = '';
      const defined = Object.keys(env.references ?? {}).length > 0 || labelsIn(env).size > 0;
      return { frozen, whole: defined || wasMathOpen ? md.render(source, {}) : undefined };
    },
  };
}

interface OpenCode {
  /** The characters of the fence that it begins with. */
  readonly fence: string;
  /** The length of the text that was rendered or returned, in UTF-16 units. */
  shown: number;
}

/** The open code block that a text consists of, if the renderer shows its characters as they are. */
function toOpenCode(text: string): OpenCode | undefined {
  // Indentation would be removed from the code as well.
  const [fence = ''] = /^(?:`{3,}|~{3,})/.exec(text) ?? [];
  const line = text.slice(0, text.indexOf('\n') + 1);
  if (fence === '' || line === '' || (fence.startsWith('`') && line.includes('`', fence.length)))
    return undefined;
  const open = { fence, shown: line.length };
  return mayEnd(open, text) ? undefined : { fence, shown: endOfCode(text) };
}

/** Whether a line that isn't shown completely could be the end of the code, or is shown in another way than it is. */
function mayEnd({ fence, shown }: OpenCode, text: string): boolean {
  const added = text.slice(text.lastIndexOf('\n', shown - 1) + 1);
  return (fence.startsWith('~') ? /^ {0,3}~|[\r\0]/m : /^ {0,3}`|[\r\0]/m).test(added);
}

/** The renderer leaves out a last line of only spaces that isn't complete. */
function endOfCode(text: string): number {
  const line = text.lastIndexOf('\n') + 1;
  return /^[ \t]*$/.test(text.slice(line)) ? line : text.length;
}

/** A copy of the environment: link definitions in the tail may still change, so they must not be kept. */
function throwaway(env: Env): Env {
  return { references: { ...env.references }, footnotes: new Set(labelsIn(env)) };
}

function offsetOfLine(text: string, line: number): number {
  let offset = 0;
  for (let i = 0; i < line; i++) offset = text.indexOf('\n', offset) + 1;
  return offset;
}
