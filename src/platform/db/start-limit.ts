/**
 * While a process starts it waits for each of its statements for a short time only: a start that hangs is worth less than
 * one that ends and is tried again. What goes on in the background has the limits of its connection once the process is up.
 */
import { DatabaseWait, withinDatabaseWait } from "../lib/database-wait.ts";

/** With what a start that fails takes for its closing that is less than 10 s. */
const statementMs = 5_000;

class StartWait extends DatabaseWait {
  isUp = false;

  constructor() {
    super(statementMs, () => this.isUp);
  }

  /** Each statement has the whole of it. */
  override begin(): void {}
  override end(): void {}
}

/** Runs a start. Everything that it awaits, and begins, has the limit until it is through. */
export async function withinStartLimit<T>(start: () => Promise<T>): Promise<T> {
  const wait = new StartWait();
  const started = await withinDatabaseWait(wait, start);
  wait.isUp = true;
  return started;
}
