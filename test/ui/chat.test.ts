/**
 * Questions, answers, and their failures in a real workbench, and what is kept of them. The modules share a window, and run in
 * this order: the first shows the Conversations view for the first time, a window that is opened soon after the third could show its
 * tabs again, and the last test takes all routes away.
 */
import './chat/stage.ts';
import './chat/history.ts';
import './chat/locked.ts';
import './chat/reloaded.ts';
import './chat/questions.ts';
