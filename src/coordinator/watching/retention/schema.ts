import { Type, type Static } from "typebox";

export const retentionQuery = Type.Object({
  counted: Type.Optional(
    Type.Boolean({
      description: "Also counts the rows that would go now; that takes longer.",
      default: false,
    }),
  ),
});

const time = (description: string) =>
  Type.Union([Type.String({ format: "date-time" }), Type.Null()], { description });

export const retentionView = Type.Object({
  data: Type.Array(
    Type.Object({
      rule: Type.String({ description: "Name of the rule." }),
      setting: Type.String({ description: "The setting that says how long its rows are kept." }),
      keepDays: Type.Integer({ description: "0 keeps them for ever." }),
      before: time("Rows from before this time are old; null where they are kept for ever."),
      wouldDelete: Type.Union([Type.Integer(), Type.Null()], {
        description:
          "Rows that would go now: plans without what goes with them. Null where nothing was counted.",
      }),
      isMore: Type.Boolean({ description: "There are more: counting stopped at that number." }),
      deleted: Type.Integer({ description: "Rows that were deleted so far." }),
      lastPassAt: time("When all old rows had last been looked at; null before that."),
      failure: Type.Union([Type.String(), Type.Null()], { description: "Why the last batch failed." }),
    }),
  ),
});

export type RetentionView = Static<typeof retentionView>;
