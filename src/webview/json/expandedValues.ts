/** What is expanded in an answer. It is known by JSON pointers, so that it holds for the tree of a longer text, too. */
import type { JsonTree } from './jsonRows.ts';

type Tree = Pick<JsonTree, 'find' | 'pointerOf' | 'parentOf' | 'setOpen'>;

export interface ExpandedValues {
  /** The user expands or collapses a value. */
  set(tree: Tree, value: number, isOpen: boolean): void;
  /**
   * Expands everything around a value.
   *
   * @param always also what the user collapsed
   */
  showValue(tree: Tree, value: number, always: boolean): void;
  /** Expands and collapses in a new tree what was in the one before. */
  restore(tree: Tree): void;
}

export function createExpandedValues(): ExpandedValues {
  const open = new Map<string, boolean>();

  function set(tree: Tree, value: number, isOpen: boolean): void {
    tree.setOpen(value, isOpen);
    open.set(tree.pointerOf(value), isOpen);
  }

  return {
    set,
    showValue(tree, value, always) {
      for (let above = tree.parentOf(value); above !== undefined; above = tree.parentOf(above))
        if (always || !open.has(tree.pointerOf(above))) set(tree, above, true);
    },
    restore(tree) {
      for (const [pointer, isOpen] of open) {
        const value = tree.find(pointer);
        // Otherwise it is not in this text.
        if (tree.pointerOf(value) === pointer) tree.setOpen(value, isOpen);
      }
    },
  };
}
