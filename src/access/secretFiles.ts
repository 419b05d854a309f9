/**
 * Files whose names suggest that they contain secrets. They are not sent unless the user asks for it. The names are those
 * that the tools document for their keys and passwords.
 */

import { toPlainPath } from './plainPath.ts';

const NAMES: readonly RegExp[] = [
  // Variables of the environment: dotenv, direnv, and Wrangler.
  /^\.env(?:[._-].+)?$/,
  /^.+\.env$/,
  /^\.envrc$/,
  /^\.dev\.vars(?:\..+)?$/,
  // Passwords and tokens of tools: Git, curl, npm, PyPI, PostgreSQL, MySQL, Apache, S3cmd, Vault, Docker, and others.
  /^(?:\.git-credentials|[._]netrc|\.npmrc|\.pypirc|\.pgpass|\.my\.cnf|\.htpasswd|\.s3cfg|\.boto)$/,
  /^(?:\.vault-token|\.dockercfg|\.terraformrc|\.databrickscfg)$/,
  /^credentials(?:\.\w+)?$/,
  /^secrets?\.(?:json|ya?ml|toml|env)$/,
  // Private keys and stores of keys: OpenSSH, PuTTY, Apple, Java, KeePass, and age.
  /^id_(?:rsa|dsa|ecdsa|ed25519|xmss|\w+_sk)$/,
  /^.+\.(?:pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx|agekey)$/,
  // Terraform writes secrets to its state in plain text.
  /^.+\.(?:tfvars|tfvars\.json|tfstate)$/,
  // Keys of service accounts and clients of Google Cloud and Firebase, and settings of Azure Functions.
  /^(?:service[-_]?account|client_secret).*\.json$/,
  /^(?:application_default_credentials|local\.settings)\.json$/,
  /^(?:kubeconfig|.+\.kubeconfig)$/,
];

/** Files with a common name, in a folder of a tool. */
const PLACES = /(?:^|\/)(?:\.docker\/config\.json|\.kube\/config|\.config\/gh\/hosts\.yml)$/;

/** In the name of a key of Firebase, which ends in `.json`. */
const FIREBASE = '-firebase-adminsdk-';

/** What editors and tools append to the name of a copy. */
const COPIES = ['~', '.bak', '.backup', '.old', '.orig', '.save', '.swp'];

/** Templates have no secrets. */
const TEMPLATES = /(?:^|[._-])(?:example|sample|template|dist|defaults?)(?:\.(?:env|json|ya?ml|toml))?$/;

/** @param path with `/` as separator, or with backslashes; compared case-insensitively */
export const isSecretFile = (path: string): boolean => isSecretPath(path) || isSecretPath(toPlainPath(path));

function isSecretPath(path: string): boolean {
  const original = originalOf(path.toLowerCase());
  const name = original.slice(original.lastIndexOf('/') + 1);
  if (TEMPLATES.test(name)) return false;
  return PLACES.test(original) || isFirebaseKey(name) || NAMES.some((one) => one.test(name));
}

function isFirebaseKey(name: string): boolean {
  const at = name.indexOf(FIREBASE, 1);
  return at !== -1 && name.endsWith('.json') && at + FIREBASE.length < name.length - '.json'.length;
}

/** The path that a path is a copy of, or of whose copy it is one. */
function originalOf(path: string): string {
  let end = path.length;
  const ending = () => COPIES.find((one) => path.endsWith(one, end));
  for (let copy = ending(); copy !== undefined; copy = ending()) end -= copy.length;
  return path.slice(0, end);
}
