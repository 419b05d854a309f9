/**
 * A window that sends the queue of a conversation: takes each question that it sees, and prints the ids of those it got.
 * Run in a process of its own: `node takingWindow.ts FOLDER CONVERSATION`.
 */
import { openHistory } from '../../src/history/history.ts';

const [folder = '', conversationId = ''] = process.argv.slice(2);
const opened = openHistory({
  folder,
  place: 'a window',
  onSetAside: () => undefined,
  onWrong: () => undefined,
});
if (!opened.ok) throw new Error(opened.message);
const { history } = opened;
const taken: string[] = [];
for (;;) {
  // As a panel shows it: the other window may take the question before this one does.
  const [next] = history.queue(conversationId);
  if (next === undefined) break;
  let got = false;
  history.changeQueue(conversationId, (queue) => {
    got = queue.some(({ id }) => id === next.id);
    return queue.filter(({ id }) => id !== next.id);
  });
  if (got) taken.push(next.id);
}
history.close();
process.stdout.write(JSON.stringify(taken));
