/** Notifications about requests that were not sent, each with a button for the next step. */
import * as vscode from 'vscode';
import { whyNoRoute } from '../../requests/credentials.ts';
import type { Refusal } from '../../requests/refusal.ts';
import { type OfferedCommand, offerCommands, showWarning } from '../base/notifications.ts';
import { changeRoute, hasRoute, writeActiveRoute } from '../settings/routeSettings.ts';
import { readSettings } from '../settings/settings.ts';
import { describeRefusal } from '../wording/refusalWords.ts';
import type { Routes } from './routes.ts';

const t = vscode.l10n.t;

/** Shows why nothing was sent, with a button for the command that helps. @param more other buttons */
export async function showRefusal(refusal: Refusal, ...more: OfferedCommand[]): Promise<void> {
  const message = describeRefusal(refusal);
  switch (refusal.kind) {
    case 'no-route':
      return offerCommands(
        showWarning,
        message,
        [t('Add Route…'), 'k3.addRoute'],
        [t('Try the Demo (No Key)'), 'k3.tryDemo'],
        ...more,
      );
    case 'no-key':
      return offerCommands(
        showWarning,
        message,
        [t('Set API Key…'), 'k3.setKey', refusal.route.name],
        ...more,
      );
    case 'setting':
      return offerCommands(
        showWarning,
        message,
        [t('Open Settings'), 'workbench.action.openSettings', refusal.problem.setting],
        ...(refusal.problem.problem === 'unknown-route'
          ? ([[t('Switch Route…'), 'k3.switchRoute']] as const)
          : []),
        ...more,
      );
    default:
      return offerCommands(showWarning, message, ...more);
  }
}

/** Says that a route was renamed or removed since its name was shown. Not awaited: the command ends while the notification is shown. */
export const tellRouteGone = (): void => void showWarning(t('The route was changed or removed.'));

/** Changes a route. If it is gone, tells the user and returns false. */
export async function changeIfThere(...change: Parameters<typeof changeRoute>): Promise<boolean> {
  const isThere = await changeRoute(...change);
  if (!isThere) tellRouteGone();
  return isThere;
}

/**
 * Makes a route the active one, also in place of the demo. If it is gone, tells the user and returns false.
 *
 * @param chosen called before the setting is written, if the route exists
 */
export async function activateIfThere(
  name: string,
  routes: Pick<Routes, 'useDemo'>,
  chosen: () => void = () => undefined,
): Promise<boolean> {
  if (!hasRoute(name)) {
    tellRouteGone();
    return false;
  }
  chosen();
  await writeActiveRoute(name);
  // Not earlier: until the setting is written, the active route of the settings is the previous one, which the user has not chosen.
  routes.useDemo(undefined);
  return true;
}

/** Shown by commands that need an active route if there is none. */
export const showNoRoute = (): Promise<void> => showRefusal(whyNoRoute(readSettings().problems));
