/** Failures whose response is a web page, which is not from the service. */
import * as vscode from 'vscode';
import type { Failure } from '../../service/errors.ts';

const t = vscode.l10n.t;

export const isPage = ({ details }: Failure): boolean =>
  details.excerpt?.trimStart().startsWith('<') ?? false;

/** Whether another key can help. A web page doesn't depend on the key. */
export const isOfKey = (failure: Failure): boolean =>
  failure.kind === 'bad-key' || (failure.kind === 'access-denied' && !isPage(failure));

/** The text about a web page that refuses access. */
export const describePage = ({ details }: Failure, { routeName }: { readonly routeName: string }) => ({
  title: t('Access denied'),
  body: [
    t(
      'The address returned {0} with a web page, which can be from a firewall or a proxy. Ask its administrator to allow the address of route “{1}”.',
      details.status ?? 403,
      routeName,
    ),
  ],
});
