/** The certificate authority that `--cacert` names. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import tls from "node:tls";
import { errorCode } from "../../platform/errors/error-code.ts";
import { inputFailure } from "../exit-codes.ts";

/**
 * For what a command calls besides its server: the authorities that come with Node.js or that its variables name, and those of the
 * file.
 */
export const trustedBeside = (): string[] => [
  ...new Set((["bundled", "extra", "default"] as const).flatMap((kind) => tls.getCACertificates(kind))),
];

/**
 * Trusts the authorities of a PEM file, and no others, from now on and in the whole process: a command talks to one server.
 */
export function trustOnly(cwd: string, { value: file, from }: { value: string; from: string }): void {
  const where = from;
  let text: string;
  try {
    text = readFileSync(resolve(cwd, file), "utf8");
  } catch (cause) {
    throw inputFailure(`The file ${file} cannot be read (${errorCode(cause)}).`, { where, cause });
  }
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  const refusal = { where, solutions: ["Give a PEM file, which begins with -----BEGIN CERTIFICATE-----."] };
  if (found === null) throw inputFailure(`The file ${file} holds no certificate.`, refusal);
  try {
    tls.setDefaultCACertificates(found);
  } catch (cause) {
    throw inputFailure(`The file ${file} holds a certificate that cannot be read.`, { ...refusal, cause });
  }
}
