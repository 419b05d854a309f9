/** The code that is loaded with the first search, export, import, or restored conversation. */

export { searchConversations } from './conversationSearch.ts';
export { createExportAndImport } from './exportAndImport.ts';
export { restoreConversation } from './restoreCommand.ts';
