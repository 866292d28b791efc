/** Tools about the user and the installation: who asks, where things run, what waits for them. */
import { Type } from "typebox";
import { readEntityRef } from "./inputs.ts";
import { platformTool, Refused, urlPath, type Caller } from "./tool.ts";

export const whoAmI = platformTool({
  name: "who_am_i",
  title: "Who the user is",
  description:
    "Says as whom everything is called: the user's reference, roles, and where the catalogue has them their name and groups.",
  readOnly: true,
  input: Type.Object({}),
  async run(caller) {
    const { ref, roles, provider } = caller.actor;
    return { ref, roles, signedInBy: provider, ...(await profileOf(caller, ref)) };
  },
});

/** What the catalogue says of a user; nothing of one that it does not have. */
async function profileOf(caller: Caller, ref: string): Promise<object> {
  const { kind, namespace, name } = readEntityRef(ref, "user");
  try {
    const { value } = await caller.get(urlPath`/api/catalog/entities/by-name/${kind}/${namespace}/${name}`);
    const relations = (value.relations ?? []) as { type: string; targetRef: string }[];
    const groups = relations.filter(({ type }) => type === "memberOf").map(({ targetRef }) => targetRef);
    return { inCatalogue: true, name: value.spec?.profile?.displayName ?? value.metadata.title, groups };
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return { inCatalogue: false };
    throw error;
  }
}

export const listEnvironments = platformTool({
  name: "list_environments",
  title: "List environments",
  description:
    "Lists the configured environments, each with how many units are deployed and operations active there.",
  readOnly: true,
  input: Type.Object({}),
  async run(caller) {
    const { value } = await caller.get("/api/coordinator/v1/environments");
    return { environments: value.data as unknown[] };
  },
});

export const listWaiting = platformTool({
  name: "list_waiting",
  title: "List what waits for the user",
  description:
    "Lists what waits for the user's decision, the oldest first: hooks of access requests and of deployments that they may " +
    "answer, exceptions from policies, tool calls of their runs that wait for approval, and units whose last operation " +
    "failed. It decides nothing: the user does.",
  readOnly: true,
  input: Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: "Entries of this answer." }),
  }),
  async run(caller, query) {
    const { value } = await caller.get("/api/coordinator/v1/waiting", query);
    return { waiting: value.data as unknown[], ...value.meta.pagination };
  },
});
