/** What the model says. */
import type { Rule } from "../support/scripted-model/script.ts";

const lookUp = { name: "platform__search_templates", arguments: {} };

export const modelRules: Rule[] = [
  { role: "user", last: "look", turn: { text: "I look.", calls: [lookUp] } },
  {
    role: "user",
    last: "broken",
    turn: { status: 400, error: { error: { message: "canary-in-the-prompt" } } },
  },
  { role: "tool", turn: { text: "It was called." } },
  { turn: { text: "Good morning" } },
];
