/**
 * The closest to the sandbox of `deploy/systemd/recto.service` that needs no systemd: a mount
 * namespace in which everything but the data folder is read-only, no capabilities, and no way to gain
 * privileges. `units_test.ts` compares system calls with the unit's filter.
 *
 * @module
 */

/** Makes the root read-only but for the folder `$1`, and runs the rest without privileges. */
const CONFINE = `set -e
mount --bind "$1" "$1"
mount -o remount,bind,ro /
shift
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all "$@"`;

/** Returns a command that runs another one in the sandbox. */
export function inSandbox(dataFolder: string, command: readonly string[]): string[] {
  return [
    ...["unshare", "--mount", "--ipc", "--propagation", "private", "sh", "-c", CONFINE, "sh"],
    ...[dataFolder, ...command],
  ];
}
