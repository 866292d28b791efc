/** Wire shapes of the keys that hold any value. */
import { Type } from "typebox";

export const configParams = Type.Object({ key: Type.String({ minLength: 1, maxLength: 255 }) });

export const configBody = Type.Object({
  value: Type.Unknown({ description: "Any JSON value, null among them." }),
});

export const configEntry = Type.Object({ key: Type.String(), value: Type.Unknown() });
