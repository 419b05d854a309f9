/** Only the encoder is used: another library decodes images. */
declare module 'jpeg-js/lib/encoder.js' {
  import type { encode as Encode } from 'jpeg-js';

  const encode: typeof Encode;
  export = encode;
}
