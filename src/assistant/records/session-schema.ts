/** Wire shapes of the sessions. */
import { Type } from "typebox";
import { Nullable } from "../../platform/http/schema.ts";
import { pagination } from "../record-schema.ts";

const time = Type.String({ format: "date-time" });

/** Any text: a malformed id is not found, like that of another owner's session. */
export const sessionParams = Type.Object({ session_id: Type.String({ minLength: 1, maxLength: 256 }) });

export const titleBody = Type.Object({ title: Type.String({ maxLength: 1_000 }) });

export const pageQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
  offset: Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0 }),
});

const meta = Type.Object({ pagination });

export const sessionList = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String({ format: "uuid" }),
      title: Type.String(),
      agent_id: Nullable(Type.String({ format: "uuid" })),
      created_at: time,
      updated_at: time,
    }),
  ),
  meta,
});

export const messageList = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      run_id: Type.String({ format: "uuid" }),
      role: Type.Enum(["user", "assistant"]),
      content: Type.String(),
      created_at: time,
    }),
  ),
  meta,
});
