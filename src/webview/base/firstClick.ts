/**
 * Runs an action on a click or a key press, but not on the second click of a double-click: by then, another button can be in the same
 * place, or the action would run twice, such as fork a conversation.
 */
export const firstClick =
  (act: () => void) =>
  ({ detail }: Pick<MouseEvent, 'detail'>): void => {
    if (detail < 2) act();
  };
