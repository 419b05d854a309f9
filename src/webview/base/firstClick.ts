/**
 * Does something on a click, or by a key, but not on the second click of a double click: that one may be on what has come into the place
 * of the first, and forks twice, for example.
 */
export const firstClick =
  (act: () => void) =>
  ({ detail }: Pick<MouseEvent, 'detail'>): void => {
    if (detail < 2) act();
  };
