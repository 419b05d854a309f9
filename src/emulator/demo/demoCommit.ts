/** The commit message of the demo: the files of the diff in the last question, and how much changed in each. */

interface ChangedFile {
  readonly path: string;
  readonly verb: 'Add' | 'Remove' | 'Change';
  readonly added: number;
  readonly removed: number;
}

/** The demo mark is in the subject, because the commit message box may show nothing else. */
export function toDemoCommit(diff: string): string | undefined {
  const files = readDiff(diff);
  const [first, ...others] = files;
  if (first === undefined) return undefined;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const subject = `Demo answer, no model was asked: ${first.verb.toLowerCase()} ${first.path}${more}`;
  const body = files.map(
    ({ path, verb, added, removed }) => `- ${verb} ${path}: ${counted(added)} added, ${removed} removed`,
  );
  return `${subject}\n\n${body.join('\n')}`;
}

function readDiff(diff: string): readonly ChangedFile[] {
  const parts = diff.split(/^(?=--- )/m).slice(1);
  return parts.flatMap((part) => {
    const [before, after, ...lines] = part.split('\n');
    const from = pathOf(before);
    const to = pathOf(after);
    if (from === undefined && to === undefined) return [];
    const verb = from === undefined ? 'Add' : to === undefined ? 'Remove' : 'Change';
    const added = lines.filter((line) => line.startsWith('+')).length;
    const removed = lines.filter((line) => line.startsWith('-')).length;
    return [{ path: to ?? from ?? '', verb, added, removed } as const];
  });
}

/** Without the prefix that git adds; undefined if that side has no file. */
function pathOf(line: string | undefined): string | undefined {
  const path = /^(?:---|\+\+\+) (?:[a-z]\/)?([^\t]+)/.exec(line ?? '')?.[1];
  return path === '/dev/null' ? undefined : path;
}

function counted(lines: number): string {
  return `${lines} ${lines === 1 ? 'line' : 'lines'}`;
}
