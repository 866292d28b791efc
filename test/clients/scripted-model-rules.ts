/** What the model of the clients says. */
import type { Rule } from "../support/scripted-model/script.ts";

/** Asks for the approval of a call that finds nothing to stop, so that it changes nothing. */
const removal = {
  name: "platform__terminate_provisioning",
  arguments: { deploymentUnitId: "urn:dmb:cmp:none:none:0", environment: "development" },
};
const lookUp = { name: "platform__search_templates", arguments: {} };

export const rules: Rule[] = [
  { role: "user", last: "look", turn: { text: "I look.", calls: [lookUp] } },
  { role: "user", last: "remove", turn: { text: "I remove it.", calls: [removal] } },
  { role: "user", last: "endless", turn: { text: "on", endless: true, tokenMs: 20 } },
  { role: "user", last: "break", turn: { text: "Half an answer", cutAfter: 2, tokenMs: 20 } },
  { role: "tool", last: "did not allow|refused by the user|not to", turn: { text: "Then not." } },
  { role: "tool", turn: { text: "It was called." } },
  { turn: { text: "Good morning" } },
];
