/** What is loaded with the first request of another chat, or to `@k3`. */
export { createAskTool } from './askTool.ts';
export { createRequestHandler } from './chatParticipant.ts';
export { createOtherChats } from './otherChats.ts';
