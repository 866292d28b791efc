import { Type } from "typebox";

export const repositoryParams = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: 110,
    description: "Name of the repository, with `.git` at its end.",
  }),
});

export const advertiseQuery = Type.Object({
  service: Type.Enum(["git-upload-pack"], {
    description: "What the git program is about to do; repositories are only read.",
  }),
});

export const protocolHeader = Type.Object({
  "git-protocol": Type.Optional(
    Type.String({ description: "Version of the protocol that the client wants." }),
  ),
});
