/** A new self-signed certificate for 127.0.0.1 and names under `.k3.test`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';

export interface Authority {
  readonly key: string;
  readonly cert: string;
  readonly certFile: string;
  remove(): void;
}

export async function createAuthority(): Promise<Authority> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 7, ip: '127.0.0.1' },
          { type: 2, value: '*.k3.test' },
        ],
      },
    ],
  });
  const folder = mkdtempSync(join(tmpdir(), 'k3-authority-'));
  const certFile = join(folder, 'cert.pem');
  writeFileSync(certFile, cert);
  return { key, cert, certFile, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
