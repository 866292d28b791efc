/** The tags of the OpenAPI document: each groups operations of one subject. */
export const tags = [
  { name: "Queries", description: "Reading by GraphQL." },
  { name: "Metadata", description: "What is tracked and shown of the databases." },
];
