/** Wire shapes of custom views, and of the page of data contracts. */
import { Type, type Static } from "typebox";

/** The pages that have a custom view. */
export const pageIds = ["dataProductPage", "outputPortPage"] as const;
export type PageId = (typeof pageIds)[number];

const item = Type.Object(
  {
    label: Type.String({ minLength: 1, maxLength: 200, description: "What stands before the value." }),
    path: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: "^[A-Za-z0-9_$-]+(\\.[A-Za-z0-9_$-]+|\\[[0-9]{1,6}\\])*$",
      description: "Where the value is in the entity: `spec.mesh.maturity`, `spec.tags[0]`.",
    }),
    kind: Type.Enum(["text", "link", "date", "list", "markdown"], {
      default: "text",
      description: "How the value is shown.",
    }),
  },
  { additionalProperties: false },
);

const items = (description: string) => Type.Array(item, { maxItems: 100, description });

const content = {
  grid: items("The values in the middle of the page, in order."),
  side: items("The values at its side, in order."),
};

export const viewContent = Type.Object(content);
export type ViewContent = Static<typeof viewContent>;

export const viewParams = Type.Object({
  pageId: Type.String({ minLength: 1, maxLength: 64, description: pageIds.join(", ") }),
});

export const putViewBody = Type.Object(
  {
    ...content,
    revision: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2_147_483_647,
        description: "Of the view that this one was made from; refused (409) where there is a newer one.",
      }),
    ),
  },
  { additionalProperties: false },
);

export const customView = Type.Object({
  pageId: Type.String(),
  revision: Type.Integer({ description: "0 until somebody has published one." }),
  ...content,
  isDefault: Type.Boolean({ description: "Whether it is what the page shows by itself." }),
  draft: Type.Unknown({
    description: "What an upgrade has made of removed settings, as it stood there; null where there is none.",
  }),
  updatedAt: Type.Union([Type.String({ format: "date-time" }), Type.Null()]),
  updatedBy: Type.Union([Type.String(), Type.Null()]),
});
export type CustomView = Static<typeof customView>;

export const contractsQuery = Type.Object({
  environment: Type.String({ minLength: 1, maxLength: 128, description: "A configured environment." }),
  after: Type.Optional(
    Type.String({ minLength: 1, maxLength: 512, description: "`next` of the page before." }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: "Data products on a page." }),
});

const text = Type.Union([Type.String(), Type.Null()]);

const dataContract = Type.Object({
  dataProduct: Type.Object({ id: Type.String(), name: text, domain: text, owner: text }),
  outputPort: Type.Object({ id: Type.String(), name: text, version: text }),
  environment: Type.String(),
  contract: Type.Unknown({
    description: "`dataContract` of the output port as it is deployed; secrets are ***.",
  }),
});
export type DataContract = Static<typeof dataContract>;

export const contractPage = Type.Object({
  data: Type.Array(dataContract),
  next: Type.Union([Type.String(), Type.Null()], {
    description: "Where the next page begins; null after the last one. A page may be empty.",
  }),
});
export type ContractPage = Static<typeof contractPage>;
