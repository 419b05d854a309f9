import * as vscode from 'vscode';
import { environmentVariableFor } from '../../service/address.ts';
import type { Route } from '../../service/types.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { askInDialog, offerCommands, showWarning } from '../base/notifications.ts';
import { joinSentences } from '../base/sentences.ts';
import { describeLostKey } from '../wording/refusalWords.ts';
import type { Keys } from './keys.ts';

const t = vscode.l10n.t;

/**
 * Asks whether the API key of the environment may be sent to the origin of a route.
 *
 * @param isLost whether a key was saved for the route, but is gone
 */
export async function confirmEnvironmentKey(route: Route, isLost: boolean): Promise<boolean> {
  const send = t('Send Key');
  const chosen = await askInDialog(
    t('Send the API key to {0}?', route.origin),
    joinSentences([
      isLost ? describeLostKey(route) : '',
      t(
        'The key is in the environment variable {0}, which doesn’t say which address it is for. If you send it, this address is remembered. To use another key, select Don’t Send and run “K3: Set API Key…”.',
        environmentVariableFor(route),
      ),
    ]),
    t('Don’t Send'),
    send,
  );
  return chosen === send;
}

/** Tells the user when requests are sent with the key of the environment because the saved one is gone. */
export const registerLostKeys = (keys: Keys, log: Pick<Log, 'warn'>): vscode.Disposable =>
  keys.onDidReplace((route) => inBackground(log, tellLost(route), 'telling of a lost API key'));

function tellLost(route: Route): Promise<void> {
  const message = joinSentences([
    describeLostKey(route),
    t('The key in the environment variable {0} will be used instead.', environmentVariableFor(route)),
  ]);
  return offerCommands(showWarning, message, [t('Set API Key…'), 'k3.setKey', route.name]);
}
