/** A self-signed certificate for 127.0.0.1, made afresh; undefined where there is no openssl. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Authority {
  readonly key: string;
  readonly cert: string;
  readonly certFile: string;
  remove(): void;
}

export function createAuthority(): Authority | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'k3-authority-'));
  const keyFile = join(folder, 'key.pem');
  const certFile = join(folder, 'cert.pem');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    execFileSync(
      'openssl',
      // biome-ignore format: one option a line says less
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-keyout', keyFile,
        '-out', certFile, '-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'],
      { stdio: 'ignore' },
    );
  } catch {
    remove();
    return undefined;
  }
  return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8'), certFile, remove };
}
