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
    // The same file on some disks.
    '.env::$DATA',
    'keys/.env. .',
    'SERVER.PEM:other',
    'src\\.e\u200cnv',
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
    'nonlocal.settings.json',
    'local.settings.json.md',
    'src/client_secret.ts',
    'settings.json',
    'main.tf',
    'notes.old',
  ])
    it(`do not include ${path}`, () => assert.equal(isSecretFile(path), false));

  it('include the key of an example', () => {
    for (const path of ['server.example.key', 'example.pem']) assert.equal(isSecretFile(path), true, path);
  });

  it('are told in time in proportion to the length of a path, which a model can give', () => {
    for (const part of ['~', '.bak', '-firebase-adminsdk-', '/', '.env'])
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
