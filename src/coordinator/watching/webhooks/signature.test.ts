import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { signatureHeaders } from "./signature.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const other = `whsec_${Buffer.alloc(64, 7).toString("base64")}`;
const body = '{"test": 2432232314, "ship": "船"}';
const message = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: new Date(1614265330_999), body };

it("signs as the specification's own example has it", () => {
  const headers = signatureHeaders({ ...message, body: '{"test": 2432232314}' }, [secret]);
  expect(headers).toEqual({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

it("is taken by the official verifier, with the old secret and the new one", () => {
  const headers = signatureHeaders({ ...message, at: new Date() }, [other, secret]);
  for (const known of [secret, other]) {
    expect(new Webhook(known).verify(body, headers)).toEqual({ test: 2432232314, ship: "船" });
  }
  expect(() => new Webhook(other).verify(`${body} `, headers)).toThrow();
  expect(() => new Webhook(`whsec_${btoa("x".repeat(24))}`).verify(body, headers)).toThrow();
});
