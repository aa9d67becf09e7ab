/**
 * The commands of `recto policy`, in the order of its help.
 *
 * @module
 */
import type { Command } from "../../policy/command.ts";
import { command as can } from "./commands/can.ts";
import { command as check } from "./commands/check.ts";
import { command as diff } from "./commands/diff.ts";
import { command as explain } from "./commands/explain.ts";
import { command as flow } from "./commands/flow.ts";
import { command as fmt } from "./commands/fmt.ts";
import { command as init } from "./commands/init.ts";
import { command as leastPrivilege } from "./commands/least_privilege.ts";
import { command as page } from "./commands/page.ts";
import { command as prove } from "./commands/prove.ts";
import { command as replay } from "./commands/replay.ts";
import { command as test } from "./commands/test.ts";
import { command as who } from "./commands/who.ts";

export const COMMANDS: readonly Command[] = [
  check,
  fmt,
  test,
  explain,
  can,
  who,
  flow,
  diff,
  page,
  prove,
  init,
  replay,
  leastPrivilege,
];
