/**
 * Streaming Markdown: finished blocks are rendered once and frozen, only the last block is rendered again. Blocks are
 * frozen on complete lines only, because a partial line can still change the block before it (docs/benchmarks.md).
 */
import type { Env } from 'markdown-it';
import { labelsIn } from './footnotes.ts';
import type { MarkdownIt } from './markdown.ts';

/** HTML of the blocks that have finished since the last update, and of the last block. */
export interface BlockUpdate {
  readonly frozen: string;
  readonly tail: string;
}

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
      const frozen = takeFinished();
      return { frozen, tail: md.render(tail, throwaway(env)) };
    },
    finish() {
      const frozen = freeze(tail);
      tail = '';
      const defined = Object.keys(env.references ?? {}).length > 0 || labelsIn(env).size > 0;
      return { frozen, whole: defined || wasMathOpen ? md.render(source, {}) : undefined };
    },
  };
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
