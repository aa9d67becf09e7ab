/**
 * A small file system that fills up quickly.
 *
 * @module
 */

export interface SmallDisk extends AsyncDisposable {
  readonly folder: string;
  fill(): Promise<void>;
  clear(): Promise<void>;
}

const SIZE = "size=256m";

/** Mounts a small file system; undefined if that is not allowed. */
export async function useSmallDisk(): Promise<SmallDisk | undefined> {
  const folder = await Deno.makeTempDir({ prefix: "recto-disk-" });
  if (!await run("mount", "-t", "tmpfs", "-o", `${SIZE},mode=777`, "none", folder)) {
    await Deno.remove(folder);
    return undefined;
  }
  const ballast = `${folder}/ballast`;
  return {
    folder,
    // Fails when the disk is full.
    fill: async () => void await run("dd", "if=/dev/zero", `of=${ballast}`, "bs=64k"),
    clear: () => Deno.remove(ballast),
    async [Symbol.asyncDispose]() {
      await run("umount", folder);
      await Deno.remove(folder);
    },
  };
}

async function run(command: string, ...args: readonly string[]): Promise<boolean> {
  const process = new Deno.Command(command, {
    args: [...args],
    stdout: "null",
    stderr: "null",
  });
  return (await process.output()).success;
}
