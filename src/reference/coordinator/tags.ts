/** The tags of the OpenAPI document: each groups operations of one subject. */
export const tags = [
  {
    name: "Validation",
    description: "Checks a descriptor: by the coordinator's own rules and by the tech adapters.",
  },
  {
    name: "Deployment units",
    description: "Provisions units, shows what a start would do, and tells what is deployed where.",
  },
  { name: "Provisioning operations", description: "What was started on units, and how it ended." },
  {
    name: "Execution plans",
    description:
      "The graph of tasks of one operation: its state, its log, its live events; to end it and to resume it.",
  },
  {
    name: "Resources",
    description: "Lists for other systems: resources and descriptors of what is deployed.",
  },
  { name: "Templates", description: "Registers the tech adapter of an infrastructure template." },
  { name: "Deprecated", description: "Operations of earlier releases; use those of deployment units." },
  {
    name: "Tech adapters",
    description: "The services that deploy one technology each, and their addresses by environment.",
  },
  { name: "Access", description: "Who may use an output port, and changes of that." },
  { name: "Reverse provisioning", description: "Reads the live state of a resource into its entity." },
  {
    name: "Unknown outcomes",
    description:
      "Calls of adapters of which it is not known whether they acted, until somebody settles them.",
  },
  { name: "Webhooks", description: "Events that were sent to other systems, and their repetition." },
  { name: "Notices", description: "Mails and chat messages about what waits for people." },
  { name: "Drift", description: "Compares what is deployed with what should be." },
  { name: "Audit", description: "Who did what, in all areas, and whether that is still what was written." },
  { name: "Doctor", description: "Whether the installation is as it should be, and what to do." },
  { name: "Retention", description: "Which old rows are deleted when." },
  { name: "Maintenance windows", description: "When operations may begin in an environment." },
  { name: "Search", description: "Finds what has a name, in all areas." },
  { name: "Waiting", description: "What waits for the caller." },
];
