/** The turn that a command is about: its id, or anything that has it, such as a node of a view or what a menu is about. */
import { fieldOf } from '../base/ownField.ts';

/** Undefined for anything else, which a keyboard shortcut or a link can give. */
export function turnIdIn(argument: unknown): string | undefined {
  const id = typeof argument === 'string' ? argument : fieldOf(argument, 'turnId');
  return typeof id === 'string' ? id : undefined;
}
