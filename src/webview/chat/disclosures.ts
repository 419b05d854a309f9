/** What is unfolded, and where the page is scrolled. The editor keeps both while the page is hidden or reloaded. */

export interface SavedState {
  readonly conversationId: string;
  readonly open: Readonly<Record<string, boolean>>;
  readonly scrollTop: number | undefined;
}

/** The part of the page's API that keeps its state. */
export interface StateKeeper {
  getState(): SavedState | undefined;
  setState(state: SavedState): void;
}

export interface Disclosures {
  /** Returns `otherwise` until the user opens or closes it. */
  isOpen(id: string, otherwise: boolean): boolean;
  set(id: string, open: boolean): void;
  save(conversationId: string, scrollTop: number | undefined): void;
  /** Shows a conversation: what is kept of another one is dropped. Returns where it was scrolled. */
  show(conversationId: string): number | undefined;
}

export function createDisclosures(keeper: StateKeeper): Disclosures {
  let open: Readonly<Record<string, boolean>> = { ...keeper.getState()?.open };
  return {
    isOpen: (id, otherwise) => open[id] ?? otherwise,
    set(id, isOpen) {
      open = { ...open, [id]: isOpen };
    },
    save: (conversationId, scrollTop) => keeper.setState({ conversationId, open, scrollTop }),
    show(conversationId) {
      const remembered = keeper.getState();
      if (remembered?.conversationId === conversationId) return remembered.scrollTop;
      keeper.setState({ conversationId, open: {}, scrollTop: undefined });
      open = {};
      return undefined;
    },
  };
}
