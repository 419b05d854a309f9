/** Notifications about what was not sent, each with a button for the next step. */
import * as vscode from 'vscode';
import { whyNoRoute } from '../../requests/credentials.ts';
import type { Refusal } from '../../requests/refusal.ts';
import { offerCommands, showWarning } from '../base/notifications.ts';
import { changeRoute, hasRoute, writeActiveRoute } from '../settings/routeSettings.ts';
import { readSettings } from '../settings/settings.ts';
import { describeRefusal } from '../wording/refusalWords.ts';
import type { Routes } from './routes.ts';

const t = vscode.l10n.t;

/** Shows why nothing was sent, with a button for the command that helps. */
export async function showRefusal(refusal: Refusal): Promise<void> {
  const message = describeRefusal(refusal);
  switch (refusal.kind) {
    case 'no-route':
      return offerCommands(
        showWarning,
        message,
        [t('Add Route…'), 'k3.addRoute'],
        [t('Try the Demo (No Key)'), 'k3.tryDemo'],
      );
    case 'no-key':
      return offerCommands(showWarning, message, [t('Set API Key…'), 'k3.setKey', refusal.route.name]);
    case 'setting':
      return offerCommands(
        showWarning,
        message,
        [t('Open Settings'), 'workbench.action.openSettings', refusal.problem.setting],
        ...(refusal.problem.problem === 'unknown-route'
          ? ([[t('Switch Route…'), 'k3.switchRoute']] as const)
          : []),
      );
    default:
      await showWarning(message);
  }
}

/** Renamed or removed since a button with its name was shown. Not awaited: the command ends while this is shown. */
export const tellRouteGone = (): void => void showWarning(t('The route was changed or removed.'));

/** Changes a route. Returns false if it is gone, which the user is told. */
export async function changeIfThere(...change: Parameters<typeof changeRoute>): Promise<boolean> {
  const isThere = await changeRoute(...change);
  if (!isThere) tellRouteGone();
  return isThere;
}

/**
 * Makes a route the active one, also in place of the demo. Returns false if it is gone, which the user is told.
 *
 * @param chosen called before the setting is written, if it is there
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
  // Not before: until then, the active route of the settings is the one before, which the user has not chosen.
  routes.useDemo(undefined);
  return true;
}

/** For commands on the active route, when there is none. */
export const showNoRoute = (): Promise<void> => showRefusal(whyNoRoute(readSettings().problems));
