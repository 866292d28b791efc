/** Pure: masks the secrets of a call wherever the provider repeats them, in texts and in arguments of tools. */
import { createMask, type Mask, type PieceMask } from "../../../platform/lib/secrets/mask.ts";
import { secretsIn } from "../../../platform/outbound/sent-secrets.ts";
import type { ModelConfig } from "../read-model.ts";
import type { ModelPart } from "./model.ts";

export function maskOf({ apiKey, customHeaders }: Pick<ModelConfig, "apiKey" | "customHeaders">): Mask {
  const own = secretsIn({ headers: { "api-key": apiKey } });
  return createMask([...own, ...secretsIn({ headers: Object.fromEntries(customHeaders) })]);
}

export interface PartFilter {
  push(parts: ModelPart[]): ModelPart[];
  /** The parts that were held back, when the response breaks off. */
  rest(): ModelPart[];
}

const unchanged: PartFilter = { push: (parts) => parts, rest: () => [] };

/** A filter for the parts of one response. */
export function createSecretFilter(mask: Mask): PartFilter {
  if (mask.isEmpty) return unchanged;
  const text = mask.pieces();
  const calls = new Map<number, PieceMask>();
  const rest = (): ModelPart[] => [
    ...textPart(text.end()),
    ...[...calls].flatMap(([index, filter]) => argumentsPart(index, filter.end())),
  ];
  const shown = (part: ModelPart): ModelPart[] => {
    if (part.type === "text") return textPart(text.push(part.delta));
    if (part.type === "arguments") {
      const filter = calls.get(part.index) ?? mask.pieces();
      calls.set(part.index, filter);
      return argumentsPart(part.index, filter.push(part.delta));
    }
    if (part.type === "call") return [{ ...part, name: mask.text(part.name) }];
    return [...rest(), part];
  };
  return { rest, push: (parts) => parts.flatMap(shown) };
}

const textPart = (delta: string): ModelPart[] => (delta === "" ? [] : [{ type: "text", delta }]);

const argumentsPart = (index: number, delta: string): ModelPart[] =>
  delta === "" ? [] : [{ type: "arguments", index, delta }];
