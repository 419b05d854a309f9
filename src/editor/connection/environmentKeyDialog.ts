import * as vscode from 'vscode';
import { environmentVariableFor } from '../../service/address.ts';
import type { Route } from '../../service/types.ts';
import { askInDialog } from '../base/notifications.ts';

const t = vscode.l10n.t;

/** Asks whether the API key of the environment may be sent to the origin of a route. */
export async function confirmEnvironmentKey(route: Route): Promise<boolean> {
  const send = t('Send Key');
  const chosen = await askInDialog(
    t('Send the API key to {0}?', route.origin),
    t(
      'The key is in the environment variable {0}, which doesn’t say which address it is for. If you send it, this address is remembered. To use another key, select Don’t Send and run “K3: Set API Key…”.',
      environmentVariableFor(route),
    ),
    t('Don’t Send'),
    send,
  );
  return chosen === send;
}
