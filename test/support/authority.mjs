/** A private certificate authority for a run of the editor tests. It has to exist before the editor starts. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Creates authority.pem, and service.pem and service.key, which the authority has signed, in a folder.
 * @returns {Promise<{ certFile: string }>}
 */
export async function writeAuthority(/** @type {string} */ folder) {
  const { generate } = await import('selfsigned');
  const authority = await generate([{ name: 'commonName', value: 'K3 test authority' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'basicConstraints', cA: true, critical: true }],
  });
  const service = await generate([{ name: 'commonName', value: 'K3 test service' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ca: { cert: authority.cert, key: authority.private },
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: '*.k3.example' },
          ...['127.0.0.1', '127.0.0.2', '::1', '2001:db8::1'].map((ip) => ({
            type: /** @type {const} */ (7),
            ip,
          })),
        ],
      },
    ],
  });
  const certFile = join(folder, 'authority.pem');
  await writeFile(certFile, authority.cert);
  await writeFile(join(folder, 'service.pem'), service.cert);
  await writeFile(join(folder, 'service.key'), service.private);
  return { certFile };
}
