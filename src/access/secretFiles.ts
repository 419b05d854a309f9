/** Files whose names suggest that they contain secrets. They are not sent unless the user asks for it. */

const SECRET_NAMES =
  /^(?:\.env(?:\..+)?|\.envrc|\.netrc|\.npmrc|\.pypirc|\.pgpass|\.htpasswd|id_(?:rsa|dsa|ecdsa|ed25519)|credentials(?:\.\w+)?|secrets?\.(?:json|ya?ml|toml|env)|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|tfvars))$/i;

/** Templates have no secrets. */
const TEMPLATES = /\.(?:example|sample|template|dist|defaults?)$/i;

/** @param path with `/` as separator */
export function isSecretFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return SECRET_NAMES.test(name) && !TEMPLATES.test(name);
}
