/**
 * A way to a real PostgreSQL that counts the connections and the statements that go through it, and has a fault at one of
 * them: the one connection that a start makes as its n-th, or the one statement that it sends as its n-th.
 */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export const connectFaults = ["refused", "cut", "hangs"] as const;
export const queryFaults = ["error", "cut", "silent"] as const;

/** A fault of the connection or statement with that number. */
export type CountedFault =
  | { at: "connect"; n: number; how: (typeof connectFaults)[number] }
  | { at: "query"; n: number; how: (typeof queryFaults)[number] };

/** Or of the statements with that text. */
export type Fault = CountedFault | { at: "text"; text: string; how: (typeof queryFaults)[number] };

export interface FaultyDatabase {
  port: number;
  counted(): { connects: number; queries: number };
  /** Resolves when the fault has happened; never when the start does not come that far. */
  hit: Promise<void>;
  close(): Promise<void>;
}

interface Counting {
  fault: Fault | null;
  connects: number;
  queries: number;
  markHit: () => void;
}

export async function openFaultyDatabase(
  host: string,
  port: number,
  fault: Fault | null,
): Promise<FaultyDatabase> {
  const { promise: hit, resolve: markHit } = Promise.withResolvers<void>();
  const counting: Counting = { fault, connects: 0, queries: 0, markHit };
  const sockets = new Set<Socket>();
  const server = createServer((clientSocket) => {
    sockets.add(clientSocket);
    clientSocket.on("error", () => clientSocket.destroy());
    clientSocket.on("close", () => sockets.delete(clientSocket));
    counting.connects += 1;
    if (fault?.at === "connect" && fault.n === counting.connects)
      return failConnect(clientSocket, fault.how, markHit);
    pass(clientSocket, connect(port, host), counting);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    counted: () => ({ connects: counting.connects, queries: counting.queries }),
    hit,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function failConnect(clientSocket: Socket, how: (typeof connectFaults)[number], markHit: () => void): void {
  markHit();
  if (how === "hangs") clientSocket.resume();
  else if (how === "cut") clientSocket.resetAndDestroy();
  else
    clientSocket.once("data", () =>
      clientSocket.end(errorMessage("FATAL", "53300", "sorry, too many clients already")),
    );
}

/** Statements are held until they are whole, so that a fault finds nothing of theirs at the server. */
function pass(clientSocket: Socket, databaseSocket: Socket, counting: Counting): void {
  const { fault, markHit } = counting;
  let rest: Buffer = Buffer.alloc(0);
  let held: Buffer[] = [];
  let hasStarted = false;
  let isHit = false;
  let isInTransaction = false;
  databaseSocket.on("error", () => clientSocket.destroy());
  databaseSocket.on("close", () => clientSocket.destroy());
  clientSocket.on("close", () => databaseSocket.destroy());
  // The last message of every answer says whether a transaction is open.
  databaseSocket.on("data", (data: Buffer) => {
    if (data.length >= 6 && data.at(-6) === letter.ready) isInTransaction = data.at(-1) !== letter.idle;
    if (!isHit) clientSocket.write(data);
  });
  const forward = (message: Buffer): void => {
    held.push(message);
    const type = message[0];
    if (hasStarted && isHalf.has(type ?? 0)) return;
    const unit = Buffer.concat(held);
    held = [];
    const isStatement = hasStarted && (type === letter.query || type === letter.sync);
    if (isStatement) counting.queries += 1;
    hasStarted = true;
    if (!isStatement || !fault || !isAt(fault, counting.queries, unit))
      return void databaseSocket.write(unit);
    markHit();
    if (fault.how === "cut") clientSocket.resetAndDestroy();
    else if (fault.how === "silent") isHit = true;
    else
      clientSocket.write(
        Buffer.concat([
          errorMessage("ERROR", "XX000", "injected by the test"),
          readyMessage(isInTransaction ? "E" : "I"),
        ]),
      );
  };
  clientSocket.on("data", (data: Buffer) => {
    if (isHit) return;
    rest = rest.length === 0 ? data : Buffer.concat([rest, data]);
    // The first message has no type.
    for (let from = hasStarted ? 1 : 0; rest.length >= from + 4; from = hasStarted ? 1 : 0) {
      const end = from + rest.readInt32BE(from);
      if (rest.length < end) return;
      const message = rest.subarray(0, end);
      rest = rest.subarray(end);
      forward(message);
    }
  });
}

const isAt = (fault: Fault, queries: number, statement: Buffer): boolean =>
  fault.at === "query" ? fault.n === queries : fault.at === "text" && statement.includes(fault.text);

const code = (text: string): number => text.charCodeAt(0);
const letter = { query: code("Q"), sync: code("S"), ready: code("Z"), idle: code("I") };
/** Messages of a statement that others follow: parse, bind, describe, execute, close, flush. */
const isHalf = new Set(["P", "B", "D", "E", "C", "H"].map(code));

function errorMessage(severity: string, state: string, message: string): Buffer {
  const fields = Buffer.from(`S${severity}\0V${severity}\0C${state}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

function readyMessage(status: string): Buffer {
  const message = Buffer.alloc(6);
  message.write("Z");
  message.writeInt32BE(5, 1);
  message.write(status, 5);
  return message;
}
