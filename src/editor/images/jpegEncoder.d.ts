/** The encoder alone: pictures are decoded by another library. */
declare module 'jpeg-js/lib/encoder.js' {
  import type { encode as Encode } from 'jpeg-js';

  const encode: typeof Encode;
  export = encode;
}
