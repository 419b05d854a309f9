import * as vscode from 'vscode';
import type { Route, RouteKind } from '../../service/types.ts';
import { withoutIcons } from '../base/quickPicks.ts';

const t = vscode.l10n.t;

/** The kind of a route, in the display language. */
export const routeKindWord = (kind: RouteKind): string => (kind === 'direct' ? t('direct') : t('gateway'));

/** A route in a quick pick, with its kind and address. */
export const toRouteItem = ({ name, kind, root }: Route, isActive = false) => ({
  label: `${isActive ? '$(check) ' : ''}${withoutIcons(name)}`,
  description: withoutIcons(`${routeKindWord(kind)} · ${root}`),
});

/** A route and its kind: `work (direct)`. */
export const routeText = (name: string, kind: RouteKind): string => t('{0} ({1})', name, routeKindWord(kind));
