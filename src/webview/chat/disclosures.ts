/** Remembers which elements are expanded, and where the page is scrolled. The editor keeps both while the page is hidden or reloaded. */

export interface SavedState {
  readonly conversationId: string;
  readonly open: Readonly<Record<string, boolean>>;
  readonly scrollTop: number | undefined;
}

/** The part of the page's API that keeps its state. */
export interface StateKeeper {
  getState(): unknown;
  setState(state: SavedState): void;
}

export interface Disclosures {
  /** Returns `otherwise` until the user opens or closes the disclosure. */
  isOpen(id: string, otherwise: boolean): boolean;
  set(id: string, open: boolean): void;
  save(conversationId: string, scrollTop: number | undefined): void;
  /**
   * Call this when a conversation is shown. Drops the state of another one. Returns the scroll position of this conversation, in
   * pixels, if it is known.
   */
  show(conversationId: string): number | undefined;
}

/** Decodes the state that an earlier page, of any version, has saved. Undefined if it is invalid. */
function decodeState(state: unknown): SavedState | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  if (!('conversationId' in state) || typeof state.conversationId !== 'string') return undefined;
  const open = 'open' in state && typeof state.open === 'object' && state.open !== null ? state.open : {};
  const scrollTop = 'scrollTop' in state ? state.scrollTop : undefined;
  return {
    conversationId: state.conversationId,
    open: Object.fromEntries(
      Object.entries(open).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'),
    ),
    scrollTop: typeof scrollTop === 'number' && Number.isFinite(scrollTop) ? scrollTop : undefined,
  };
}

export function createDisclosures(keeper: StateKeeper): Disclosures {
  let open = decodeState(keeper.getState())?.open ?? {};
  return {
    isOpen: (id, otherwise) => open[id] ?? otherwise,
    set(id, isOpen) {
      open = { ...open, [id]: isOpen };
    },
    save: (conversationId, scrollTop) => keeper.setState({ conversationId, open, scrollTop }),
    show(conversationId) {
      const remembered = decodeState(keeper.getState());
      if (remembered?.conversationId === conversationId) return remembered.scrollTop;
      keeper.setState({ conversationId, open: {}, scrollTop: undefined });
      open = {};
      return undefined;
    },
  };
}
