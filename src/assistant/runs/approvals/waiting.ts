/** Pure: what a run waits for, as events and as a text for clients that know no approvals. */
import type { WaitingApproval } from "../log/ag-ui.ts";
import { shownArguments, type OpenApproval, type OwnedApproval } from "./approval.ts";

const base = "/api/assistant/v2";

export const howToDecide = ({ runId, id }: Pick<OpenApproval, "runId" | "id">): string =>
  `POST ${base}/runs/${runId}/approvals/${id} with {"approved": true} or {"approved": false, "reason": "…"}; to change ` +
  'the arguments, add "arguments" to an approval.';

/** The event that says what a run waits for; its value is a result, as that of a run that has ended. */
export const waitingEvent = "waiting_for_approval";

export const shownApproval = (row: OpenApproval): WaitingApproval => ({
  approval_id: row.id,
  run_id: row.runId,
  tool_call_id: row.callId,
  agents: row.agents,
  server: row.server,
  tool: row.tool,
  arguments: shownArguments(row.arguments),
  expires_at: row.expiresAt.toISOString(),
});

/** Arguments of so many characters are shown as they are; of longer ones each long value is shortened. */
const shortArguments = 600;
const longestValue = 200;
/** What is still longer then is not shown whole. */
const longestArguments = 4_000;

/** The arguments with all their keys, for a text that is approved; null when they are too long for one. */
export function shownWhole(given: Record<string, unknown>): string | null {
  const whole = JSON.stringify(given);
  if (whole.length <= shortArguments) return whole;
  const text = JSON.stringify(given, (_key, value: unknown) =>
    typeof value === "string" && value.length > longestValue
      ? `${value.slice(0, longestValue).toWellFormed()}… (${value.length} characters)`
      : value,
  );
  return text.length <= longestArguments ? text : null;
}

/** Whether the text of what waits shows all that the user approves. */
export const isShownWhole = (row: Pick<OpenApproval, "arguments">): boolean =>
  shownWhole(shownArguments(row.arguments)) !== null;

export function waitingText(approvals: readonly WaitingApproval[]): string {
  const lines = approvals.map(
    ({ approval_id: id, server, tool, arguments: given, expires_at: until }) =>
      `- ${server}:${tool} with ${shownWhole(given) ?? beginning(given)}, until ${until}, approval_id: ${id}`,
  );
  const what = approvals.length === 1 ? "This call of a tool waits" : "These calls of tools wait";
  return [`${what} for you to allow it:`, ...lines, howToAnswer(approvals)].join("\n");
}

function beginning(given: Record<string, unknown>): string {
  const whole = JSON.stringify(given);
  return `${whole.slice(0, shortArguments).toWellFormed()}… (not all of it: ${whole.length} characters)`;
}

function howToAnswer(approvals: readonly WaitingApproval[]): string {
  const forAll = approvals.length > 1 ? " The answer is for all of them." : "";
  const hidden = approvals.find(({ arguments: given }) => shownWhole(given) === null);
  const call = hidden ?? approvals[0];
  const way = call === undefined ? "" : howToDecide({ runId: call.run_id, id: call.approval_id });
  if (hidden === undefined)
    return `Answer "approve", or "refuse" or "refuse: why".${forAll}${call === undefined ? "" : ` Or call ${way}`}`;
  return (
    `The arguments are too long to be shown here, so the answer "approve" is not taken; "refuse" or "refuse: why" is.${forAll} ` +
    `Read them in the console or with GET ${base}/approvals, and decide there or with ${way}`
  );
}

export interface SaidDecision {
  isApproved: boolean;
  reason: string | null;
}

/** The decision of a message that is exactly `approve` or `refuse[: reason]`; null for any other message. */
export function saidDecision(message: string): SaidDecision | null {
  const text = message.trim();
  if (/^approve$/i.test(text)) return { isApproved: true, reason: null };
  const refused = /^refuse(?:\s*:\s*(?<reason>.*))?$/is.exec(text);
  if (refused === null) return null;
  const reason = refused.groups?.["reason"]?.trim() ?? "";
  return { isApproved: false, reason: reason === "" ? null : reason };
}

/** The approvals that a text of `waitingText` names. */
export const namedApprovals = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/approval_id\W{1,8}([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/gi)].map(
      ([, id = ""]) => id.toLowerCase(),
    ),
  ),
];

/** As one of all that waits for its user. */
export const waitingItem = (
  { id, runId, sessionId, agents, server, tool, createdAt, expiresAt }: OpenApproval,
  owner: string,
) => ({
  kind: "APPROVAL" as const,
  id,
  subject: "APPROVAL" as const,
  title: `A run of the assistant asks whether it may call ${tool} of ${server}.`,
  reason: `${agents.at(-1) ?? "The agent"} goes on once you allow or refuse the call.`,
  since: createdAt,
  expiresAt,
  atDeadline: "The run goes on without the call.",
  environment: null,
  deploymentUnitId: null,
  requester: owner,
  // A run is nobody's business but its user's.
  whoMayAct: { refs: [owner], operators: false, rule: null },
  link: { runId, sessionId, approvalId: id },
  path: `/api/assistant/v2/runs/${runId}`,
});

/** For those who tell people about what waits for them. */
export const approvalNotice = ({ id, runId, owner, server, tool, createdAt, expiresAt }: OwnedApproval) => ({
  kind: "TOOL_APPROVAL" as const,
  id,
  title: `A run of the assistant asks whether it may call ${tool} of ${server}.`,
  environment: null,
  since: createdAt,
  expiresAt,
  path: `/api/assistant/v2/runs/${runId}`,
  deciders: async () => [owner],
  notTo: null,
  // A run is nobody's business but its user's.
  operatorsDecide: false,
  visibleTo: [owner.toLowerCase()],
});
