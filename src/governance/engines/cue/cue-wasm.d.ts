/** The part of the library that is used; it has no types of its own. */
declare module "cue-wasm" {
  export function init(): Promise<{ toJSON(text: string): string }>;
}
