/** Pure. The life cycle of a policy. */
export const statuses = ["draft", "grace", "enabled", "disabled"] as const;
export type PolicyStatus = (typeof statuses)[number];

/** The statuses that each can be followed by; the same status again is a change only for the end of a grace. */
const followers: Record<PolicyStatus, readonly PolicyStatus[]> = {
  draft: ["grace", "enabled"],
  grace: ["enabled", "disabled", "grace"],
  enabled: ["grace", "disabled"],
  disabled: ["draft"],
};

export const canFollow = (from: PolicyStatus, to: PolicyStatus): boolean => followers[from].includes(to);

/** In words, for a refused change. */
export const followersOf = (from: PolicyStatus): string =>
  followers[from].filter((each) => each !== from).join(" or ");
