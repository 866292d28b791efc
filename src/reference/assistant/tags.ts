/** The tags of the OpenAPI document: each groups operations of one subject. */
export const tags = [
  { name: "Skills", description: "Instructions that agents load when a question needs them." },
  { name: "Agents", description: "Agents with their instructions, skills, tools and sub-agents." },
  { name: "MCP tools", description: "Tools of MCP servers, and their approval." },
  { name: "Configuration", description: "Values that the assistant and its clients keep by key." },
  { name: "Models", description: "The language model and the embedder." },
  { name: "External agents", description: "Agents elsewhere that agents here may ask." },
  { name: "Sessions", description: "Conversations of the caller." },
  { name: "Tasks", description: "Questions to the assistant: their runs, events and approvals." },
  { name: "Usage", description: "Tokens and cost by user, agent or model." },
  {
    name: "Other clients",
    description: "The same runs for clients of AG-UI, the AI SDK, Chat Completions and Responses.",
  },
  { name: "A2A", description: "The same runs for agents that speak A2A." },
  { name: "MCP server", description: "The platform's tools for MCP clients." },
  { name: "Search", description: "Searches skills, tools, entities, descriptors and pages." },
  {
    name: "Export and import",
    description: "Moves skills, agents and external agents between installations.",
  },
];
