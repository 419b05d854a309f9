/** File watchers that never report a change, for plain Node. */

/** An event that is never fired. */
export const noEvent = () => ({ dispose: () => undefined });

export const createFileSystemWatcher = () => ({
  onDidCreate: noEvent,
  onDidChange: noEvent,
  onDidDelete: noEvent,
  dispose: () => undefined,
});
