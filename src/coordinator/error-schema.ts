import { Type, type Static } from "typebox";

const texts = Type.Array(Type.String());

/** The error object of the interface: body of every refused request, and each validation error. */
export const errorObject = Type.Object({
  errors: texts,
  code: Type.String(),
  userMessage: Type.String(),
  input: Type.String(),
  inputErrorField: Type.String(),
  moreInfo: Type.Object({ problems: texts, solutions: texts }),
});
export type ErrorObject = Static<typeof errorObject>;
