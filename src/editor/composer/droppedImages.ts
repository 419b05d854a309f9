/** Asks before an image is attached that the active route drops, as a probe has seen. */
import * as vscode from 'vscode';
import { askInDialog } from '../base/notifications.ts';
import type { RouteProbes } from '../connection/routeProbes.ts';
import { describeLack } from '../wording/probeWords.ts';

const t = vscode.l10n.t;

/** Undefined if nothing has to be asked. The user is asked once for each probe, in this window. */
export function createDroppedImages(probes: Pick<RouteProbes, 'lackOf'>): () => Promise<boolean> | undefined {
  const agreed = new Set<string>();
  return () => {
    const lack = probes.lackOf('images');
    if (lack === undefined) return undefined;
    const id = `${lack.result.at} ${lack.routeName}`;
    return agreed.has(id) ? undefined : ask(id, describeLack(lack.routeName, lack.result));
  };

  async function ask(id: string, why: string): Promise<boolean> {
    const attach = t('Attach Anyway');
    const again = t('If the route has changed since then, run “K3: Probe Route” again.');
    const chosen = await askInDialog(why, again, t('Don’t Attach'), attach);
    if (chosen === attach) agreed.add(id);
    return chosen === attach;
  }
}
