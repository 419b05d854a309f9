import * as vscode from 'vscode';
import { asArray, asString } from '../../service/json.ts';

/** The network settings of the editor that concern the requests of extensions. */
export interface EditorNetwork {
  /** Empty if not set. Can contain a password. */
  readonly proxy: string;
  readonly proxySupport: string;
  readonly noProxy: readonly string[];
  readonly hasProxyAuthorization: boolean;
  readonly strictSsl: boolean;
  readonly systemCertificates: boolean;
}

export function readEditorNetwork(): EditorNetwork {
  // A settings file can have any value.
  const get = (name: string): unknown => vscode.workspace.getConfiguration('http').get(name);
  return {
    proxy: (asString(get('proxy')) ?? '').trim(),
    proxySupport: asString(get('proxySupport')) ?? 'override',
    noProxy: (asArray(get('noProxy')) ?? []).filter((one) => typeof one === 'string'),
    hasProxyAuthorization: Boolean(get('proxyAuthorization')),
    strictSsl: get('proxyStrictSSL') !== false,
    systemCertificates: get('systemCertificates') !== false,
  };
}
