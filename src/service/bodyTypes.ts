/** The types of what a body of a 200 response is read to, and of its readers. */
export type BodyEvent =
  | { readonly type: 'data'; readonly data: string; readonly event: string | undefined }
  | { readonly type: 'comment' }
  /** A line that is no field, among events, has a chunk. Where its text belongs isn't known. */
  | { readonly type: 'damaged' }
  /** A line that is no field, among events, has text. It may be what the service says last. */
  | { readonly type: 'words'; readonly text: string }
  /**
   * The body isn't an event stream. For JSON and HTML, the complete text after the body ends; for plain text,
   * the result of the first read, or the lines behind comments. JSON objects in lines are data, each as soon as its line is complete. If `cut`, the stream broke, and the text is what had arrived.
   */
  | { readonly type: 'whole'; readonly text: string; readonly cut?: true };

/** The data of an event, or an object of JSON in a line. */
export type DataEvent = Extract<BodyEvent, { type: 'data' }>;
export type WholeEvent = Extract<BodyEvent, { type: 'whole' }>;

/** Reads a body part by part. */
export interface BodyReader {
  /** The next bytes, which may be split anywhere. */
  read(part: Uint8Array): void;
  /** The body ended. Without its closing blank line, the last event still counts. */
  end(): void;
  /** The connection broke. Lines that are complete still count. */
  cut(): void;
}

/** The same for the text of a body, when its kind is known. */
export interface TextReader extends Pick<BodyReader, 'cut'> {
  read(text: string): void;
  /** @param rest the replacement for bytes at the end that are no character */
  end(rest: string): void;
}
