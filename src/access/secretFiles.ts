/**
 * Files whose names suggest that they contain secrets. They are not sent unless the user asks for it. The names are those
 * that the tools document for their keys and passwords.
 */

import { toPlainPath } from './plainPath.ts';
import { isShortFor, isShortForEnding, isShortForStart } from './shortNames.ts';

const NAMES: readonly RegExp[] = [
  // Variables of the environment: dotenv, direnv, and Wrangler.
  /^\.env(?:[._-].+)?$/,
  /^.+\.env$/,
  /^\.envrc$/,
  /^\.dev\.vars(?:\..+)?$/,
  // Passwords and tokens of tools: Git, curl, npm, PyPI, PostgreSQL, MySQL, Apache, S3cmd, Vault, Docker, and others.
  /^(?:\.git-credentials|[._]netrc|\.npmrc|\.pypirc|\.pgpass|\.my\.cnf|\.htpasswd|\.s3cfg|\.boto)$/,
  /^(?:\.vault-token|\.dockercfg|\.terraformrc|\.databrickscfg|\.mylogin\.cnf|kaggle\.json|rclone\.conf)$/,
  /^(?:\.vault_pass(?:\.txt)?|\.clasprc\.json)$/,
  // Code files with this name, as with “secrets”, are about credentials and don't contain them.
  /^credentials(?:\.(?!(?:[cm]?[jt]sx?|cc?|cpp|cs|dart|exs?|go|h|hpp|java|kts?|mm?|php|py|rb|rs|scala|svelte|swift|vue)$)\w+|\.tfrc\.json)?$/,
  // Also of dynaconf, and of act, whose name has no extension.
  /^\.?secrets?\.(?:json|ya?ml|toml|env)$/,
  /^\.secrets$/,
  // Private keys and stores of keys, and their passwords: OpenSSH, PuTTY, Apple, Java, Android, KeePass, age, Kerberos, and OpenVPN.
  /^id_(?:rsa|dsa|ecdsa|ed25519|xmss|\w+_sk)$/,
  /^.+\.(?:pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx|agekey|keytab|ovpn)$/,
  /^key(?:store)?\.properties$/,
  // Terraform writes secrets to its state in plain text.
  /^.+\.(?:tfvars|tfvars\.json|tfstate)$/,
  // Keys of service accounts and clients of Google Cloud and Firebase, and settings of Azure Functions.
  /^(?:service[-_]?account|client_secret).*\.json$/,
  /^(?:application_default_credentials|local\.settings)\.json$/,
  /^(?:kubeconfig|.+\.kubeconfig|(?:.+-)?kubeconfig\.ya?ml)$/,
];

/** Files with a common name, in a folder of a tool: Docker, Kubernetes, GitHub CLI, and Kamal. */
const PLACES =
  /(?:^|\/)(?:\.docker\/config\.json|\.kube\/config|\.config\/gh\/hosts\.yml|\.kamal\/secrets(?:[-.]\w+)?)$/;

/**
 * The same names, for which Windows has short ones (`shortNames.ts`). Other names are short already, or keep the extension that
 * identifies them.
 */
const LONG_NAMES = [
  ...['.env', '.envrc', '.dev.vars', '.git-credentials', '.netrc', '.npmrc', '.pypirc', '.pgpass'],
  ...['.my.cnf', '.htpasswd', '.s3cfg', '.boto', '.vault-token', '.dockercfg', '.terraformrc'],
  ...['.databrickscfg', 'id_ed25519', 'secrets.json', 'secrets.yaml', 'secrets.toml', 'kubeconfig'],
  ...['application_default_credentials.json', 'local.settings.json', 'service-account.json'],
  ...['service_account.json', 'client_secret.json', 'key.properties', 'keystore.properties'],
  ...['.secrets', '.secrets.toml', '.secrets.yaml', '.secrets.yml', '.secrets.json'],
  ...['kubeconfig.yaml', 'kubeconfig.yml'],
  ...['.mylogin.cnf', 'kaggle.json', 'rclone.conf', '.vault_pass', '.vault_pass.txt'],
  '.clasprc.json',
];
const LONG_STARTS = ['.env.', '.env-', '.env_', '.dev.vars.', 'credentials'];
/** `.tfvars.json` has the same short names as the key of Firebase. */
const LONG_ENDINGS = [
  '.kdbx',
  '.agekey',
  '.keytab',
  '.ovpn',
  '.tfvars',
  '.tfvars.json',
  '.tfstate',
  '.tfstate.backup',
  '.kubeconfig',
  '_sk',
];

