/** The window itself: reloads, tabs, groups, and the side bar. */
import { keepsHunks } from '../hunkChecks.ts';
import { type Action, action, answerDialog } from './action.ts';

const DISCARD = /Don't Save|OK/;

export const windowActions: readonly Action[] = [
  action('reload', 3, async (world, at) => {
    await keepsHunks(world, at, () => at.reload());
    await at.run('K3: Focus Chat');
    return 'reloaded';
  }),
  action('open the chat in a tab', 2, async (_, at) => {
    await at.run('K3: Open Chat in Editor');
    return 'a tab';
  }),
  ...(
    [
      'View: Split Editor',
      'View: Move Editor into Next Group',
      'View: Toggle Primary Side Bar Position',
    ] as const
  ).map((command) =>
    action(command, 1, async (_, at) => {
      await at.run(command);
      return '';
    }),
  ),
  action('hide or show the side bar', 1, async (_, at) => {
    await at.run('View: Toggle Primary Side Bar Visibility');
    return '';
  }),
  action('close all editors', 1, async (_, at) => {
    await at.run('View: Close All Editors');
    return answerDialog(at, DISCARD);
  }),
  action('show the usage', 1, async (_, at) => {
    await at.run('K3: Show Usage');
    return '';
  }),
  action('show the next request', 1, async (_, at) => {
    await at.run('K3: Show Next Request');
    return '';
  }),
];
