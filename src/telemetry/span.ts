/** One finished span. Ids are lowercase hexadecimal, times milliseconds since the epoch. */
export type Span = {
  traceId: string;
  /** Null: a random one. */
  spanId: string | null;
  parentId: string | null;
  name: string;
  /** `client`: something outside this process was asked. */
  kind: "internal" | "client";
  startMs: number;
  endMs: number;
  attributes: Readonly<Record<string, string | number | string[]>>;
  /** What kind of failure ended it; null when it did not fail. */
  error: string | null;
};

/** Takes spans and sends them somewhere. */
export interface SpanSink {
  take(span: Span): void;
  /** Sends what is left. */
  close(): Promise<void>;
}
