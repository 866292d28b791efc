import { PlinthError } from "plinth-client";
import { expect, test } from "vitest";
import { EarlierRequestExists, requesterOf, type NewAccessRequest } from "./requester.ts";

const bodyOf = (reason: string): NewAccessRequest => ({
  deploymentUnitId: "urn:unit",
  environment: "development",
  outputPortUrns: ["urn:port"],
  identities: ["user:default/ada"],
  reason,
});

type Loss = "request" | "answer" | "401";

const refusal = (status: number, code: string): PlinthError => new PlinthError(status, { code });

/** A server that opens one request for each key, and a network that loses the next answers. Nobody is signed in for a `401`. */
function startServer() {
  const opened = new Map<string, NewAccessRequest>();
  const lost: Loss[] = [];
  let refused = 0;
  const send = async (body: NewAccessRequest, key: string): Promise<{ id: string }> => {
    const loss = lost.shift();
    if (loss === "request") throw new TypeError("Failed to fetch");
    if (loss === "401") throw refusal(401, "PLATFORM_UNAUTHENTICATED");
    if (body.reason === "") {
      refused += 1;
      throw refusal(400, "BUILDER_INVALID_ACCESS_REQUEST");
    }
    const before = opened.get(key);
    if (before !== undefined && before.reason !== body.reason)
      throw refusal(409, "BUILDER_IDEMPOTENCY_KEY_REUSED");
    opened.set(key, body);
    if (loss === "answer") throw new TypeError("Failed to fetch");
    return { id: [...opened.keys()].indexOf(key).toString() };
  };
  return {
    lose: (...parts: Loss[]) => lost.push(...parts),
    request: requesterOf(send),
    reasons: () => [...opened.values()].map(({ reason }) => reason),
    refused: () => refused,
  };
}

const outcomeOf = (made: Promise<{ id: string }>): Promise<unknown> =>
  made.then(
    ({ id }) => id,
    (error: unknown) => (error instanceof EarlierRequestExists ? { earlier: error.requestId } : error),
  );

test("a request whose answer was lost is opened once", async () => {
  const { lose, request, reasons } = startServer();
  lose("answer");
  expect(await outcomeOf(request(bodyOf("a")))).toBeInstanceOf(TypeError);
  expect(await outcomeOf(request(bodyOf("a")))).toBe("0");
  expect(reasons()).toEqual(["a"]);
});

test("one that was changed after its answer was lost names the earlier one, and can be sent all the same", async () => {
  const { lose, request, reasons } = startServer();
  lose("answer");
  await outcomeOf(request(bodyOf("a")));
  expect(await outcomeOf(request(bodyOf("b")))).toEqual({ earlier: "0" });
  expect(reasons()).toEqual(["a"]);
  expect(await outcomeOf(request(bodyOf("b")))).toBe("1");
  expect(reasons()).toEqual(["a", "b"]);
});

test("one that was changed after it was lost itself is opened", async () => {
  const { lose, request, reasons } = startServer();
  lose("request");
  await outcomeOf(request(bodyOf("a")));
  expect(await outcomeOf(request(bodyOf("b")))).toBe("0");
  expect(reasons()).toEqual(["b"]);
});

test("the earlier one is among the caller's where more than one answer was lost", async () => {
  const { lose, request, reasons } = startServer();
  lose("request", "answer");
  await outcomeOf(request(bodyOf("a")));
  await outcomeOf(request(bodyOf("b")));
  expect(await outcomeOf(request(bodyOf("c")))).toEqual({ earlier: null });
  expect(reasons()).toEqual(["b"]);
});

test("one whose answer was lost is opened once, also where it is refused before it is sent again", async () => {
  const { lose, request, reasons } = startServer();
  lose("answer", "401", "401");
  await outcomeOf(request(bodyOf("a")));
  await outcomeOf(request(bodyOf("a")));
  await outcomeOf(request(bodyOf("a")));
  expect(await outcomeOf(request(bodyOf("a")))).toBe("0");
  expect(await outcomeOf(request(bodyOf("a")))).toBe("1");
  expect(reasons()).toEqual(["a", "a"]);
});

test("one that was refused is sent anew", async () => {
  const { request, reasons, refused } = startServer();
  await outcomeOf(request(bodyOf("")));
  expect(await outcomeOf(request(bodyOf("a")))).toBe("0");
  expect(await outcomeOf(request(bodyOf("a")))).toBe("1");
  expect(reasons()).toEqual(["a", "a"]);
  expect(refused()).toBe(1);
});
