/** What is loaded with the first search, export, import, or restored conversation. */
export { createConversationFiles } from './conversationFiles.ts';
export { searchConversations } from './conversationSearch.ts';
export { restoreConversation } from './restoreCommand.ts';
