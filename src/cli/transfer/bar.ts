/**
 * A progress bar on a terminal. The package has no types.
 *
 * @module
 */
import cliProgress from "cli-progress";

export interface Bar {
  update(done: number, rate: string): void;
  stop(): void;
}

const FORMAT = "{name} [{bar}] {value}/{total} {rate} {eta_formatted} left";

/** Starts a bar of `total` steps. */
export function createBar(stream: unknown, name: string, total: number): Bar {
  const bar: PackageBar = new cliProgress.SingleBar(
    { format: FORMAT, stream, hideCursor: true, barsize: 30 },
    cliProgress.Presets.legacy,
  );
  bar.start(total, 0, { name, rate: "0/s" });
  return {
    update: (done, rate) => bar.update(done, { rate }),
    stop: () => bar.stop(),
  };
}

interface PackageBar {
  start(total: number, done: number, values: Readonly<Record<string, string>>): void;
  update(done: number, values: Readonly<Record<string, string>>): void;
  stop(): void;
}
