import { describe, expect, it } from "vitest";
import { Failure, type FailureKind } from "../platform/errors/failure.ts";
import { builderErrors, builderFailure, toBody, type BuilderCode } from "./errors.ts";

const request = { method: "POST", url: "/api/builder/register" };

describe("toBody", () => {
  it("has the shape that clients know, with problems when there are any", () => {
    const withValue = { where: "/id", message: "x", solution: "y", value: "secret" };
    const failure = builderFailure("BUILDER_INVALID_ADAPTER", {
      message: "No.",
      problems: [withValue],
    });
    expect(toBody(failure, request)).toEqual({
      status: 400,
      body: {
        error: {
          name: "InputError",
          message: "No.",
          code: "BUILDER_INVALID_ADAPTER",
          problems: [{ where: "/id", message: "x", solution: "y" }],
        },
        request: { method: "POST", url: "/api/builder/register" },
        response: { statusCode: 400 },
      },
    });
  });

  it.each<[FailureKind, string, number, string]>([
    ["unauthenticated", "PLATFORM_X", 401, "AuthenticationError"],
    ["forbidden", "PLATFORM_X", 403, "NotAllowedError"],
    ["not_found", "PLATFORM_NOT_FOUND", 404, "NotFoundError"],
    ["invalid", "PLATFORM_METHOD_NOT_ALLOWED", 405, "MethodNotAllowedError"],
    ["conflict", "X", 409, "ConflictError"],
    ["limit", "PLATFORM_BODY_TOO_LARGE", 413, "PayloadTooLargeError"],
    ["limit", "PLATFORM_RATE_LIMITED", 429, "TooManyRequestsError"],
    ["internal", "PLATFORM_INTERNAL", 500, "InternalServerError"],
    ["unavailable", "X", 503, "ServiceUnavailableError"],
  ])("%s with %s is %i %s", (...[kind, code, status, name]) => {
    const { status: answered, body } = toBody(new Failure({ kind, code, message: "m" }), request);
    expect([answered, body.error.name, body.response.statusCode]).toEqual([status, name, status]);
    expect(body.error).not.toHaveProperty("problems");
  });

  it.each(Object.entries(builderErrors))("%s answers with its status", (code, { status }) => {
    expect(toBody(builderFailure(code as BuilderCode, { message: "m" }), request).status).toBe(status);
  });
});
