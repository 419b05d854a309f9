/** The only dialog about access to files: it shows the paths, the reasons, and what happens when the user allows access. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { ACCESS_REASONS, type AccessPurpose, type AccessReason } from '../../access/accessReasons.ts';
import { type HiddenCharacter, showHidden } from '../../text/hiddenCharacters.ts';
import { askInDialog } from '../base/notifications.ts';
import { plural } from '../base/plural.ts';
import { firstLines, joinList, joinSentences } from '../base/sentences.ts';

const t = vscode.l10n.t;

export interface AskedPlace {
  readonly realPath: string;
  /** The path as it was requested. */
  readonly requested: string;
  readonly reasons: readonly AccessReason[];
}

export interface AccessDialog {
  readonly purpose: AccessPurpose;
  /** At least one. */
  readonly places: readonly AskedPlace[];
  /** Hidden characters that the change adds. */
  readonly adds: readonly HiddenCharacter[];
  /** How long the approval is valid: for this action, or until the window closes. */
  readonly lasts: 'once' | 'window';
}

/** A dialog lists at most this many paths. The others have dialogs of their own, because nothing is allowed that isn't shown. */
const MAX_SHOWN = 12;
/** Codes of hidden characters. */
const MAX_CODES = 12;
/** The maximum length of a path or name in characters, so that the buttons of the dialog stay on the screen. */
const MAX_LENGTH = 400;

/** Shows the dialog and returns whether the user allowed it. */
export const askAccess = async (dialog: AccessDialog, signal?: AbortSignal): Promise<boolean> =>
  (await showAccess(dialog, signal)) === 'allowed';

/**
 * Shows the dialog and returns what the user selected. An extension can't close a dialog: when the signal aborts, the
 * result is a refusal, and what the user selects later has no effect.
 *
 * @param others what else can wait for access, and is also refused by Cancel
 */
export async function showAccess(
  dialog: AccessDialog,
  signal?: AbortSignal,
  others?: keyof typeof CANCEL,
): Promise<Answer> {
  for (let at = 0; at < dialog.places.length; at += MAX_SHOWN) {
    const places = dialog.places.slice(at, at + MAX_SHOWN);
    const left = dialog.places.length - at - places.length;
    const answer = await showPlaces({ ...dialog, places }, left, signal, others);
    if (answer !== 'allowed') return answer;
  }
  return 'allowed';
}

type Answer = 'allowed' | 'refused' | 'canceled';

/** @param left the number of files that later dialogs ask about */
async function showPlaces(
  dialog: AccessDialog,
  left: number,
  signal?: AbortSignal,
  others?: keyof typeof CANCEL,
): Promise<Answer> {
  if (signal?.aborted === true) return 'refused';
  const allow = dialog.lasts === 'once' ? t('Allow Once') : t('Allow in This Window');
  // The editor adds Cancel beside Refuse (`askInDialog`), so the dialog says what Cancel does.
  const effect = joinSentences([EFFECTS[dialog.purpose](), CANCEL[others ?? 'nothing']()]);
  const paths = [...toPaths(dialog.places), ...toRest(left)];
  const detail = [...paths, '', ...toSentences(dialog), '', effect].join('\n');
  const asking = askInDialog(toTitle(dialog), detail, t('Refuse'), allow);
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => resolve('refused'), { once: true });
    asking.then(
      (chosen) => resolve(chosen === allow ? 'allowed' : chosen === undefined ? 'canceled' : 'refused'),
      reject,
    );
  });
}

const CANCEL = {
  nothing: () => t('Cancel also refuses.'),
  calls: () => t('Cancel refuses this and all other tool calls that wait for the same kind of access.'),
  files: () => t('Cancel refuses this and all other files that you would be asked about.'),
};

function toTitle({ purpose, places }: AccessDialog): string {
  const [first] = places;
  const path = first?.realPath ?? '';
  const name = toShown(basename(path) || path);
  switch (purpose) {
    case 'read':
      return places.length === 1
        ? t('Allow svc-k3 to read {0}?', name)
        : plural(
            t(
              '{0, plural, one {Allow svc-k3 to read this file?} other {Allow svc-k3 to read these # files?}}',
            ),
            places.length,
          );
    case 'propose':
      return t('Allow svc-k3 to propose a change to {0}?', name);
    case 'write':
      return t('Apply this change to {0}?', name);
  }
}

