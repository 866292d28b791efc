/** The tags of the OpenAPI document: each groups operations of one subject. */
export const tags = [
  {
    name: "Signing in",
    description: "JWTs for tokens and sessions, who the caller is, where people sign in.",
  },
  {
    name: "Signing in with a browser",
    description:
      "Sessions of people who use a web page of this server: how they begin, who they are of, how they end.",
  },
  { name: "Tokens", description: "Tokens that people and programs have: made, listed, revoked." },
  { name: "Service accounts", description: "Programs that act by tokens of their own." },
];
