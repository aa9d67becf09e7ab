/**
 * `keys revoke`: ends an API key.
 *
 * @module
 */
import { type CommandResult, failure } from "../command.ts";
import { readOptions } from "../options.ts";
import { assertDatabase, findKey, type KeysContext, onKeys, readPositional } from "./context.ts";

/** Ends a key with all of its secrets. */
export async function revoke(
  args: readonly string[],
  context: KeysContext,
): Promise<CommandResult> {
  const text = readPositional(readOptions(args, { values: [] }), "ID");
  await assertDatabase(context);
  return await onKeys(context, async (store) => {
    const { id, workspace, name } = await findKey(store, text);
    if (!await store.revokeApiKey(workspace, id, context.now)) {
      return failure(1, `API key ${id} was revoked before\n`);
    }
    const stdout = `Revoked API key ${id} (${name}) in workspace ${workspace}\n`;
    return { code: 0, stdout, stderr: "" };
  });
}
