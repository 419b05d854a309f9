/** The events that the body of a 200 response is read as, and the types of the readers. */
export type BodyEvent =
  | { readonly type: 'data'; readonly data: string; readonly event: string | undefined }
  | { readonly type: 'comment' }
  /** Among events, a line that isn't a field has a chunk. The place of its text in the answer isn't known. */
  | { readonly type: 'damaged' }
  /** Among events, a line that isn't a field has plain text. It may be the last thing that the service says, such as an error. */
  | { readonly type: 'words'; readonly text: string }
  /**
   * The body isn't an event stream. For JSON and HTML, `text` is the complete body, after its end. For plain text, it is the text
   * of the first read, or the lines after comments. JSON objects in lines are `data` instead, each as soon as its line is
   * complete. With `cut`, the stream broke, and `text` is the part that had arrived.
   */
  | { readonly type: 'whole'; readonly text: string; readonly cut?: true };

/** The data of an event, or a JSON object in a line. */
export type DataEvent = Extract<BodyEvent, { type: 'data' }>;
export type WholeEvent = Extract<BodyEvent, { type: 'whole' }>;

/** Reads a body part by part. */
export interface BodyReader {
  /** The next bytes, which may be split anywhere. */
  read(part: Uint8Array): void;
  /** The body ended. The last event counts even without its closing blank line. */
  end(): void;
  /** The connection broke. Lines that are complete still count. */
  cut(): void;
}

/** Reads the text of a body whose kind is known. */
export interface TextReader extends Pick<BodyReader, 'end' | 'cut'> {
  read(text: string): void;
}
