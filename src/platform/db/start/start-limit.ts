/**
 * While a process starts it waits only a short time for each statement: a start that fails is retried, one
 * that hangs is not. Background work has the limits of its connection once the process is up.
 */
import { DatabaseWait } from "../../lib/database-wait.ts";
import { withinDatabaseWait } from "../../lib/request-scope.ts";

/** Together with the closing of a failed start this stays below 10 s. */
const statementMs = 4_500;

class StartWait extends DatabaseWait {
  isUp = false;

  constructor() {
    super(statementMs, () => this.isUp);
  }

  /** Each statement has the whole limit. */
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
