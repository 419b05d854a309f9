/** Asks for API keys, and saves them. */
import * as vscode from 'vscode';
import { environmentVariableFor, isUnencrypted } from '../../service/address.ts';
import { parseKey } from '../../service/apiKey.ts';
import { createKeyMask } from '../../service/keyMask.ts';
import type { Route } from '../../service/types.ts';
import { askForInput, askInDialog, showError } from '../base/notifications.ts';
import { joinSentences } from '../base/sentences.ts';
import { readSettings } from '../settings/settings.ts';
import { describeLostKey } from '../wording/refusalWords.ts';
import type { Keys } from './keys.ts';
import { tellRouteGone } from './shownRefusals.ts';

const t = vscode.l10n.t;

export const keyProblem = () =>
  t('An API key can contain only ASCII letters, digits, and symbols, without spaces or line breaks.');

/** Asks for the key of a route and saves it. Returns whether a key was saved. */
export async function setKey(keys: Keys, route: Route): Promise<boolean> {
  const found = await keys.find(route);
  const isLost = !found.found && found.why === 'lost';
  const entered = await askForInput({
    title: t('API key for route “{0}”', route.name),
    prompt: joinSentences([isLost ? describeLostKey(route) : '', keyPrompt(route.origin)]),
    ...(found.found && { placeHolder: t('found in: {0}', keyPlaceOf(found.source, route)) }),
    password: true,
    validateInput: (text) => (parseKey(text) === undefined ? keyProblem() : undefined),
  });
  if (entered === undefined) return false;
  const key = parseKey(entered);
  // An input box can be accepted before its text is checked.
  if (key === undefined) void showError(keyProblem());
  if (key === undefined || key === '') return false;
  // If the route has another name or address by now, the key would never be found.
  const isSame = ({ name, origin }: Route) => name === route.name && origin === route.origin;
  if (!readSettings().routes.some(isSame)) {
    tellRouteGone();
    return false;
  }
  return saveKey(keys, route, key);
}

/** Where a key was found. */
export const keyPlaceOf = (source: 'stored' | 'environment', route: Route): string =>
  source === 'stored' ? t('secret storage') : environmentVariableFor(route);

/** The text of an input for a key. */
export function keyPrompt(origin: string): string {
  const prompt = t(
    'The API key for {0}. It is stored in the editor’s secret storage and sent only to this address.',
    origin,
  );
  if (!isUnencrypted(origin)) return prompt;
  return joinSentences([prompt, t('Unencrypted HTTP to another machine: the API key can be intercepted.')]);
}

/** Asks before a key is sent over plain HTTP to another machine. */
export async function confirmUnencrypted(origin: string): Promise<boolean> {
  const send = t('Use Unencrypted HTTP');
  const chosen = await askInDialog(
    t('Send the API key over unencrypted HTTP?'),
    t(
      'Anyone on the network between this machine and {0} can read the API key, the questions, and the answers. Use an address that starts with https:// if there is one.',
      origin,
    ),
    t('Don’t Send'),
    send,
  );
  return chosen === send;
}

/** Returns whether the key was saved. If not, the user is told. */
export async function saveKey(keys: Keys, route: Route, key: string): Promise<boolean> {
  try {
    await keys.save(route, key);
    return true;
  } catch (error) {
    tellUnsaved(route, createKeyMask(key).text(String(error)));
    return false;
  }
}

/** @param error without the key */
export function tellUnsaved(route: Route, error: string): void {
  const message = t(
    'The editor’s secret storage didn’t save the API key for route “{0}” ({1}). Unlock the system keyring and try again, or set the environment variable {2}.',
    route.name,
    error,
    environmentVariableFor(route),
  );
  void showError(message);
}
