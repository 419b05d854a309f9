import * as vscode from 'vscode';

/** The network settings of the editor that concern the requests of extensions. */
export interface EditorNetwork {
  /** Empty if not set. It can have a password. */
  readonly proxy: string;
  readonly proxySupport: string;
  readonly noProxy: readonly string[];
  readonly hasProxyAuthorization: boolean;
  readonly strictSsl: boolean;
  readonly systemCertificates: boolean;
}

export function readEditorNetwork(): EditorNetwork {
  const http = vscode.workspace.getConfiguration('http');
  return {
    proxy: (http.get<string>('proxy') ?? '').trim(),
    proxySupport: http.get<string>('proxySupport') ?? 'override',
    noProxy: http.get<readonly string[]>('noProxy') ?? [],
    hasProxyAuthorization: Boolean(http.get<string | null>('proxyAuthorization')),
    strictSsl: http.get<boolean>('proxyStrictSSL') !== false,
    systemCertificates: http.get<boolean>('systemCertificates') !== false,
  };
}
