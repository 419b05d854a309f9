/** A sentence about a feature that a route lacks. The other texts about a probe are loaded with it. */
import * as vscode from 'vscode';
import type { CheckId, CheckResult } from '../../probe/probe.ts';

const t = vscode.l10n.t;

/** The day of a probe, in the display language. */
export const probeDay = (at: number): string =>
  new Date(at).toLocaleDateString(vscode.env.language, { dateStyle: 'medium' });

/** The request fields that some routes refuse, instead of ignoring them. */
const REFUSED: Partial<Readonly<Record<CheckId, string>>> = {
  json: 'response_format',
  schema: 'json_schema',
  effort: 'reasoning_effort',
};

/** The field if a route refuses only the lower effort. */
const LOW_EFFORT = 'reasoning_effort=low';

/** A sentence about what a route lacks; empty for a check that restricts nothing. */
export function describeLack(routeName: string, { check, at, seen }: Omit<CheckResult, 'verdict'>): string {
  const day = probeDay(at);
  const field = seen.kind === 'refused' ? REFUSED[check] : undefined;
  const refused = field && (seen.values[1] === 'max' ? LOW_EFFORT : field);
  if (refused !== undefined) return t('Route “{0}” rejects {1} (probed on {2}).', routeName, refused, day);
  switch (check) {
    case 'images':
      return t('Route “{0}” doesn’t accept images (probed on {1}).', routeName, day);
    case 'tools':
      return t('Route “{0}” doesn’t accept tools (probed on {1}), so no tools are sent.', routeName, day);
    case 'json':
      return t('Route “{0}” doesn’t follow the answer format {1} (probed on {2}).', routeName, 'JSON', day);
    case 'schema':
      return t(
        'Route “{0}” doesn’t follow the answer format {1} (probed on {2}).',
        routeName,
        t('JSON with a schema'),
        day,
      );
    case 'effort':
      return t('Route “{0}” ignores the effort (probed on {1}).', routeName, day);
    default:
      return '';
  }
}
