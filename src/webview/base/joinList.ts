/** Lists in the display language: Chinese and Japanese have other commas. */
import type { PageContext } from './pageContext.ts';

/** The parts of a list without “and”. */
export const joinList = (parts: readonly string[], word: PageContext['word']): string =>
  parts.reduce((before, next) => word('{0}, {1}', before, next));
