/**
 * Changes and findings of the model in a real workbench. The modules share a window, and run in this order: the first begins
 * with the views that a new window has, the second with files that Git has as they are; the reload of `restored.ts` keeps what
 * the three before it leave; before the last, nothing was under review for a while.
 */
import './review/looks.ts';
import './review/findings.ts';
import './review/hunkByHunk.ts';
import './review/applied.ts';
import './review/restored.ts';
import './review/commit.ts';
import './review/proposals.ts';
import './review/editHere.ts';
import './review/day.ts';
import './review/plusSigns.ts';
