/** Checks the address and the name of a route while the user enters them. */
import * as vscode from 'vscode';
import { isUnencrypted, parseEnteredAddress, withoutCredentials } from '../../service/address.ts';

const t = vscode.l10n.t;

export function checkAddress(text: string): vscode.InputBoxValidationMessage | undefined {
  const address = parseEnteredAddress(text);
  if (!address.ok)
    return {
      message: describeAddressProblem(address.problem, withoutCredentials(text.trim())),
      severity: vscode.InputBoxValidationSeverity.Error,
    };
  if (!isUnencrypted(address.root)) return undefined;
  return {
    message: t('Unencrypted HTTP to another machine: the API key can be intercepted.'),
    severity: vscode.InputBoxValidationSeverity.Warning,
  };
}

type AddressProblem = Extract<ReturnType<typeof parseEnteredAddress>, { ok: false }>['problem'];

function describeAddressProblem(problem: AddressProblem, value: string): string {
  switch (problem) {
    case 'empty':
      return t('Enter the address of the service, for example https://host/v1.');
    case 'not-an-address':
      return t('“{0}” is not a valid address. Use a form like https://host/v1.', value);
    case 'scheme':
      return t('The address must start with https:// (or http:// on this machine).');
    case 'user-info':
      return t('Remove the user name and password. The API key is entered in a later step.');
    case 'query':
      return t('Remove the query and fragment. Use only a scheme, host, and path.');
  }
}

/** @param taken the names of the other routes */
export function checkName(text: string, taken: ReadonlySet<string>): string | undefined {
  if (text.trim() === '') return t('Enter a name.');
  return taken.has(text.trim()) ? t('A route named “{0}” already exists.', text.trim()) : undefined;
}
