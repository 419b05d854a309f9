/** Demo answers for file changes, for schemas whose files have edits with `find` and `replace`. */

import { type JsonObject, toObject } from '../json.ts';
import { DEMO_MARK } from './demoAnswers.ts';
import { type CodeChange, documentCode, fixCode, refactorCode, resolveCode, testCode } from './demoCode.ts';
import type { CodeBlock, DemoTask } from './demoTask.ts';

/** Whether a schema is for edits of files, according to its structure, not its name. */
export function asksForEdits(schema: JsonObject): boolean {
  const edit = ['properties', 'files', 'items', 'properties', 'edits', 'items', 'properties'].reduce<
    JsonObject | undefined
  >((part, key) => toObject(part?.[key]), schema);
  return edit !== undefined && 'find' in edit && 'replace' in edit;
}

interface DemoEdit {
  readonly find: string;
  readonly replace: string;
}

/** Edits for the code in the last message. */
export function toDemoProposal(task: DemoTask, text: string): object {
  const block = task.block ?? { language: '', code: '' };
  const path = task.files[0] ?? 'demo.txt';
  if (task.kind === 'test') {
    const edit = { find: '', replace: testCode(block) };
    return proposal('Tests in a separate file.', toTestPath(path), [edit]);
  }
  const remarked = readRemarks(text, block);
  if (remarked.length > 0) return proposal('Revised according to your comments.', path, remarked);
  const change = changeOf(task, block);
  const notes = change.notes.map((note) => `- ${note}`).join('\n');
  return proposal(
    notes,
    path,
    change.code === block.code ? [] : [{ find: block.code, replace: change.code }],
  );
}

function changeOf({ kind }: DemoTask, block: CodeBlock): CodeChange {
  switch (kind) {
    case 'document':
      return documentCode(block);
    case 'fix':
      return fixCode(block);
    case 'resolve':
      return resolveCode(block);
    default:
      return refactorCode(block);
  }
}

function proposal(explanation: string, path: string, edits: readonly DemoEdit[]): object {
  return { explanation: `> ${DEMO_MARK}\n\n${explanation}`, files: [{ path, edits }] };
}

function toTestPath(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot <= path.lastIndexOf('/') ? `${path}.test` : `${path.slice(0, dot)}.test${path.slice(dot)}`;
}

const REMARK = /^(Remark|Not decided yet)\b[^\n]*:\n\n(`{3,})diff\n([\s\S]*?)\n\2\n\n([^\n]+)/gm;

/** For each hunk of a review: the proposed lines with the user's comment as a code comment above them. */
function readRemarks(text: string, block: CodeBlock): readonly DemoEdit[] {
  return [...text.matchAll(REMARK)].flatMap(([, kind, , diff = '', remark = '']) => {
    const lines = diff.split('\n');
    const going = lines.filter((line) => line.startsWith('-')).map((line) => line.slice(1));
    const coming = lines.filter((line) => line.startsWith('+')).map((line) => line.slice(1));
    const find = going.join('\n');
    if (find === '' || block.code.split(find).length !== 2) return [];
    const sign = ['python', 'py', 'ruby', 'shellscript', 'yaml'].includes(block.language) ? '#' : '//';
    const indent = /^\s*/.exec(coming[0] ?? '')?.[0] ?? '';
    const note = kind === 'Remark' ? [`${indent}${sign} As remarked: ${remark.slice(0, 80)}`] : [];
    return [{ find, replace: [...note, ...coming].join('\n') }];
  });
}
