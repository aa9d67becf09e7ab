/**
 * A gateway with a policy of an imaginary service, and tokens of the local issuer.
 *
 * @module
 */
import { bootGateway } from "../../src/app/gateway.ts";
import { type MintOptions, openLocalIssuer } from "../../src/auth/local_issuer.ts";
import { readGatewayConfig } from "../../src/config/gateway.ts";
import type { GatewayHandler } from "../../src/gateway/handler.ts";
import { createLog } from "../../src/shared/log.ts";
import { withFolder } from "../support/folders.ts";

export const SHOP = {
  service: "shop",
  scopes: {
    "orders:read": "Read orders.",
    "orders:write": "Write orders.",
    "https://shop.test/admin": "Administer the shop.",
    "acr:mfa": "Signed in with a second factor.",
  },
  routes: {
    "GET /orders": ["orders:read"],
    "POST /orders": ["orders:write"],
    "GET /orders/:id(\\d+)": ["orders:read"],
    "PUT /orders/:id(\\d+)": ["orders:write", "orders:read"],
    "DELETE /orders/:id(\\d+)": ["orders:write", "acr:mfa"],
    "GET /orders/open": { anyOf: [["orders:read"], ["https://shop.test/admin"]] },
    "GET /files/:path+": ["orders:read"],
    "HEAD /admin": ["https://shop.test/admin"],
    "PROPFIND /admin/*": ["https://shop.test/admin"],
    "GET /public/*": "public",
    "OPTIONS /orders{/*}?": "public",
  },
  fields: {},
  invariants: [
    {
      name: "Reading changes nothing",
      tokens: { only: ["orders:read"] },
      cannotCall: ["writes"],
      except: ["* /public/*"],
    },
  ],
};

export interface TestGateway {
  readonly handler: GatewayHandler;
  readonly folder: string;
  /** Path of the policy. */
  readonly file: string;
  /** Lines of the log, parsed. */
  logged(): Promise<Record<string, unknown>[]>;
  mint(scope: string, options?: Partial<MintOptions>): Promise<string>;
  reload(): Promise<void>;
}

export interface TestGatewayOptions {
  readonly policy?: unknown;
  /** In which `{folder}` stands for the folder of the test. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs a test with a gateway, which decides for every host and path by default. */
export function withGateway(
  test: (gateway: TestGateway) => Promise<void>,
  { policy = SHOP, environment = {} }: TestGatewayOptions = {},
): Promise<void> {
  return withFolder(async (folder) => {
    const file = `${folder}/shop.json`;
    await Deno.writeTextFile(file, JSON.stringify(policy));
    const given = { RECTO_GATEWAY_POLICIES: `*=${file}`, ...environment };
    const settings = new Map(
      Object.entries({ RECTO_DATA_DIR: `${folder}/data`, ...given })
        .map(([name, value]) => [name, value.replaceAll("{folder}", folder)]),
    );
    const config = readGatewayConfig((name) => settings.get(name));
    await Deno.mkdir(config.dataDir, { recursive: true });
    let text = "";
    const write = (lines: string): Promise<void> => Promise.resolve(void (text += lines));
    const log = createLog({ level: "info", write, now: Date.now });
    const gateway = await bootGateway(config, log);
    const issuer = await openLocalIssuer({
      folder: config.dataDir,
      audience: undefined,
      workspaceClaim: config.workspaceClaim,
    });
    try {
      await test({
        handler: gateway.handler,
        reload: gateway.reload,
        folder,
        file,
        logged: async () => {
          await log.flush();
          return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
        },
        mint: (scope, options) =>
          issuer.mint({ scope, ttlSeconds: 600, now: Date.now(), ...options }),
      });
    } finally {
      await gateway.close();
      await log.close();
    }
  });
}

export interface Asking {
  readonly token?: string;
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Address of the peer; default this machine. */
  readonly peer?: string;
}

/** Asks as nginx does. */
export async function ask(
  { handler }: Pick<TestGateway, "handler">,
  [method, path]: readonly [method: string, path: string],
  { token, host = "shop.test", headers = {}, peer = "127.0.0.1" }: Asking = {},
): Promise<Response> {
  const request = new Request("http://127.0.0.1:8001/auth/nginx", {
    headers: {
      "x-original-method": method,
      "x-original-url": `https://${host}${path}`,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
  });
  return await handler(request, connectionFrom(peer));
}

/** A connection from an address. */
export function connectionFrom(hostname: string) {
  const remoteAddr = { transport: "tcp", hostname, port: 50_000 } as const;
  return { remoteAddr, completed: Promise.resolve() };
}
