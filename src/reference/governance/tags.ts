/** The tags of the OpenAPI document: each groups operations of one subject. */
export const tags = [
  { name: "Policies", description: "Policies and metrics: versioned records with a life cycle." },
  { name: "Exceptions", description: "Excuses from a policy, with an end, decided by somebody else." },
  {
    name: "Evaluations",
    description: "Evaluations by request, and trials of policies that are not in force.",
  },
  {
    name: "Results",
    description: "What policies and metrics found, pushed results, and the compliance of units.",
  },
  { name: "Ownership", description: "Who may touch whose unit, and who decides about it." },
  { name: "Earlier clients", description: "What clients of earlier products ask about a data product." },
  {
    name: "Removed",
    description: "Operations of earlier releases, which answer 410 with what replaces them.",
  },
];