function toPaths(places: readonly AskedPlace[]): readonly string[] {
  const [first, ...others] = places;
  if (first !== undefined && others.length === 0)
    return [
      t('Resolved path: {0}', toShown(first.realPath)),
      ...(first.requested === first.realPath ? [] : [t('Requested path: {0}', toShown(first.requested))]),
    ];
  const paths = places.map(({ requested, realPath }) =>
    [...new Set([requested, realPath])].map((path) => toShown(path)).join(' → '),
  );
  return [t('Requested path → resolved path:'), ...paths];
}

const toRest = (left: number): readonly string[] =>
  left === 0
    ? []
    : [
        plural(
          t(
            '{0, plural, one {You are then asked about # more file. If you refuse, none of the files is read.} other {You are then asked about # more files. If you refuse once, none of the files is read.}}',
          ),
          left,
        ),
      ];

/** A text on one line, such as a title. A line break in it would look like another line of the dialog. */
export const toOneLine = (text: string): string => withCodes(text, /[\t\r\n]/g);

/** A path on one line. A space at the end of a name in it can't be seen either. */
const toShown = (path: string): string => withCodes(path, /[\t\r\n]|\s(?=$|[\\/])/g);

const withCodes = (text: string, unseen: RegExp): string =>
  withoutMiddle(
    showHidden(text).replace(
      unseen,
      (one) => `⟦U+${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟧`,
    ),
  );

/** Shortens a text in its middle, because the end of a path tells which file it is, and the beginning where it is. */
function withoutMiddle(text: string): string {
  const characters = [...text];
  const kept = MAX_LENGTH / 2;
  return characters.length > MAX_LENGTH
    ? `${characters.slice(0, kept).join('')} … ${characters.slice(-kept).join('')}`
    : text;
}

/** Each reason once, as a sentence. */
function toSentences({ places, adds }: AccessDialog): readonly string[] {
  const reasons = new Set(places.flatMap((place) => place.reasons));
  return ACCESS_REASONS.filter((reason) => reasons.has(reason)).map((reason) =>
    describeReason(reason, places.length, adds),
  );
}

function describeReason(reason: AccessReason, count: number, adds: readonly HiddenCharacter[]): string {
  switch (reason) {
    case 'outside':
      return count === 1 ? t('It is outside the workspace.') : t('Some are outside the workspace.');
    case 'ignored':
      return count === 1
        ? t('Git ignores it. Ignored files often contain keys and passwords.')
        : t('Git ignores some of them. Ignored files often contain keys and passwords.');
    case 'git-folder':
      return count === 1
        ? t('It is in the folder .git. Its files can contain keys and passwords, for example in addresses.')
        : t(
            'Some are in the folder .git. Its files can contain keys and passwords, for example in addresses.',
          );
    case 'secret':
      return count === 1
        ? t('Files with this name often contain keys or passwords.')
        : t('Files with some of these names often contain keys or passwords.');
    case 'secret-content':
      return count === 1
        ? t('It has text that looks like a key or password.')
        : t('Some have text that looks like a key or password.');
    case 'protected':
      return t('Files like this one control what tools and the editor can do on this machine.');
    case 'hidden-name':
      return t('Its path contains invisible characters.');
    case 'hidden-characters':
      return describeHidden(adds);
    case 'link':
      return count === 1 ? t('The requested path is a link.') : t('Some of the requested paths are links.');
    case 'through-link':
      return count === 1
        ? t('A folder in the requested path is a link.')
        : t('A folder in some of the requested paths is a link.');
  }
}

/** A sentence about the hidden characters of a change. */
export function describeHidden(hidden: readonly HiddenCharacter[]): string {
  const codes = joinList(firstLines([...new Set(hidden.map(({ code }) => code))], MAX_CODES));
  return hidden.some(({ kind }) => kind === 'bidirectional')
    ? t(
        'It adds characters that change the direction of text, so that code looks different from what runs: {0}',
        codes,
      )
    : t('It adds invisible characters: {0}', codes);
}

const EFFECTS: Readonly<Record<AccessPurpose, () => string>> = {
  read: () => t('The text is sent to the service.'),
  propose: () =>
    t('The file is read to find where the change belongs. You review the change before it is written.'),
  write: () => t('The change is written to the file.'),
};
