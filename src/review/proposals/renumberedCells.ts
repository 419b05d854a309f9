/**
 * Finds cells of a notebook that is opened again. The URI of a cell has a number that counts the cells when the notebook was opened,
 * and those added since. When the notebook is opened again, the cells are numbered anew from the top.
 */
import * as v from 'valibot';
import type { FileProposal, Proposal } from './proposal.ts';

export interface CellText {
  readonly uri: string;
  readonly text: string;
}

/** Data for finding a cell that has got another URI: its label, which ends with its place in the notebook, and a hash of its text. */
export const cellMark = v.object({ label: v.string(), text: v.string() });
export type CellMark = v.InferOutput<typeof cellMark>;

/** A text that belongs to a document. For a cell, with its mark. */
export const markedText = v.union([v.string(), v.object({ text: v.string(), cell: cellMark })]);

/** The cells of a notebook that was closed. */
export const closedCells = v.array(v.object({ uri: v.string(), ...cellMark.entries }));

/**
 * The new URIs of the cells with hunks, by their previous URIs. A cell is found by its place, which is at the end of its label, and
 * its text. Otherwise, it is found by its text alone if no other cell has the same text, or else by its place alone.
 *
 * @param files of any notebooks; if several are for the same cell, the first one counts
 * @param cells all cells of the notebook, in order
 */
export function toCellsNow(
  files: readonly Pick<FileProposal, 'uri' | 'label' | 'text'>[],
  cells: readonly CellText[],
): ReadonlyMap<string, string> {
  const now = new Map<string, string>();
  const notebook = cells[0] && notebookIn(cells[0].uri);
  if (notebook === undefined) return now;
  const taken = new Set<CellText>();
  const mine = files.filter(
    ({ uri }, index) =>
      notebookIn(uri) === notebook && files.findIndex((other) => other.uri === uri) === index,
  );
  const inPlace = ({ label }: Pick<FileProposal, 'label'>) => cells[Number(/#(\d+)$/.exec(label)?.[1]) - 1];
  const isFree = (cell: CellText | undefined): cell is CellText => cell !== undefined && !taken.has(cell);
  const rules: readonly ((file: (typeof mine)[number]) => CellText | undefined)[] = [
    (file) => (isSameText(inPlace(file)?.text, file.text) ? inPlace(file) : undefined),
    ({ text }) => {
      const [same, ...others] = cells.filter((cell) => isFree(cell) && isSameText(cell.text, text));
      return others.length === 0 ? same : undefined;
    },
    inPlace,
  ];
  for (const rule of rules)
    for (const file of mine) {
      const cell = now.has(file.uri) ? undefined : rule(file);
      if (!isFree(cell)) continue;
      taken.add(cell);
      now.set(file.uri, cell.uri);
    }
  return now;
}

/**
 * The proposal with the new URIs of its cells; the same object if none changed.
 *
 * @param now the new URIs, by the previous ones
 * @param toLabel returns the name of a cell
 */
export function withCellsNow(
  proposal: Proposal,
  now: ReadonlyMap<string, string>,
  toLabel: (uri: string) => string,
): Proposal {
  const isMoved = ({ uri }: FileProposal) => (now.get(uri) ?? uri) !== uri;
  if (!proposal.files.some(isMoved)) return proposal;
  const files = proposal.files.map((file) => {
    const uri = now.get(file.uri) ?? file.uri;
    return uri === file.uri ? file : { ...file, uri, label: toLabel(uri) };
  });
  return { ...proposal, files };
}

/** Whether both are cells of one notebook. */
export function isSameNotebook(one: string | undefined, other: string): boolean {
  const notebook = notebookIn(other);
  return one !== undefined && notebook !== undefined && notebookIn(one) === notebook;
}

/** The URI of a cell without its number. */
function notebookIn(uri: string): string | undefined {
  const [, place, scheme] = /^([^#]+#)[A-Za-z]\d+(s[^#]*)$/.exec(uri) ?? [];
  return place === undefined ? undefined : `${place}${scheme}`;
}

const isSameText = (one: string | undefined, other: string): boolean =>
  one?.replaceAll('\r\n', '\n') === other.replaceAll('\r\n', '\n');
