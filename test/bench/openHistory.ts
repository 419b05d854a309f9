/** Opens the database of a benchmark. If it is damaged, the benchmark ends. */
import { type History, openHistory } from '../../src/history/history.ts';

export function openBenchHistory(folder: string): History {
  const opened = openHistory({
    folder,
    place: 'bench',
    onSetAside: () => process.exit(3),
    onWrong: () => process.exit(3),
  });
  if (!opened.ok) throw new Error(opened.message);
  return opened.history;
}
