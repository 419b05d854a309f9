/**
 * Markdown that grows: finished blocks are rendered once and frozen, only the last block is rendered again. Blocks
 * are frozen on complete lines only, because a partial line can still change the block before it (docs/benchmarks.md).
 */
import type { Env } from 'markdown-it';
import type { MarkdownIt } from './markdown.ts';

/** What an update brought: HTML of blocks that are finished now, and of the one that still grows. */
export interface BlockUpdate {
  readonly frozen: string;
  readonly tail: string;
}

export interface StreamingMarkdown {
  append(text: string): void;
  /** Renders what came since the last update. */
  update(): BlockUpdate;
  /** The end: everything is frozen. `whole` replaces all blocks, when a late link definition changed earlier ones. */
  finish(): { readonly frozen: string; readonly whole: string | undefined };
}

export function createStreamingMarkdown(md: MarkdownIt): StreamingMarkdown {
  const env: Env = {};
  /** All frozen text, for the full rendering at the end. */
  let source = '';
  /** The part that is not frozen. */
  let tail = '';

  function freeze(text: string): string {
    source += text;
    return md.render(text, env);
  }

  /** Takes all blocks but the last off the tail. */
  function takeFinished(): string {
    const end = tail.lastIndexOf('\n');
    if (end === -1) return '';
    const complete = tail.slice(0, end + 1);
    const starts = md
      .parse(complete, throwaway(env))
      .filter((token) => token.level === 0 && token.map !== null && token.nesting !== -1)
      .map((token) => token.map?.[0] ?? 0);
    const last = starts.at(-1);
    if (last === undefined || last === 0) return '';
    const cut = offsetOfLine(complete, last);
    const finished = tail.slice(0, cut);
    tail = tail.slice(cut);
    return freeze(finished);
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
      const defined = Object.keys(env.references ?? {}).length > 0;
      return { frozen, whole: defined ? md.render(source, {}) : undefined };
    },
  };
}

/** What the tail defines may still change, so it must not stay. */
function throwaway(env: Env): Env {
  return { references: { ...env.references } };
}

function offsetOfLine(text: string, line: number): number {
  let offset = 0;
  for (let i = 0; i < line; i++) offset = text.indexOf('\n', offset) + 1;
  return offset;
}
