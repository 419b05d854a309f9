/**
 * Questions, answers, and their failures in a real workbench, and what is kept of them. The modules share a window, and run in
 * this order: the first opens the database, the second shows the Conversations view for the first time, and the last test takes all
 * routes away.
 */
import './chat/stage.ts';
import './chat/locked.ts';
import './chat/history.ts';
import './chat/reloaded.ts';
import './chat/questions.ts';
