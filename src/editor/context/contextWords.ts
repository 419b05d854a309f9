/** Labels and messages about context: its size, and why something was omitted. */
import * as vscode from 'vscode';
import { type ContextItem, contextTokens, type OmitReason } from '../../conversation/context/context.ts';
import type { FoundInstructions } from '../../instructions/findInstructions.ts';
import type { AttachedView, ContextView } from '../../panel/context.ts';
import { aboutTokensText, formatTokens } from '../base/formats.ts';
import { plural } from '../base/plural.ts';
import { MAX_CHANGED_FILES } from '../workspace/changes.ts';
import type { AttachedContext } from './attachments.ts';

const t = vscode.l10n.t;

/** The token budget of a folder, and of all instructions of a question. */
export const FOLDER_BUDGET_TOKENS = 50_000;

export function describeReadFailure(label: string, why: 'binary' | 'too-large' | 'unreadable'): string {
  switch (why) {
    case 'binary':
      return t('{0} is not a text file and was not added.', label);
    case 'too-large':
      return t('{0} is too large to add. Select the part you need and add the selection.', label);
    case 'unreadable':
      return t('{0} can’t be read and was not added.', label);
  }
}

export function describeOmission(why: OmitReason): string {
  switch (why) {
    case 'ignored':
      return t('ignored by Git');
    case 'binary':
      return t('not text');
    case 'too-large':
      return t('too large');
    case 'over-budget':
      return t('over the limit of {0} tokens', formatTokens(FOLDER_BUDGET_TOKENS));
    case 'too-many':
      return t('over the limit of {0} files', MAX_CHANGED_FILES);
    case 'outside':
      return t('outside the workspace');
    case 'unreadable':
      return t('can’t be read');
    case 'secret':
      return t('may contain secrets');
    case 'untracked':
      return t('not tracked by Git');
  }
}

/** The view of an item in the message box. */
export function toAttachedView(one: AttachedContext, reading: ReadonlySet<string>): AttachedView {
  const view = { ...toContextView(one), id: one.id };
  return reading.has(one.id) ? { ...view, size: t('Reading…') } : view;
}

export function toContextView({ item, changed }: Omit<AttachedContext, 'id'>): ContextView {
  const { kind, label, parts } = item;
  const cut = parts.flatMap(({ label, linesInAll }) =>
    linesInAll === undefined ? [] : [t('{0}: without its end, because it is too long', label)],
  );
  return {
    kind,
    name: label,
    size: toSize(item),
    ...toOmittedView(cut, item),
    changed: changed ? toChanged(item) : undefined,
  };
}

/** @param cut texts which say that the end of a file was left out */
const toOmittedView = (
  cut: readonly string[],
  { omitted = [], omittedMore = 0 }: Pick<ContextItem, 'omitted' | 'omittedMore'>,
): Pick<ContextView, 'omitted' | 'omittedCount'> => ({
  omitted: [
    ...cut,
    ...omitted.map(({ label, why }) => `${label}: ${describeOmission(why)}`),
    ...(omittedMore > 0 ? [t('… and {0} more', omittedMore)] : []),
  ],
  omittedCount: cut.length + omitted.length + omittedMore,
});

/** The context of a sent question. All its instructions are shown as one entry. */
export function toSentContextViews(context: readonly ContextItem[]): readonly ContextView[] {
  const instructions = toInstructionsView({
    items: context.filter(({ kind }) => kind === 'instructions'),
    omitted: [],
  });
  return [
    ...(instructions === undefined ? [] : [instructions]),
    ...context
      .filter(({ kind }) => kind !== 'instructions')
      .map((item) => toContextView({ item, changed: item.older === true })),
  ];
}

/** Instructions of the project, as one entry with its files. Undefined if there are none. */
export function toInstructionsView(found: FoundInstructions): ContextView | undefined {
  const { items, omitted, omittedMore = 0 } = found;
  if (items.length + omitted.length + omittedMore === 0) return undefined;
  const cut = items.flatMap(({ label, parts }) =>
    parts.some(({ linesInAll }) => linesInAll !== undefined)
      ? [t('{0}: without its end, because it is too long', label)]
      : [],
  );
  const tokens = items.reduce((sum, item) => sum + contextTokens(item), 0);
  const onlyEnded = omitted.length + omittedMore === 0 && items.every(({ ended }) => ended === true);
  return {
    kind: 'instructions',
    name: t('Instructions'),
    size: onlyEnded
      ? plural(t('{0, plural, one {# file no longer applies} other {# files no longer apply}}'), items.length)
      : plural(
          t('{0, plural, one {# file, {1}} other {# files, {1}}}'),
          items.length,
          aboutTokensText(tokens),
        ),
    ...toOmittedView(cut, found),
    changed: undefined,
    files: items.map((item) => ({
      path: item.label,
      note: item.ended === true ? t('no longer applies') : aboutTokensText(contextTokens(item)),
    })),
    ...(onlyEnded && { ended: true }),
  };
}

function toChanged({ kind, older }: ContextItem): string {
  if (older === true) return t('older than the file');
  return kind === 'selection' || kind === 'symbol'
    ? t('changed; the earlier text is sent')
    : t('changed; the current text is sent');
}

/** The size of an item, such as “about 1,200 tokens” or “12 files, about 1,200 of at most 50,000 tokens”. */
function toSize(item: ContextItem): string {
  if (item.kind !== 'folder') return aboutTokensText(contextTokens(item));
  const files = plural(t('{0, plural, one {# file} other {# files}}'), item.parts.length);
  return t(
    '{0}, about {1} of at most {2} tokens',
    files,
    formatTokens(contextTokens(item)),
    formatTokens(FOLDER_BUDGET_TOKENS),
  );
}
