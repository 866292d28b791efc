/** The interface of models to the run loop, independent of the provider. */

export interface ModelToolCall {
  id: string;
  name: string;
  /** JSON text as the model wrote it; may be invalid. */
  arguments: string;
  /** Metadata that the provider needs back with the call. */
  meta?: object;
}

export type ModelMessage =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; content: string; calls: ModelToolCall[] }
  | { role: "tool"; callId: string; content: string };

export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of type object. */
  parameters: object;
}

export interface ModelRequest {
  messages: readonly ModelMessage[];
  tools: readonly ModelTool[];
  maxTokens?: number;
}

export interface ModelUsage {
  input: number;
  output: number;
  /** The part of `input` that the provider had cached. */
  cached: number;
}

/** Parts of a response in the order of arrival; `end` is the last one. */
export type ModelPart =
  | { type: "text"; delta: string }
  | { type: "call"; index: number; id: string; name: string; meta?: object }
  | { type: "arguments"; index: number; delta: string }
  | { type: "end"; finish: "stop" | "calls" | "length"; usage: ModelUsage | null };

export interface ModelClient {
  /** The name under which usage is counted. */
  model: string;
  /**
   * Yields the parts that have arrived since the last ones were taken. Throws a Failure with a code of a model; there is no
   * retry after the first part.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart[]>;
}

/** A model that makes vectors of texts. */
export interface Embedder {
  /** A vector for each text, in their order. Throws a Failure with a code of a model. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<number[][]>;
}
