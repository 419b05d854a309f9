/**
 * A window that sends the queue of a conversation: it tries to take each queued question, and prints the ids of the questions that it got.
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
  // The queue as a panel shows it. The other window may take the question before this window does.
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
