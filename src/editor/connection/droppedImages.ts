/** Asks before images are attached for a route, or sent to it, if a probe has seen that the route drops images. */
import * as vscode from 'vscode';
import type { RequestRoute } from '../../requests/conversationRequest.ts';
import type { Route } from '../../service/types.ts';
import { askInDialog } from '../base/notifications.ts';
import { describeLack } from '../wording/probeWords.ts';
import type { Lack, RouteProbes } from './routeProbes.ts';

const t = vscode.l10n.t;

/**
 * In each window, the user is asked until they agree, for each probe of a route. `toAttach` and `toSend` return undefined if nothing
 * has to be asked.
 */
export interface DroppedImages {
  /** Asks before an image is attached, for the active route. */
  toAttach(): Promise<boolean> | undefined;
  /** Asks before a request with images is sent. Its route can differ from the one for which they were attached. */
  toSend(route: Route): Promise<boolean> | undefined;
  /** Whether images of tools are left out. The user is not asked about them while a turn runs. */
  leavesOut(route?: RequestRoute): boolean;
}

export function createDroppedImages(probes: Pick<RouteProbes, 'lackOf'>): DroppedImages {
  const agreed = new Set<string>();
  /** The answers to open dialogs, by the question. */
  const asking = new Map<string, Promise<boolean>>();
  const idOf = ({ routeName, result }: Lack) => `${result.at} ${routeName}`;

  async function ask(id: string, { routeName, result }: Lack, no: string, yes: string): Promise<boolean> {
    const again = t('If the route has changed since then, run “K3: Probe Route” again.');
    const chosen = await askInDialog(describeLack(routeName, result), again, no, yes);
    if (chosen === yes) agreed.add(id);
    return chosen === yes;
  }

  function askAbout(lack: Lack | undefined, no: string, yes: string): Promise<boolean> | undefined {
    if (lack === undefined) return undefined;
    const id = idOf(lack);
    if (agreed.has(id)) return undefined;
    const key = `${yes} ${id}`;
    const answer = asking.get(key) ?? ask(id, lack, no, yes).finally(() => asking.delete(key));
    asking.set(key, answer);
    return answer;
  }

  return {
    toAttach: () => askAbout(probes.lackOf('images'), t('Don’t Attach'), t('Attach Anyway')),
    toSend: (route) => askAbout(probes.lackOf('images', route), t('Don’t Send'), t('Send Anyway')),
    leavesOut(route) {
      const lack = probes.lackOf('images', route);
      return lack !== undefined && !agreed.has(idOf(lack));
    },
  };
}
