/** File watchers of an editor in which nothing happens to files, for plain Node. */

/** An event that is never fired. */
export const noEvent = () => ({ dispose: () => undefined });

export const createFileSystemWatcher = () => ({
  onDidCreate: noEvent,
  onDidChange: noEvent,
  onDidDelete: noEvent,
  dispose: () => undefined,
});
