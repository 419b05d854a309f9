/** The code that is loaded with the first request of another chat. */
export { createAskTool } from './askTool.ts';
export { createOtherChats } from './otherChats.ts';
