/** The protocol of tech adapters, shown on the reference pages: this server calls it, adapters offer it. */
import document from "./tech-adapter.json" with { type: "json" };

export const techAdapterDocument = { name: "tech-adapter", document };
