/** The part of pino that the code uses; so that pure and test code needs no pino. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Logger;
  /** As the methods above, for fields that are plain and never secret, at less than half the cost: for a line that each request writes. */
  plain?(level: LogLevel, fields: PlainFields, message: string): void;
}

export type LogLevel = "debug" | "info" | "warn" | "error";

/** Those that are undefined are left out. */
export type PlainFields = Readonly<Record<string, string | number | undefined>>;

export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLogger,
};

/**
 * A logger whose lines have these fields as well. They are fields of each line and not of one of pino's child loggers, whose
 * level stays what it was when they were made, and whose text would repeat the fields of the request that pino's mixin adds.
 */
export const withFields = (log: Logger, fields: object): Logger => new FieldsLogger(log, fields);

class FieldsLogger implements Logger {
  readonly #parent: Logger;
  readonly #fields: object;

  constructor(parent: Logger, fields: object) {
    this.#parent = parent;
    this.#fields = fields;
  }

  debug(fields: object, message: string): void {
    this.#parent.debug({ ...this.#fields, ...fields }, message);
  }

  info(fields: object, message: string): void {
    this.#parent.info({ ...this.#fields, ...fields }, message);
  }

  warn(fields: object, message: string): void {
    this.#parent.warn({ ...this.#fields, ...fields }, message);
  }

  error(fields: object, message: string): void {
    this.#parent.error({ ...this.#fields, ...fields }, message);
  }

  child(fields: object): Logger {
    return new FieldsLogger(this.#parent, { ...this.#fields, ...fields });
  }
}
