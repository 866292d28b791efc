/** Our agents by A2A, asked by the protocol's own client as of both generations, and by our own. */
import { Role, TaskState, type StreamResponse, type Task } from "@a2a-js/sdk";
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  type Client,
} from "@a2a-js/sdk/client";
import { describe, expect, it } from "vitest";
import { askByA2a } from "../../../src/assistant/agents/external/ask-by-a2a.ts";
import { tokenOf, until, type TestRole } from "../../support/server.ts";
import { longTurn, many, root, tools, useFixture, versions, type Version } from "./fixture.ts";

const fixture = useFixture();

/** Fetches as a client of that generation: one of 0.3 knows nothing of the fields that came later. */
const fetchOf =
  (version: Version, as: TestRole): typeof fetch =>
  async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${tokenOf(as)}`);
    const response = await fetch(input, { ...init, headers });
    if (version === "1.0" || !response.url.endsWith("agent-card.json")) return response;
    const { supportedInterfaces: _, securityRequirements: __, ...card } = (await response.json()) as any;
    return Response.json(card);
  };

async function connect(version: Version, path = "", as: TestRole = "admin"): Promise<Client> {
  const options = { fetchImpl: fetchOf(version, as), legacyCompat: { enabled: true } };
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory(options)],
    cardResolver: new DefaultAgentCardResolver(options),
  });
  const client = await factory.createFromUrl(`${fixture.server.url}${path}/`);
  expect(client.protocolVersion).toBe(version);
  return client;
}

let sent = 0;

const messageOf = (text: string, more: object = {}, data: object[] = []) => ({
  tenant: "",
  message: {
    messageId: `m-${(sent += 1)}`,
    contextId: "",
    taskId: "",
    role: Role.ROLE_USER,
    parts: [
      ...(text === "" ? [] : [{ content: { $case: "text" as const, value: text } }]),
      ...data.map((value) => ({ content: { $case: "data" as const, value } })),
    ].map((part) => ({ ...part, metadata: undefined, filename: "", mediaType: "" })),
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
    ...more,
  },
  configuration: undefined,
  metadata: undefined,
});

const at = (id: string) => ({ tenant: "", id });

const textOf = ({ artifacts }: Pick<Task, "artifacts">): string =>
  artifacts
    .flatMap(({ parts }) => parts)
    .map(({ content }) => (content?.$case === "text" ? content.value : ""))
    .join("");

/** What a reader of a stream has in the end, by the rules of the protocol. */
function gathered(events: readonly StreamResponse[]): { states: TaskState[]; text: string; task: Task } {
  const states: TaskState[] = [];
  let text = "";
  let task: Task | undefined;
  for (const { payload } of events) {
    if (payload?.$case === "task") {
      task = payload.value;
      text = textOf(task);
      states.push(task.status!.state);
    } else if (payload?.$case === "statusUpdate") states.push(payload.value.status!.state);
    else if (payload?.$case === "artifactUpdate") {
      const piece = textOf({ artifacts: [payload.value.artifact!] });
      text = payload.value.append ? text + piece : piece;
    }
  }
  return { states, text, task: task! };
}

async function allEvents(stream: AsyncGenerator<StreamResponse>): Promise<StreamResponse[]> {
  const all: StreamResponse[] = [];
  for await (const event of stream) all.push(event);
  return all;
}

const sync = async (message: string): Promise<string> =>
  (await fixture.server.assistant({ method: "POST", path: "/task/sync", body: { message } })).body.message;

it("shows cards that clients of both generations read, to those who may use the agents", async () => {
  const get = (path: string, as: TestRole | null = "viewer") =>
    fetch(fixture.server.url + path, {
      headers: as === null ? {} : { authorization: `Bearer ${tokenOf(as)}` },
    });
  const card = (await (await get("/.well-known/agent-card.json")).json()) as any;
  const url = `${fixture.server.url}${root}`;
  expect(card).toEqual({
    name: "Main",
    description: "Answers.",
    version: "0.1.0",
    protocolVersion: "0.3.0",
    url,
    preferredTransport: "JSONRPC",
    supportedInterfaces: [
      { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    ],
    provider: { organization: "Plinth", url: fixture.server.url },
    capabilities: {
      streaming: true,
      pushNotifications: false,
      stateTransitionHistory: false,
      extendedAgentCard: false,
    },
    supportsAuthenticatedExtendedCard: false,
    securitySchemes: {
      bearer: { type: "http", scheme: "bearer", httpAuthSecurityScheme: { scheme: "Bearer" } },
    },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    security: [{ bearer: [] }],
    defaultInputModes: ["text/plain", "application/json"],
    defaultOutputModes: ["text/plain", "application/json"],
    skills: [
      {
        id: "22222222-2222-4222-8222-222222222201",
        name: "plans",
        description: "Explains plans.",
        tags: ["skill"],
      },
      {
        id: "11111111-1111-4111-8111-111111111102",
        name: "Helper",
        description: "Helps.",
        tags: ["agent"],
      },
    ],
  });
  expect(await (await get(`${root}/.well-known/agent-card.json`)).json()).toEqual(card);
  const helper = (await (await get(`${root}/agents/helper/.well-known/agent-card.json`)).json()) as any;
  expect(helper).toMatchObject({ name: "Helper", url: `${url}/agents/helper` });
  expect(helper.skills).toEqual([
    { id: "11111111-1111-4111-8111-111111111102", name: "Helper", description: "Helps.", tags: ["agent"] },
  ]);
  for (const name of ["off", "nobody"]) {
    const answer = await get(`${root}/agents/${name}/.well-known/agent-card.json`);
    expect([answer.status, ((await answer.json()) as any).code]).toEqual([404, "ASSISTANT_UNKNOWN_AGENT"]);
  }
  const refused = await get("/.well-known/agent-card.json", null);
  expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
    401,
    expect.stringContaining("Bearer"),
  ]);
});

describe.each(versions)("a client of %s", (version) => {
  it("sends, gets the answer that Task Sync gives, and goes on in the same context", async () => {
    const client = await connect(version);
    const task = (await client.sendMessage(messageOf("Please look"))) as Task;
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(textOf(task)).toBe("It is blue.");
    expect(textOf(task)).toBe(await sync("Please look"));
    expect(task.history.map(({ parts }) => parts[0]?.content?.value)).toEqual(["Please look"]);
    expect(await client.getTask(at(task.id))).toEqual(task);
    const bare = await client.getTask({ ...at(task.id), historyLength: 0 });
    expect(bare.history).toEqual([]);
    const { contextId } = task;
    const next = (await client.sendMessage(messageOf("Hello", { contextId }))) as Task;
    expect([next.contextId, textOf(next)]).toEqual([contextId, "Good morning\n\u2028 ✓"]);
    const said = fixture.model.requests.at(-1)?.body.messages.map(({ content }) => content);
    expect(said).toContain("It is blue.");
  });

  it("streams the answer, and what was said before it is replaced", async () => {
    const client = await connect(version);
    const events = await allEvents(client.sendMessageStream(messageOf("Please look")));
    const { states, text, task } = gathered(events);
    expect(states).toEqual([
      TaskState.TASK_STATE_SUBMITTED,
      TaskState.TASK_STATE_WORKING,
      TaskState.TASK_STATE_COMPLETED,
    ]);
    expect(text).toBe("It is blue.");
    expect(textOf(await client.getTask(at(task.id)))).toBe(text);
  });

  it("asks an agent by its name", async () => {
    const client = await connect(version, `${root}/agents/helper`);
    await client.sendMessage(messageOf("Hello"));
    expect(fixture.model.requests.at(-1)?.body.messages[0]?.content).toContain("You are the helper");
  });

  it("sends the same message twice and has one task", async () => {
    const client = await connect(version);
    const message = messageOf("Hello");
    const [first, second] = (await Promise.all([
      client.sendMessage(message),
      client.sendMessage(message),
    ])) as Task[];
    expect(second).toEqual(first);
    const again = gathered(await allEvents(client.sendMessageStream(message)));
    expect([again.task.id, again.text]).toEqual([first?.id, "Good morning\n\u2028 ✓"]);
    expect(
      fixture.model.requests.filter(({ body }) => body.messages.at(-1)?.content === "Hello"),
    ).toHaveLength(1);
  });

  it("does not wait when told so, and cancels", async () => {
    const client = await connect(version);
    const configuration = {
      acceptedOutputModes: [],
      taskPushNotificationConfig: undefined,
      returnImmediately: true,
    };
    const task = (await client.sendMessage({ ...messageOf("endless"), configuration })) as Task;
    expect([TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING]).toContain(task.status?.state);
    const cancelled = await client.cancelTask({ ...at(task.id), metadata: undefined });
    expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect(await client.cancelTask({ ...at(task.id), metadata: undefined })).toEqual(cancelled);
    const done = (await client.sendMessage(messageOf("Hello"))) as Task;
    await expect(client.cancelTask({ ...at(done.id), metadata: undefined })).rejects.toMatchObject({
      name: expect.stringContaining("TaskNotCancelableError"),
    });
  });

  it("comes back after a cut and misses nothing", async () => {
    const client = await connect(version);
    const cut = new AbortController();
    // Slow until the client is back.
    longTurn.tokenMs = 300;
    const first = client.sendMessageStream(messageOf("long"), { signal: cut.signal });
    let id = "";
    for await (const { payload } of first) {
      if (payload?.$case === "task") ({ id } = payload.value);
      if (payload?.$case === "artifactUpdate" && payload.value.append) break;
    }
    cut.abort();
    const again = client.resubscribeTask(at(id));
    const { value: back } = await again.next();
    longTurn.tokenMs = 1;
    const { states, text } = gathered([back!, ...(await allEvents(again))]);
    expect(text).toBe(many.join(""));
    expect(states).toEqual([TaskState.TASK_STATE_WORKING, TaskState.TASK_STATE_COMPLETED]);
    await expect(allEvents(client.resubscribeTask(at(id)))).rejects.toThrow("has ended");
  });

  it("learns of an answer that breaks off, and keeps what was written", async () => {
    const client = await connect(version);
    const { states, text, task } = gathered(await allEvents(client.sendMessageStream(messageOf("break"))));
    expect(states.at(-1)).toBe(TaskState.TASK_STATE_FAILED);
    expect(text).toMatch("Half an");
    const { status } = await client.getTask(at(task.id));
    expect(status?.message?.metadata).toEqual({ code: "model_unavailable" });
    expect(JSON.stringify(status)).not.toContain("canary");
  });

  it.each([
    [true, "It is blue.", 1],
    [false, "Then not.", 0],
  ])("is asked before a tool changes something; approved %s", async (approved, text, calls) => {
    const client = await connect(version);
    const asked = (await client.sendMessage(messageOf("remove it"))) as Task;
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const data = asked.status?.message?.parts.at(-1)?.content?.value;
    expect(data).toMatchObject({ server: "unit", tool: "remove", arguments: { what: "x" } });
    expect(await client.getTask(at(asked.id))).toEqual(asked);
    const more = { taskId: asked.id, contextId: asked.contextId };
    await expect(client.sendMessage(messageOf("yes", more))).rejects.toThrow("approval_id");
    const decision = { approval_id: data.approval_id, approved };
    const events = await allEvents(client.sendMessageStream(messageOf("", more, [decision])));
    expect(gathered(events)).toMatchObject({
      text,
      states: expect.arrayContaining([TaskState.TASK_STATE_COMPLETED]),
    });
    expect(tools.calls).toHaveLength(calls);
    // Said again it changes nothing; said otherwise it is refused.
    const again = (await client.sendMessage(messageOf("", more, [decision]))) as Task;
    expect(textOf(again)).toBe(text);
    const other = { ...decision, approved: !approved };
    await expect(client.sendMessage(messageOf("", more, [other]))).rejects.toThrow("The approval is");
  });

  it("stays subscribed while somebody decides elsewhere", async () => {
    const client = await connect(version);
    const events = await allEvents(client.sendMessageStream(messageOf("remove it")));
    const { states, task } = gathered(events);
    expect(states.at(-1)).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const stream = client.resubscribeTask(at(task.id));
    const first = await stream.next();
    expect(gathered([first.value!]).states).toEqual([TaskState.TASK_STATE_INPUT_REQUIRED]);
    const { body } = await until(
      () => fixture.server.assistant({ path: `/runs/${task.id}` }),
      (run) => run.body.status === "waiting",
    );
    await fixture.server.assistant({
      method: "POST",
      path: `/runs/${task.id}/approvals/${body.approvals[0].id}`,
      body: { approved: true },
    });
    const rest = gathered(await allEvents(stream));
    expect(rest.states).toEqual([TaskState.TASK_STATE_WORKING, TaskState.TASK_STATE_COMPLETED]);
    expect(rest.text).toBe("It is blue.");
  });

  it("sees nothing of the tasks and contexts of others", async () => {
    const mine = (await (await connect(version)).sendMessage(messageOf("Hello"))) as Task;
    const other = await connect(version, "", "developer");
    const unknown = { name: expect.stringContaining("TaskNotFoundError") };
    await expect(other.getTask(at(mine.id))).rejects.toMatchObject(unknown);
    await expect(other.cancelTask({ ...at(mine.id), metadata: undefined })).rejects.toMatchObject(unknown);
    await expect(allEvents(other.resubscribeTask(at(mine.id)))).rejects.toMatchObject(unknown);
    await expect(other.sendMessage(messageOf("x", { taskId: mine.id }))).rejects.toMatchObject(unknown);
    await expect(other.sendMessage(messageOf("x", { contextId: mine.contextId }))).rejects.toThrow(
      "message.contextId is no context of yours",
    );
  });
});

it("lists the tasks of the caller in pages, those that changed last first", async () => {
  const client = await connect("1.0", "", "operator");
  const page = {
    tenant: "",
    contextId: "",
    status: TaskState.TASK_STATE_UNSPECIFIED,
    pageToken: "",
    statusTimestampAfter: undefined,
  };
  const ids: string[] = [];
  for (const text of ["one", "two", "three"])
    ids.unshift(((await client.sendMessage(messageOf(text))) as Task).id);
  const first = await client.listTasks({ ...page, pageSize: 2 });
  const second = await client.listTasks({ ...page, pageSize: 2, pageToken: first.nextPageToken });
  expect([...first.tasks, ...second.tasks].map(({ id }) => id)).toEqual(ids);
  expect([first.totalSize, second.nextPageToken]).toEqual([3, ""]);
  expect(first.tasks[0]?.artifacts).toEqual([]);
  const whole = await client.listTasks({ ...page, pageSize: 1, includeArtifacts: true });
  expect(textOf(whole.tasks[0]!)).toBe("Good morning\n\u2028 ✓");
  const completed = await client.listTasks({ ...page, status: TaskState.TASK_STATE_COMPLETED });
  expect(completed.totalSize).toBe(3);
  const waiting = await client.listTasks({ ...page, status: TaskState.TASK_STATE_INPUT_REQUIRED });
  expect(waiting.tasks).toEqual([]);
  const none = await client.listTasks({ ...page, status: TaskState.TASK_STATE_REJECTED });
  expect(none.tasks).toEqual([]);
  const { contextId } = first.tasks[0]!;
  const inContext = await client.listTasks({ ...page, contextId });
  expect(inContext.tasks.map(({ id }) => id)).toEqual(ids.slice(0, 1));
});

it("is an agent elsewhere for another installation", async () => {
  const agent = {
    id: "1",
    name: "other",
    description: "",
    endpoint: `${fixture.server.url}${root}/agents/main`,
    payload: {},
    needAuthentication: true,
    active: true,
  };
  const answer = await askByA2a({
    agent,
    message: "Please look",
    newId: () => `driver-${(sent += 1)}`,
    pause: (ms) => new Promise((done) => setTimeout(done, ms)),
    async ask({ method, url, headers, body }) {
      const response = await fetch(url, {
        method,
        headers: {
          ...headers,
          "content-type": "application/json",
          authorization: `Bearer ${tokenOf("admin")}`,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, headers: {}, text: await response.text() };
    },
  });
  expect(answer).toBe("It is blue.");
});
