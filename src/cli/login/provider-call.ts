/** Calls an identity provider: with a time limit, a limit of bytes, and never on to another address. */
import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { isRecord } from "../../platform/lib/is-record.ts";
import { trustedBeside } from "../client/certificates.ts";
import { reasonOf } from "../client/http.ts";
import { providerAway } from "./failures.ts";

const timeoutMs = 15_000;
const maxBytes = 1_000_000;

export interface ProviderAnswer {
  status: number;
  /** Empty where the answer is no JSON object. */
  body: Record<string, unknown>;
}

export interface ProviderCall {
  /** For messages. */
  issuer: string;
  url: URL;
  /** Sent as a form by POST; without it the call is a GET. */
  form?: Record<string, string>;
  signal: AbortSignal;
}

/** Rejects with the reason of the signal, or with a Failure `unavailable`. */
export async function callProvider({ issuer, url, form, signal }: ProviderCall): Promise<ProviderAnswer> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await send(url, form, AbortSignal.any([signal, limit]));
    return { status: response.statusCode ?? 0, body: parse(await readAll(response)) };
  } catch (error) {
    if (signal.aborted) throw error;
    throw providerAway(issuer, limit.aborted ? "it did not answer in time" : reasonOf(error), error);
  }
}

function send(
  url: URL,
  form: Record<string, string> | undefined,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const body = form === undefined ? null : new URLSearchParams(form).toString();
  const options = {
    method: body === null ? "GET" : "POST",
    signal,
    agent: false,
    headers: {
      accept: "application/json",
      ...(body !== null && {
        "content-type": "application/x-www-form-urlencoded",
        "content-length": Buffer.byteLength(body),
      }),
    },
    ...(url.protocol === "https:" && { ca: trustedBeside() }),
  } as const;
  return new Promise((resolve, reject) => {
    const open = url.protocol === "https:" ? requestHttps : requestHttp;
    open(url, options, resolve).on("error", reject).end(body);
  });
}

async function readAll(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error("the answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
