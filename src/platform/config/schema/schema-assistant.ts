import { Type } from "typebox";
import { mcpServers } from "./schema-mcp.ts";
import { count, entry, section, text } from "./schema-parts.ts";

const minute = 60_000;

const price = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1_000_000, default: 0, description });

const modelPrice = entry(
  {
    model: text("Name of the model or deployment as it is configured; `*` stands for any characters.", {
      maxLength: 255,
    }),
    inputPerMillion: price("Price of a million tokens sent."),
    outputPerMillion: price("Price of a million tokens received."),
    cachedPerMillion: price("Price of a million tokens sent that the provider had cached."),
  },
  "Prices of one model.",
);

const approvalRule = entry(
  {
    tool: text("A tool as `server:name`; `*` stands for any characters.", { maxLength: 512 }),
    decision: Type.Enum(["auto", "ask", "deny"] as const, {
      description: "`auto` calls it, `ask` asks the user before each call, `deny` never calls it.",
    }),
  },
  "A rule for some tools.",
);

/** What a run of the assistant may use up, and what it has to ask for. */
export const assistant = section(
  {
    parallelRuns: count(64, "Runs at a time in this process; more wait.", { maximum: 10_000 }),
    budgets: section(
      {
        steps: count(12, "Turns of models in one run, those of sub-agents included.", { maximum: 1_000 }),
        toolCalls: count(40, "Tool calls in one run.", { maximum: 10_000 }),
        parallelToolCalls: count(8, "Tool calls of one turn at a time.", { maximum: 100 }),
        depth: count(3, "How deep agents call agents; 1 is the first agent alone.", { maximum: 10 }),
        timeMs: count(5 * minute, "Time limit of a run, not counting the wait for approvals."),
        tokens: count(200_000, "Tokens that one run sends and receives."),
        toolTimeoutMs: count(minute, "Time limit of one tool call."),
        toolResultChars: count(
          50_000,
          "Maximum length of a tool result that a model is given; the rest is cut.",
        ),
      },
      "What one run may use. At a limit the model answers once more, without tools, before the run ends.",
    ),
    models: section(
      {
        timeoutMs: count(2 * minute, "Time limit of one call of a model."),
        idleMs: count(30_000, "Longest pause within the answer of a model."),
        answerBytes: count(4_194_304, "Maximum size of a model's answer as sent."),
        attempts: count(3, "Attempts of a call that a model refused for its rate.", { maximum: 10 }),
        retryAfterMaxMs: count(20_000, "Longest wait that a model may ask for between attempts."),
        contextTokens: count(100_000, "Context window of the model; history is compacted before it is full."),
      },
      "Calls of models.",
    ),
    offer: section(
      {
        tools: count(40, "Tools that a model is shown at a time; an agent that has more finds the others.", {
          maximum: 1_000,
        }),
        skills: count(30, "Skills that a model is shown at a time besides those that it has loaded.", {
          maximum: 1_000,
        }),
      },
      "How much a model has to choose from. The most fitting are shown; the tool `find_tools` finds the others.",
    ),
    titles: Type.Enum(["model", "message"] as const, {
      default: "model",
      description: "What makes the title of a session: a short call of the model, or the first message.",
    }),
    approvals: section(
      {
        destructive: Type.Enum(["auto", "ask", "deny"] as const, {
          default: "ask",
          description: "For destructive tools that no rule names.",
        }),
        rules: Type.Array(approvalRule, {
          maxItems: 1_000,
          default: [],
          description:
            "The first rule that matches a tool decides. Tools that match no rule and change nothing are called.",
        }),
        expireHours: count(24, "How long an approval waits for the user.", { maximum: 720 }),
      },
      "Which tool calls wait for the user.",
    ),
    prices: Type.Array(modelPrice, {
      maxItems: 1_000,
      default: [],
      description: "What models cost, in any currency. The first entry that matches a model counts.",
    }),
    mcpServers,
    ownMcpServer: section(
      {
        browserOrigins: Type.Array(
          text("An origin.", {
            pattern: "^https?://[^/?#@\\s*]+$",
            "x-expects": "a scheme, a host and perhaps a port, such as https://inspector.example",
          }),
          {
            maxItems: 100,
            default: [],
            description:
              "Origins whose pages may call `/mcp` and what belongs to signing in there. Without any, browsers keep the " +
              "answers from pages of other origins.",
          },
        ),
      },
      "The platform's own MCP server at `/mcp`.",
    ),
    retrieval: section(
      {
        lookEveryMs: count(
          5_000,
          "How often a process of workers looks whether something has changed; half as often after a while in which nothing has.",
        ),
        compareEveryMs: count(
          10 * minute,
          "After so long everything is compared, also when nothing seems to have changed.",
        ),
        queryTimeoutMs: count(
          2_000,
          "How long a search waits for the embedder; after that the words alone decide.",
        ),
        embedTimeoutMs: count(30_000, "Time limit of an embedder call for passages of the index."),
        embedAtOnce: count(32, "Passages in one call of the embedder.", { maximum: 2_048 }),
        vectorBytes: count(
          67_108_864,
          "Memory for vectors in each process, one byte per dimension. Passages beyond it are found by their words alone.",
        ),
      },
      "What the assistant searches, see the guide on retrieval.",
    ),
    retentionDays: count(365, "How long the events of ended runs are kept.", { maximum: 36_500 }),
  },
  "The assistant.",
);
