/**
 * Finds the turn that a command is about. The argument is its id, or an object with its id, such as a node of a view or the
 * context of a menu.
 */
import { fieldOf } from '../base/ownField.ts';

/** The id of the turn; undefined for any other argument, for example of a keyboard shortcut or a link. */
export function turnIdIn(argument: unknown): string | undefined {
  const id = typeof argument === 'string' ? argument : fieldOf(argument, 'turnId');
  return typeof id === 'string' ? id : undefined;
}
