/** What a deployment unit descriptor may hold. A descriptor beyond one of these is refused with 400. */
export const descriptorLimits = {
  /** Components and subcomponents of all levels together. */
  components: 10_000,
  /** Entries of all `dependsOn` lists together. */
  dependencies: 200_000,
  /** Characters of an identifier: identifiers are database keys. */
  idLength: 512,
  /**
   * Bytes of an identifier in the form in which it is compared: two fit into one index entry of the database.
   */
  idBytes: 1024,
  /** Levels of nesting of maps and lists, the whole descriptor being level 1. */
  depth: 100,
  /** Values (maps, lists and scalars), YAML aliases expanded. */
  nodes: 1_000_000,
  /** Characters of all keys and strings, YAML aliases expanded. */
  characters: 32 * 1024 * 1024,
  /** Alias uses (`*name`) in one YAML text. */
  yamlAliases: 1_000,
  /** Problems in one answer; one more entry then says that there are others. */
  problems: 1_000,
} as const;
