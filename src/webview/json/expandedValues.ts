/**
 * Remembers which values of an answer are expanded. They are identified by JSON pointers, so that they can be found in the tree of a
 * longer text, too.
 */
import type { JsonTree } from './jsonRows.ts';

type Tree = Pick<JsonTree, 'find' | 'pointerOf' | 'parentOf' | 'setOpen'>;

export interface ExpandedValues {
  /** Expands or collapses a value for the user. */
  set(tree: Tree, value: number, isOpen: boolean): void;
  /**
   * Expands all ancestors of a value.
   *
   * @param always also expands values that the user has collapsed
   */
  showValue(tree: Tree, value: number, always: boolean): void;
  /** Expands and collapses the same values in a new tree. */
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
        // Otherwise this text doesn't have the value.
        if (tree.pointerOf(value) === pointer) tree.setOpen(value, isOpen);
      }
    },
  };
}
