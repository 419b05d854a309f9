/** Creates the label of an edit's thread: which lines are sent, what else is sent, and on which route. */
import * as vscode from 'vscode';
import type { LineRange } from '../../text/lineRange.ts';
import { plural } from '../base/plural.ts';
import { joinList } from '../base/sentences.ts';
import { linesText } from '../wording/linesText.ts';
import type { Edit } from './editList.ts';

const t = vscode.l10n.t;

/** What is sent with the next question of an edit, besides its lines. */
export interface Along {
  /** The number of lines around those of the edit. */
  readonly around: number;
  /** The number of questions in the chat in front, which the first question follows. */
  readonly earlier: number;
  /** The number of problems whose text went with the last question. */
  readonly problems: number;
}

/** The lines counted from 1, what else is sent, and the route. */
export function toThreadLabel(
  path: string,
  {
    lines,
    instructions,
    leavesOut,
  }: Pick<Edit, 'instructions' | 'leavesOut'> & { readonly lines: LineRange },
  along: Along,
  route: string | undefined,
): string {
  const { startLine, endLine } = lines;
  const { around, earlier, problems } = along;
  const where = linesText(path, startLine, endLine);
  const count = (text: string, number: number) => (number === 0 ? '' : plural(text, number));
  return joinList([
    where,
    count(t('{0, plural, one {with # surrounding line} other {with # surrounding lines}}'), around),
    count(t('{0, plural, one {with the text of # problem} other {with the text of # problems}}'), problems),
    count(t('{0, plural, one {after # message of the chat} other {after # messages of the chat}}'), earlier),
    ...(leavesOut ? [t('without instructions')] : instructions),
    route === undefined ? '' : t('route {0}', route),
  ]);
}
