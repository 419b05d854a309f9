/** What a route doesn't do, in one sentence. The words of a whole probe are loaded with it. */
import * as vscode from 'vscode';
import type { CheckResult } from '../../probe/probe.ts';

const t = vscode.l10n.t;

/** The day of a probe, in the display language. */
export const probeDay = (at: number): string =>
  new Date(at).toLocaleDateString(vscode.env.language, { dateStyle: 'medium' });

/** Empty for a check that restricts nothing. */
export function describeLack(
  routeName: string,
  { check, at, seen }: Pick<CheckResult, 'check' | 'at' | 'seen'>,
): string {
  const day = probeDay(at);
  const refused = seen.kind === 'refused';
  switch (check) {
    case 'images':
      return t('The route “{0}” takes no images (probed on {1}).', routeName, day);
    case 'tools':
      return t('The route “{0}” takes no tools (probed on {1}), so none are sent.', routeName, day);
    case 'json':
      if (refused) return t('The route “{0}” refuses {1} (probed on {2}).', routeName, 'JSON', day);
      return t('The route “{0}” doesn’t keep to {1} (probed on {2}).', routeName, 'JSON', day);
    case 'schema':
      if (refused)
        return t('The route “{0}” refuses {1} (probed on {2}).', routeName, t('JSON with a schema'), day);
      return t(
        'The route “{0}” doesn’t keep to {1} (probed on {2}).',
        routeName,
        t('JSON with a schema'),
        day,
      );
    case 'effort':
      if (refused) return t('The route “{0}” refuses the effort (probed on {1}).', routeName, day);
      return t('The route “{0}” ignores the effort (probed on {1}).', routeName, day);
    default:
      return '';
  }
}
