/**
 * What goes with a message in a real workbench: its costs, context, images, the format of the answer, and tools. The modules
 * share a window, and run in this order: the first begins without conversations, the second in Restricted Mode and trusts
 * the folder, and the last ends with a history that is broken.
 */
import './composer/usage.ts';
import './composer/context.ts';
import './composer/images.ts';
import './composer/presets.ts';
import './composer/format.ts';
import './composer/tools.ts';
