/** Tool calls: asked for, approved, refused, and stopped. */
import { type Action, action, clickOne, NONE, send } from './action.ts';

const TOOLS = [
  'read_file',
  'list_files',
  'search_text',
  'find_files',
  'get_diagnostics',
  'propose_edit',
  'update_plan',
];

export const toolActions: readonly Action[] = [
  action('ask for a tool', 4, async (world, at) => {
    const two = world.random.chance(0.3) ? ', two calls' : '';
    const text = world.newText(`Use the tool ${world.random.pick(TOOLS)}${two},`);
    return send(world, await at.chat(), text);
  }),
  action('approve or refuse', 7, async (world, at) => {
    const decision = world.random.pick([
      'Allow once',
      'Allow in this conversation',
      'Always allow',
      'Refuse',
    ]);
    return (await clickOne(world, await at.chat(), decision)) ?? NONE;
  }),
  action('open a tool call', 1, async (world, at) => {
    const calls = (await at.chat()).locator('[role="group"][aria-label^="Tool call"] button[aria-expanded]');
    const count = await calls.count();
    if (count === 0) return NONE;
    await calls.nth(world.random.below(count)).dispatchEvent('click');
    return 'opened';
  }),
  action('take back approvals', 1, async (_, at) => {
    await at.run('K3: Revoke Tool Approvals…');
    const box = at.page.locator('.quick-input-widget:visible');
    if (await box.isVisible()) await at.page.keyboard.press('Enter');
    return 'revoked';
  }),
];
