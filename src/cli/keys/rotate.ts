/**
 * `keys rotate`: gives an API key a new secret.
 *
 * @module
 */
import { generateApiKey, hashApiKey } from "../../auth/api_key_format.ts";
import { readConfig } from "../../config/config.ts";
import type { ApiKey } from "../../store/port.ts";
import { type CommandResult, failure } from "../command.ts";
import { readOptions } from "../options.ts";
import {
  assertAccepted,
  assertDatabase,
  findKey,
  type KeysContext,
  onKeys,
  readGrace,
  readLifetime,
  readPositional,
} from "./context.ts";
import { describeTime } from "./times.ts";

/** Adds a secret to a key, and prints it alone to standard output. */
export async function rotate(
  args: readonly string[],
  context: KeysContext,
): Promise<CommandResult> {
  const options = readOptions(args, { values: ["grace", "expires"] });
  const text = readPositional(options, "ID");
  const graceEnd = context.now + readGrace(options);
  const lifetime = readLifetime(options);
  await assertDatabase(context);
  assertAccepted(readConfig(context.environment));
  return await onKeys(context, async (store) => {
    const key = await findKey(store, text);
    const expiresTime = lifetime === undefined ? key.expiresTime : context.now + lifetime;
    const issue = rotationIssue(key, expiresTime, context.now);
    if (issue !== undefined) return failure(1, issue);
    const secret = generateApiKey();
    const rotation = { hash: hashApiKey(secret), now: context.now, graceEnd, expiresTime };
    if (!await store.rotateApiKey(key.workspace, key.id, rotation)) {
      return failure(1, revoked(key));
    }
    const stderr = `Rotated API key ${key.id} (${key.name}): secrets before this one work until ${
      describeTime(graceEnd)
    } at the latest. Store it now: it is not shown again\n`;
    return { code: 0, stdout: `${secret}\n`, stderr };
  });
}

function rotationIssue(key: ApiKey, expiresTime: number | null, now: number): string | undefined {
  if (key.revokedTime !== null) return revoked(key);
  if (expiresTime === null || expiresTime > now) return undefined;
  return `API key ${key.id} has expired: set --expires to use it again\n`;
}

function revoked({ id }: ApiKey): string {
  return `API key ${id} was revoked: create another one\n`;
}
