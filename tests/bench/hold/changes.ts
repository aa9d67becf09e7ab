/**
 * Changes of a large database, after which it is in the trash.
 *
 * @module
 */
import { DATABASE } from "../query/data.ts";
import type { Deed } from "./deeds.ts";
import type { Service } from "./service.ts";
import { ROOT } from "./workspace.ts";

export function changes({ ask }: Service, rows: number): Deed[] {
  const retype = (name: string, properties: object): Deed => ({
    name,
    rows,
    run: () => ask(`PATCH /v2/databases/${DATABASE}`, { properties }),
  });
  const blocks = rows * 3;
  return [
    retype("add a number", { New: { number: {} } }),
    retype("add a unique_id", { Ref: null, Id: { unique_id: { prefix: "R" } } }),
    retype("remove a unique_id", { Id: null }),
    retype("rich_text to select", { Notes: { select: {} } }),
    retype("select to rich_text", { Notes: { rich_text: {} } }),
    retype("number to rich_text", { Score: { rich_text: {} } }),
    retype("rich_text to number", { Score: { number: {} } }),
    retype("date to rich_text", { Due: { rich_text: {} } }),
    retype("multi_select to rich_text", { Tags: { rich_text: {} } }),
    retype("rich_text to multi_select", { Tags: { multi_select: {} } }),
    retype("select to status", { Stage: { status: {} } }),
    retype("remove a select", { Region: null }),
    { name: "trash all", rows: blocks, run: () => ask(`DELETE /v2/pages/${ROOT}`) },
    {
      name: "bring all back",
      rows: blocks,
      run: () => ask(`PATCH /v2/pages/${ROOT}`, { in_trash: false }),
    },
    { name: "trash the database", rows, run: () => ask(`DELETE /v2/databases/${DATABASE}`) },
  ];
}
