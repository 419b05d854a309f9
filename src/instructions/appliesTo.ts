/** Which files the globs of an instruction file (`applyTo`) match, as the editor's own chat interprets them. */
import ignore from 'ignore';

/** Globs that are longer, or have more alternatives or wildcards, match nothing: they were probably written to take long. */
const MAX_LENGTH = 500;
const MAX_ALTERNATIVES = 100;
const MAX_WILDCARDS = 8;

/** These also apply to questions that are about no file. */
const ALWAYS: readonly string[] = ['**', '**/*', '*'];

/**
 * Whether globs apply to a question.
 *
 * @param applyTo globs, separated by commas
 * @param paths the files that the question is about, relative to the workspace folder, with `/` as separator
 */
export function appliesTo(applyTo: string, paths: readonly string[]): boolean {
  if (applyTo.length > MAX_LENGTH) return false;
  return splitOutside(applyTo).some((one) => {
    const glob = one.trim();
    if (ALWAYS.includes(glob)) return true;
    if (glob === '' || paths.length === 0) return false;
    const all = withoutBraces(glob);
    if (all === undefined || all.some((each) => (each.match(/\*+|\?|\[/g) ?? []).length > MAX_WILDCARDS))
      return false;
    const rules = ignore().add(all.map(toRule));
    return paths.some((path) => path !== '' && rules.ignores(path));
  });
}

/** A rule of an ignore file for a glob: anywhere in the workspace, unless it begins with a slash. */
const toRule = (glob: string): string =>
  glob.startsWith('/') || glob.startsWith('**/') ? glob : `**/${glob.replace(/^([!#])/, '\\$1')}`;

/** The parts of a text between the commas that aren't in braces. */
function splitOutside(text: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of text) {
    if (letter === '{') depth++;
    if (letter === '}') depth--;
    if (letter === ',' && depth <= 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts;
}

/** Expands the braces of a glob to one glob for each combination of alternatives. Undefined if there are too many. */
function withoutBraces(glob: string): readonly string[] | undefined {
  let done: readonly string[] = [''];
  let rest = glob;
  while (rest !== '') {
    const at = rest.indexOf('{');
    const end = at === -1 ? -1 : rest.indexOf('}', at);
    const plain = end === -1 ? rest : rest.slice(0, at);
    const choices = end === -1 ? [''] : rest.slice(at + 1, end).split(',');
    if (done.length * choices.length > MAX_ALTERNATIVES) return undefined;
    done = done.flatMap((head) => choices.map((choice) => head + plain + choice));
    rest = end === -1 ? '' : rest.slice(end + 1);
  }
  return done;
}
