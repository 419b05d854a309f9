/**
 * Whether a text has keys or passwords in a known format. The formats are those of secretlint, which is loaded when a
 * text is first checked. Passwords without a format of their own are not found.
 */
import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { setImmediate as pause } from 'node:timers/promises';
import { isNotebookPath, stringsInNotebook } from './notebookStrings.ts';

/** A long text is checked in pieces of this many characters, so that the extension host can do other work in between. */
const PIECE = 100_000;
/** The number of characters at the end of a piece that are checked again with the next one. A private key is shorter. */
const OVERLAP = 8_000;

/** Results by the hash of the text, because the same files are read again for each message. */
const known = new Map<string, boolean>();
const MAX_KNOWN = 5000;

/**
 * @param path the path of the text: a key of a service account is recognized only in a JSON file, and in the file of a notebook, its
 * cells are searched as well
 */
export async function hasSecrets(text: string, path: string): Promise<boolean> {
  const isJson = extname(path).toLowerCase() === '.json';
  const isNotebook = isNotebookPath(path);
  const hash = createHash('sha256').update(`${isJson} ${isNotebook}\n${text}`).digest('base64');
  const earlier = known.get(hash);
  if (earlier !== undefined) return earlier;
  const found = (await check(text, isJson)) || (isNotebook && (await check(stringsInNotebook(text), false)));
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(hash, found);
  return found;
}

/**
 * The same for a unified diff. Also checks the text before and after the change, because the signs in front of the lines hide a
 * key of several lines.
 */
export async function hasSecretsInDiff(diff: string, path: string): Promise<boolean> {
  for (const text of [diff, sideOfDiff(diff, '-'), sideOfDiff(diff, '+')])
    if (await hasSecrets(text, path)) return true;
  return false;
}

/**
 * Whether a diff of a file with secrets may show a part of a private key. A part alone isn't recognized as a key, not even in the
 * lines around a change.
 *
 * @param path as for `hasSecrets`
 */
export function showsKeyLines(diff: string, path: string): boolean {
  return [diff, ...(isNotebookPath(path) ? [stringsInNotebook(diff, false)] : [])]
    .flatMap((text) => text.split('\n'))
    .map((line) => line.replace(/^[ +-]/, '').trim())
    .some((line) => /^[A-Za-z0-9+/]{40,}={0,2}$/.test(line) || line.startsWith('-----END '));
}

/** The same as `hasSecrets` for a part of a text, which may contain a part of a private key. */
export async function hasSecretsInPart(part: string, whole: string, path: string): Promise<boolean> {
  return (await hasSecrets(part, path)) || (showsKeyLines(part, path) && (await hasSecrets(whole, path)));
}

/** The lines of a diff that were there before (`-`) or are there after (`+`) the change, as they are in the file. */
export function sideOfDiff(diff: string, sign: '-' | '+'): string {
  const lines: string[] = [];
  let inHunk = false;
  for (const line of diff.split('\n')) {
    // Lines of the file begin with a sign or a space here, so none of them is mistaken for a header.
    if (/^(?:@@|diff )/.test(line)) inHunk = line.startsWith('@@');
    else if (inHunk && (line.startsWith(sign) || line.startsWith(' '))) lines.push(line.slice(1));
  }
  return lines.join('\n');
}

async function check(text: string, isJson: boolean): Promise<boolean> {
  scanner ??= loadScanner();
  const hasSecretsIn = await scanner.catch((error: unknown) => {
    // The next text tries again.
    scanner = undefined;
    throw error;
  });
  for (const one of readingsOf(text))
    for (let at = 0; at === 0 || at + OVERLAP < one.length; at += PIECE - OVERLAP) {
      // Awaiting the scanner doesn't let anything else run.
      if (at > 0) await pause();
      if (await hasSecretsIn(one.slice(at, at + PIECE), isJson)) return true;
    }
  return false;
}

/**
 * If ASCII is read as UTF-16, each character stands for two letters. `PAIRS` matches such characters, which are of other scripts, and
 * `LETTERS` matches the letters.
 */
const PAIRS = /[\u0909-\u7e7e]{12}/;
const LETTERS = /[\t\n\r -~]{24}/;

/**
 * A text, and the texts of its bytes if they were read as UTF-16, in both byte orders: a workspace can declare this encoding for
 * its files (`files.encoding`), and no key would be found.
 */
function readingsOf(text: string): readonly string[] {
  if (!PAIRS.test(text)) return [text];
  const bytes = Buffer.from(text, 'utf16le');
  const letters = bytes.toString('latin1');
  return LETTERS.test(letters) ? [text, letters, bytes.swap16().toString('latin1')] : [text];
}

type Scanner = (text: string, isJson: boolean) => Promise<boolean>;

let scanner: Promise<Scanner> | undefined;

/** A rule with which a comment in a text turns the other rules off. */
const COMMENTS = '@secretlint/secretlint-rule-filter-comments';

async function loadScanner(): Promise<Scanner> {
  const [{ lintSource }, preset, { secretLintProfiler }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
    import('@secretlint/profiler'),
  ]);
  // It would keep about a hundred entries in memory for each text.
  secretLintProfiler.setEnabled(false);
  const rules = preset.rules
    .filter(({ meta }) => meta.id !== COMMENTS)
    .map((rule) => ({ id: rule.meta.id, rule }));
  return async (content, isJson) => {
    // With other extensions, rules read a file from the disk.
    const ext = isJson ? '.json' : '';
    try {
      const { messages } = await lintSource({
        source: { content, filePath: `text${ext}`, ext, contentType: 'text' },
        options: { config: { rules }, noPhysicFilePath: true },
      });
      return messages.length > 0;
    } catch {
      // A text that can't be checked could have secrets.
      return true;
    }
  };
}
