/**
 * `keys create`: creates an API key.
 *
 * @module
 */
import { generateApiKey, hashApiKey } from "../../auth/api_key_format.ts";
import { type Config, readConfig } from "../../config/config.ts";
import { uuidv7 } from "../../shared/std.ts";
import { type CommandResult } from "../command.ts";
import { type Options, readOptions, UsageError } from "../options.ts";
import { scopeIssues, splitScopes } from "../scopes.ts";
import {
  assertAccepted,
  assertNoPositionals,
  type KeysContext,
  onKeys,
  readLifetime,
} from "./context.ts";
import { describeTime } from "./times.ts";

/** Neither control characters nor those that change the direction of a line on a terminal. */
const PLAIN = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]{1,200}$/u;

/** Creates a key, and prints it alone to standard output. */
export async function create(
  args: readonly string[],
  context: KeysContext,
): Promise<CommandResult> {
  const options = readOptions(args, { values: ["name", "scope", "workspace", "expires"] });
  assertNoPositionals(options);
  const config = readConfig(context.environment);
  assertAccepted(config);
  const { name, scopes, workspace, lifetime } = await readRequest(options, config);
  const id = uuidv7();
  const secret = generateApiKey();
  const expiresTime = lifetime === undefined ? null : context.now + lifetime;
  const key = { id, name, scopes, createdTime: context.now, expiresTime };
  await onKeys(context, (store) => store.addApiKey(workspace, key, hashApiKey(secret)));
  const end = expiresTime === null ? "does not expire" : `expires ${describeTime(expiresTime)}`;
  return {
    code: 0,
    stdout: `${secret}\n`,
    stderr:
      `Created API key ${id} in workspace ${workspace}; it ${end}. Store it now: it is not shown again\n`,
  };
}

interface Request {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly workspace: string;
  /** Milliseconds; undefined: it does not expire. */
  readonly lifetime: number | undefined;
}

/** Throws `UsageError` with everything that is wrong. */
async function readRequest(options: Options, config: Config): Promise<Request> {
  const { values } = options;
  const name = values.get("name");
  const scopes = splitScopes(values.get("scope") ?? "");
  const workspace = values.get("workspace") ?? config.defaultWorkspace;
  const issues = [
    ...(name === undefined ? ["--name is required"] : plainIssues("name", name)),
    ...(scopes.length === 0 ? ["--scope is required"] : []),
    ...await scopeIssues(scopes, config.policyFile),
    ...plainIssues("workspace", workspace),
  ];
  if (name === undefined || issues.length > 0) throw new UsageError(issues.join("\n"));
  return { name, scopes, workspace, lifetime: readLifetime(options) };
}

function plainIssues(option: string, text: string): string[] {
  if (PLAIN.test(text) && text.trim() !== "") return [];
  return [`--${option} must have 1 to 200 characters, and no control characters`];
}
