import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isSecretFile } from '../../../src/access/secretFiles.ts';
import { growthOf, LINEAR } from '../../support/growth.ts';

describe('Files that may contain secrets, by their names', () => {
  for (const path of [
    '.env',
    'a/.env.local',
    '.env~',
    '.env.bak',
    '.env-prod',
    '.env_prod',
    'deploy/prod.env',
    '.git-credentials',
    '.GIT-CREDENTIALS',
    'terraform.tfstate',
    'terraform.tfstate.backup',
    'prod.tfvars',
    'prod.auto.tfvars.json',
    'AuthKey_AB12.p8',
    'server.ppk',
    'tls/server.key',
    'server.key.orig',
    'x/cert.PEM',
    'id_rsa',
    'id_rsa~',
    'id_ed25519_sk',
    'id_ecdsa_sk',
    '/home/me/.docker/config.json',
    '/home/me/.kube/config',
    '.kamal/secrets',
    'apps/web/.kamal/secrets-common',
    '.kamal/secrets.production',
    '.clasprc.json',
    'kubeconfig',
    'dev.kubeconfig',
    'application_default_credentials.json',
    'service-account.json',
    'service-account-prod.json',
    'serviceAccountKey.json',
    'client_secret_123.apps.googleusercontent.com.json',
    'shop-firebase-adminsdk-ab1.json',
    '.dev.vars',
    '.dev.vars.production',
    'local.settings.json',
    '.npmrc',
    'secrets.yaml',
    '_netrc',
    'android/key.properties',
    'keystore.properties',
    'http.keytab',
    'office.ovpn',
    '.mylogin.cnf',
    '.kaggle/kaggle.json',
    'rclone.conf',
    '.vault_pass',
    'ansible/.vault_pass.txt',
    // As act, dynaconf, Terraform, and hosts of clusters name them.
    '.secrets',
    '.secrets.toml',
    'config/.secrets.yml',
    'credentials.csv',
    'credentials.txt',
    'credentials.sh',
    '.terraform.d/credentials.tfrc.json',
    'kubeconfig.yaml',
    'k8s-1-fra1-kubeconfig.yml',
    'KEYSTO~1.PRO',
    'HTTPSE~1.KEY',
    'OFFICE~1.OVP',
    'RCLONE~1.CON',
    // Copies, as the editor and the systems name them, and files that were downloaded twice.
    '.env copy',
    'a/.env copy 2',
    '.env (copy 2)',
    '.env (another copy)',
    'id_rsa (3rd copy)',
    '.env copy.local',
    'secrets copy.json',
    '.env - Copy',
    'secrets - Copy (2).yaml',
    '.env (copy)',
    'id_rsa copy.bak',
    'credentials (1).json',
    '/home/me/.docker/config copy.json',
    // In other languages.
    '.env - Kopie',
    'id_rsa (Kopie)',
    'id_rsa (2. Kopie)',
    'id_rsa (autre copie)',
    'secrets - copia (2).yaml',
    '.npmrc cópia 2',
    '.npmrc co\u0301pia',
    'credentials — копия.json',
    '.envのコピー',
    'a/.envのコ\u30d2\u309aー2',
    '.env - 副本',
    '.env的副本',
    '.env 복사본',
    'a/Copy of credentials.json',
    'Kopie von .npmrc',
    // The same file on some disks.
    '.env::$DATA',
    'keys/.env. .',
    'SERVER.PEM:other',
    'src\\.e\u200cnv',
    'id_rſa',
    // A file of its own on others.
    'a:b.pem',
  ])
    it(`include ${path}`, () => assert.equal(isSecretFile(path), true));

  for (const path of [
    '.env.example',
    '.env-sample',
    'example.env',
    '.env.local.template',
    'service-account.example.json',
    'terraform.tfvars.example',
    'src/env.ts',
    'src/environment.env.ts',
    'keys.ts',
    'id_rsa.pub',
    'id_card.ts',
    'monkey',
    'docker/config.json',
    'config.json',
    'kube/config',
    'kubeconfig.ts',
    'my-kubeconfig',
    'src/kubeconfig.yaml.ts',
    '.secrets.baseline',
    '.secrets/readme.md',
    '.secrets.example.toml',
    'nonlocal.settings.json',
    'local.settings.json.md',
    'src/client_secret.ts',
    'settings.json',
    'main.tf',
    'notes.old',
    'monkey.properties',
    'vault_pass.ts',
    'copy.json',
    'src/env copy.ts',
    '.env copy.example',
    'credentials of 2.json',
    // Code, which searches and folders would not have.
    'src/requests/credentials.ts',
    'credentials.py',
    'app/Credentials.java',
    'internal/credentials.go',
    'Kopie.json',
    'src/Kopie von env.ts',
    'copy of a/notes.json',
  ])
    it(`do not include ${path}`, () => assert.equal(isSecretFile(path), false));

  /** As Windows makes it, in lower case; undefined for a name that needs none. */
  function shortOf(path: string): string | undefined {
    const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
    if (/^[^.]{1,8}(?:\.[^.]{1,3})?$/.test(name)) return undefined;
    const at = name.lastIndexOf('.');
    const [stem, extension] = at > 0 ? [name.slice(0, at), name.slice(at + 1)] : [name, ''];
    const dotted = extension === '' ? '' : `.${extension.slice(0, 3)}`;
    return `${path.slice(0, -name.length)}${stem.replace(/[. ]/g, '').slice(0, 6)}~1${dotted}`;
  }

  for (const path of [
    ...[
      '.env',
      '.env.local',
      '.env.production.local',
      '.env-prod',
      '.env_prod',
      '.envrc',
      '.dev.vars.production',
    ],
    ...['deploy/production.env', '.git-credentials', '.netrc', '.npmrc', '.pypirc', '.pgpass', '.my.cnf'],
    ...['.htpasswd', '.s3cfg', '.boto', '.vault-token', '.dockercfg', '.terraformrc', '.databrickscfg'],
    ...[
      'credentials',
      'credentials.json',
      'secret.json',
      'secrets.yaml',
      'id_ed25519',
      'id_ed25519_sk',
      'id_ecdsa_sk',
    ],
    ...['long-name-of-a-server.pem', 'AuthKey_AB12CD34.p8', 'release.keystore', 'passwords.kdbx', 'a.agekey'],
    ...['terraform.tfstate', 'terraform.tfstate.backup', 'prod.tfvars', 'prod.auto.tfvars.json'],
    ...['application_default_credentials.json', 'service-account-prod.json', 'serviceAccountKey.json'],
    ...['client_secret_123.apps.googleusercontent.com.json', 'shop-firebase-adminsdk-ab1.json', '.dev.vars'],
    ...['local.settings.json', 'kubeconfig', 'dev.kubeconfig', '/home/me/.docker/config.json'],
  ]) {
    const short = shortOf(path);
    it(`include ${short}, the name that Windows has for ${path}`, () => {
      assert.equal(isSecretFile(path), true);
      assert.equal(short !== undefined && isSecretFile(short), true);
    });
  }

  for (const path of [
    'DOCKER~1/config.json',
    'KUBE~1/config',
    '.config/gh/hosts.yml',
    'a\\CONFIG~1\\gh\\hosts.yml',
  ])
    it(`include ${path}, with a folder whose name is the one that Windows has`, () =>
      assert.equal(isSecretFile(path), true));

  for (const path of [
    'gh~1/config',
    'README~1.MD',
    'LONGNA~1.TS',
    'KUBE~1/config.ts',
    'a~1',
    'env~1.ts/a.ts',
  ])
    it(`do not include ${path}, a name that Windows has for another file`, () =>
      assert.equal(isSecretFile(path), false));

  it('include the key of an example', () => {
    for (const path of ['server.example.key', 'example.pem']) assert.equal(isSecretFile(path), true, path);
  });

  it('are told in time in proportion to the length of a path, which a model can give', () => {
    for (const part of ['~', '.bak', '-firebase-adminsdk-', '/', '.env', '/env~1', '~1/', ' copy', '(copy '])
      assert.ok(
        growthOf(
          (length) => `a${part.repeat(length)}x`,
          (path) => isSecretFile(path),
          8000,
        ) < LINEAR,
        part,
      );
  });

  it('include the key of Firebase with a project and an id only', () => {
    for (const [path, expected] of [
      ['a/shop-firebase-adminsdk-x1.json', true],
      ['shop-firebase-adminsdk-x1.json.bak~', true],
      ['-firebase-adminsdk-x1.json', false],
      ['shop-firebase-adminsdk-.json', false],
      ['shop-firebase-adminsdk-x1.ts', false],
    ] as const)
      assert.equal(isSecretFile(path), expected, path);
  });
});
