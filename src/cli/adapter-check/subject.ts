/** The input of an adapter check: the files and options that its author gives, or a generated unit. */
import { isRecord } from "../../platform/lib/is-record.ts";
import { findComponent, listComponents } from "../../adapters/kit/descriptor.ts";
import { sampleUnit } from "../../adapters/conformance/sample.ts";
import type { Subject } from "../../adapters/conformance/session.ts";
import { newId } from "../../platform/lib/ids.ts";
import { readDescriptor } from "../descriptor-file.ts";
import type { Cli } from "../context.ts";
import { inputFailure } from "../exit-codes.ts";

export interface SubjectOptions {
  descriptor?: string;
  component?: string;
  needs?: string[];
  invalidDescriptor?: string;
  ref?: string[];
  reverseParams?: string;
  production?: boolean;
}

type JsonObject = Record<string, unknown>;

const defaultRefs = ["user:plinth-check", "group:plinth-check"];

export async function readSubject(cli: Cli, options: SubjectOptions): Promise<Subject> {
  const unit =
    options.descriptor === undefined
      ? sampleUnit(newId().slice(0, 8))
      : await readUnit(cli, options.descriptor);
  const ids = listComponents(unit).flatMap(({ component: { id } }) => (typeof id === "string" ? [id] : []));
  if (ids.length === 0) {
    throw inputFailure("The descriptor has no component to work with.", { where: options.descriptor ?? "" });
  }
  const { environment } = unit;
  if (typeof environment === "string" && /^prod/i.test(environment) && !options.production) {
    throw inputFailure(`The descriptor is for ${environment}. A check deploys and removes things for real.`, {
      where: options.descriptor ?? "",
      solutions: ["Give a descriptor of a test environment, or --production if this is meant."],
    });
  }
  const invalidUnit =
    options.invalidDescriptor === undefined ? undefined : await readUnit(cli, options.invalidDescriptor);
  const componentId =
    options.component === undefined ? ids[0]! : findId(ids, options.component, "--component");
  if (invalidUnit && !findComponent(invalidUnit, componentId)) {
    throw inputFailure(`It must hold the component ${componentId} too.`, { where: "--invalid-descriptor" });
  }
  return {
    unit,
    componentId,
    needs: (options.needs ?? []).map((id) => findId(ids, id, "--needs")),
    refs: options.ref ?? defaultRefs,
    areRefsMadeUp: options.ref === undefined,
    invalidUnit,
    reverseParams: parseParams(options.reverseParams),
  };
}

const readUnit = async (cli: Cli, file: string): Promise<JsonObject> =>
  (await readDescriptor(cli, file)).value;

function findId(ids: readonly string[], wanted: string, where: string): string {
  const found = ids.includes(wanted) ? [wanted] : ids.filter((id) => id.endsWith(`:${wanted}`));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw inputFailure(
    found.length === 0 ? `There is no component ${wanted}.` : `Several components end so: ${wanted}.`,
    {
      where,
      solutions: [`Name one of ${ids.slice(0, 20).join(", ")}.`],
    },
  );
}

function parseParams(text: string | undefined): JsonObject {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    if (isRecord(value)) return value;
  } catch {
    // Reported below, like JSON that is not an object.
  }
  throw inputFailure("It must be a JSON object.", { where: "--reverse-params" });
}
