import { Type } from "typebox";

export const mcpMessage = Type.Object({
  jsonrpc: Type.Literal("2.0"),
  id: Type.Optional(
    Type.Union([
      Type.String({ maxLength: 512 }),
      Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
    ]),
  ),
  method: Type.String({ minLength: 1, maxLength: 256 }),
  params: Type.Optional(Type.Object({}, { additionalProperties: true })),
});

export const mcpAnswer = Type.Object({ jsonrpc: Type.Literal("2.0") }, { additionalProperties: true });

export const protectedResource = Type.Object({
  resource: Type.String(),
  resource_name: Type.String(),
  authorization_servers: Type.Array(Type.String()),
  scopes_supported: Type.Array(Type.String()),
  bearer_methods_supported: Type.Array(Type.String()),
});
