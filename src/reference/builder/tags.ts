/** The tags of the OpenAPI document: each groups operations of one subject. */
export const tags = [
  { name: "Tech adapters", description: "Registers the tech adapter of an infrastructure template." },
  { name: "Hooks", description: "Decisions that other systems and people make." },
  {
    name: "Access requests",
    description: "Requests for access to output ports, from the request to the grant.",
  },
  { name: "Pages", description: "What pages show, and the list of data contracts." },
  { name: "Repositories", description: "The git repositories that the builder hosts." },
  {
    name: "Catalogue",
    description: "Entities and the locations that they are read from; paths and bodies are Backstage's.",
  },
  { name: "Templates", description: "Instantiates templates and edits what they made." },
  {
    name: "Backstage scaffolder",
    description: "The same instantiations with the paths and bodies of Backstage.",
  },
  {
    name: "Descriptors",
    description: "Builds the descriptor of a system from an archive or from the catalogue.",
  },
];