/** The folders and names of `PLACES`. */
const LONG_PLACES = [
  ['.docker', 'config.json'],
  ['.kube', 'config'],
  ['.config', 'gh', 'hosts.yml'],
  ['.kamal', 'secrets'],
];

/** A part of the name of a Firebase key. The name ends in `.json`. */
const FIREBASE = '-firebase-adminsdk-';

/** Suffixes that editors and tools append to the name of a copy. */
const COPIES = ['~', '.bak', '.backup', '.old', '.orig', '.save', '.swp'];

/**
 * Words that the editor and operating systems add to the name of a copy, in their languages, or of a file that was downloaded
 * again.
 */
const COPY = '(?:[ck][oó]p(?:y|ie?|ia|ya)|másolat|копия|コピー|副本|复制|拷贝|複製|拷貝|複本|복사본|사본)';
const COPY_MARK = new RegExp(
  `(?:(?: [-–—])? ${COPY}| ?[の的]${COPY}\\d{0,3}| \\((?:[^()/]{1,20} )?${COPY}(?: \\d{1,3})?\\))?(?: \\d{1,3}| \\(\\d{1,3}\\))?(\\.[a-z]+)?$`,
);
const COPY_OF = new RegExp(`(?<=^|/)${COPY} (?:[^\\s/]{1,4} )?(?=[^/]+$)`);

/** Templates have no secrets. */
const TEMPLATES = /(?:^|[._-])(?:example|sample|template|dist|defaults?)(?:\.(?:env|json|ya?ml|toml))?$/;

/** @param path with `/` as separator, or with backslashes; compared case-insensitively */
export const isSecretFile = (path: string): boolean => isSecretPath(path) || isSecretPath(toPlainPath(path));

function isSecretPath(path: string): boolean {
  // The disks of macOS can store letters separately from their diacritics.
  const original = originalOf(path.normalize().toLowerCase());
  const name = original.slice(original.lastIndexOf('/') + 1);
  if (TEMPLATES.test(name)) return false;
  const isKnown = PLACES.test(original) || isFirebaseKey(name) || NAMES.some((one) => one.test(name));
  return isKnown || (original.includes('~') && isShortSecret(original, name));
}

const isShortSecret = (path: string, name: string): boolean =>
  LONG_NAMES.some((long) => isShortFor(name, long)) ||
  LONG_STARTS.some((start) => isShortForStart(name, start)) ||
  LONG_ENDINGS.some((ending) => isShortForEnding(name, ending)) ||
  LONG_PLACES.some((place) => {
    const parts = path.split('/').slice(-place.length);
    return place.every((long, at) => parts[at] === long || isShortFor(parts[at] ?? '', long));
  });

function isFirebaseKey(name: string): boolean {
  const at = name.indexOf(FIREBASE, 1);
  return at !== -1 && name.endsWith('.json') && at + FIREBASE.length < name.length - '.json'.length;
}

/** The path of the original, if a path is that of a copy, or of a copy of a copy. */
function originalOf(path: string): string {
  let end = path.length;
  const ending = () => COPIES.find((one) => path.endsWith(one, end));
  for (let copy = ending(); copy !== undefined; copy = ending()) end -= copy.length;
  return path.slice(0, end).replace(COPY_MARK, '$1').replace(COPY_OF, '');
}
