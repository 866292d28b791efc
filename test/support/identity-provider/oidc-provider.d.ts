/** The part of the package that tests use; it has no types of its own. */
declare module "oidc-provider" {
  import type { RequestListener } from "node:http";

  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    use(layer: (ctx: { path: string; body: unknown }, next: () => Promise<void>) => Promise<void>): void;
  }
}
