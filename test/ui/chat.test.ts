/**
 * Questions, answers, and their failures in a real workbench, what goes with a message, and what is kept of them. The modules share a
 * window, and run in this order: the first opens the database, the second knows the figures of its questions, the third shows the
 * Conversations view for the first time, which has few rows by then, the fourth begins in Restricted Mode and trusts the folder, and the
 * last test takes all routes away.
 */
import './chat/stage.ts';
import './chat/locked.ts';
import './composer/usage.ts';
import './chat/history.ts';
import './composer/context.ts';
import './composer/images.ts';
import './composer/presets.ts';
import './composer/format.ts';
import './composer/tools.ts';
import './chat/reloaded.ts';
import './chat/questions.ts';
