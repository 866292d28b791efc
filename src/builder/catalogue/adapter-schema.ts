import { Type } from "typebox";
import { OneOf } from "../../platform/http/schema.ts";

/** `urn:<namespace>:itm:<adapter-name>:<version>`; no part contains a colon or white space. */
export const adapterUrnPattern = "^urn:[^:\\s]+:itm:[^:\\s]+:[^:\\s]+$";

const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description });

/** Body of the registration of a tech adapter; `environments` are the configured ones. */
export const registrationBody = (environments: readonly string[]) =>
  Type.Object(
    {
      id: Type.String({
        maxLength: 512,
        pattern: adapterUrnPattern,
        description: "Identifier of the form urn:<namespace>:itm:<adapter-name>:<version>.",
        examples: ["urn:dmb:itm:postgres-storage:1"],
      }),
      name: text(255, "Name for people."),
      description: text(4096, "What the adapter is for."),
      version: text(255, "Equals the last segment of the id."),
      url: text(2048, "HTTP address of the adapter, as the provisioning coordinator reaches it."),
      environment: OneOf(environments, { description: "One of the configured environments." }),
      properties: Type.Record(Type.String(), Type.Unknown(), {
        default: {},
        description: "Further properties of the infrastructure template.",
      }),
    },
    {
      description: "Links an infrastructure template identifier to the address of its tech adapter.",
      additionalProperties: Type.Object(
        {},
        {
          additionalProperties: true,
          description: "An object under any other name is taken as further properties of the template.",
        },
      ),
    },
  );

/** The response, a JSON string. */
export const registrationAnswer = OneOf(["OK"]);
