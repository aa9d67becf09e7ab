/**
 * The part of oidc-provider that the tests use. Its package has no types, and those of
 * DefinitelyTyped replace types of Deno by those of Node.js.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from "node:http";

interface Context {
  readonly path: string;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

interface Grant {
  addOIDCScope(scope: string): void;
  addResourceScope(resource: string, scope: string): void;
  save(): Promise<string>;
}

interface Configuration {
  readonly [setting: string]: unknown;
  readonly findAccount: (context: unknown, id: string) => {
    readonly accountId: string;
    readonly claims: () => Record<string, unknown>;
  };
  readonly interactions: {
    readonly url: (context: unknown, interaction: { readonly uid: string }) => string;
  };
}

export class Provider {
  constructor(issuer: string, configuration: Configuration);
  readonly Grant: new (of: { readonly accountId: string; readonly clientId: string }) => Grant;
  use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  interactionDetails(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<{ readonly params: Readonly<Record<string, unknown>> }>;
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: Readonly<Record<string, unknown>>,
  ): Promise<void>;
}

export type { Configuration, Context };
