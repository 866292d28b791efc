/** Pure: secrets in the values of keys that mean nothing to the assistant; their names tell them. */
import { isSecretName } from "../../platform/lib/secret-names.ts";
import { maskTexts } from "../masked-values.ts";

/** All of the value where the key itself has the name of a secret. */
export const maskConfig = ({ key, value }: { key: string; value: unknown }): unknown =>
  maskTexts(value, isSecretName(key) ? "below" : "named", isSecretName);
