/** Files that hold secrets by what they are called: their content is not sent without being asked for. */

const SECRET_NAMES =
  /^(?:\.env(?:\..+)?|\.envrc|\.netrc|\.npmrc|\.pypirc|\.pgpass|\.htpasswd|id_(?:rsa|dsa|ecdsa|ed25519)|credentials(?:\.\w+)?|secrets?\.(?:json|ya?ml|toml|env)|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|tfvars))$/i;

/** Templates are there to be read. */
const TEMPLATES = /\.(?:example|sample|template|dist|defaults?)$/i;

/** @param path with `/` between its parts */
export function isSecretFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return SECRET_NAMES.test(name) && !TEMPLATES.test(name);
}
