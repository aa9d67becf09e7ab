/**
 * `deno task verify`: checks the database for damage, without changing it.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { type Environment, readConfig } from "../config/config.ts";
import {
  checkSlice,
  type DocumentKey,
  type StoredDocument,
  withoutChecksum,
} from "../store/document_check.ts";
import { openConnection } from "../store/postgres/connection.ts";
import { readDocuments } from "../store/postgres/documents.ts";
import * as postgres from "../store/postgres/migrations.ts";
import { createDocumentReader } from "../store/sqlite/documents.ts";
import { exists } from "../store/sqlite/file.ts";
import { checkIntegrity, isDamage } from "../store/sqlite/integrity.ts";
import * as sqlite from "../store/sqlite/migrations.ts";
import { attempt, type CommandResult, conclude, failure, onServer } from "./command.ts";

const USAGE = `Usage: deno task verify

Checks the database at DATABASE_URL: the structure of a SQLite file, and every stored document
against its checksum. Lists what is damaged. The server may be running; the command writes nothing.

Exit codes: 0 no damage, 1 the check failed, 2 wrong usage, 3 damage found.
`;
const OLD_SCHEMA = "The schema is older than this release: run `deno task migrate` first\n";

/** Documents in memory at once. */
const SLICE = 500;

interface Findings {
  documents: number;
  /** Documents without a checksum, which a running server adds. */
  unchecked: number;
  /** One sentence per damage. */
  readonly damage: string[];
}

/** Checks the environment's database. */
export async function verify(
  args: readonly string[],
  { environment }: { readonly environment: Environment },
): Promise<CommandResult> {
  if (args[0] === "--help" && args.length === 1) return { code: 0, stdout: USAGE, stderr: "" };
  if (args.length > 0) return failure(2, USAGE);
  return await attempt("verify", async () => {
    const { database } = readConfig(environment);
    if (database.kind === "postgres") return await onServer(() => verifyServer(database));
    if (!await exists(database.path)) return failure(1, `No such database: ${database.path}\n`);
    return await verifyFile(database.path);
  });
}

async function verifyFile(path: string): Promise<CommandResult> {
  const findings: Findings = { documents: 0, unchecked: 0, damage: [...checkIntegrity(path)] };
  using db = new DatabaseSync(path, { readOnly: true });
  try {
    if (sqlite.planMigrations({ db }).length > 0) return failure(1, OLD_SCHEMA);
    const read = createDocumentReader(db);
    await checkDocuments((after) => Promise.resolve(read(after, SLICE)), findings);
  } catch (error) {
    if (!isDamage(error)) throw error;
    findings.damage.push(`Documents cannot be read: ${error.message}`);
  }
  return report(findings);
}

async function verifyServer(
  database: Parameters<typeof openConnection>[0],
): Promise<CommandResult> {
  const connection = openConnection(database);
  try {
    if ((await postgres.planMigrations(connection)).length > 0) return failure(1, OLD_SCHEMA);
    const findings: Findings = { documents: 0, unchecked: 0, damage: [] };
    await checkDocuments((after) => readDocuments(connection.session, after, SLICE), findings);
    return report(findings);
  } finally {
    await connection.close();
  }
}

async function checkDocuments(
  read: (after: DocumentKey | undefined) => Promise<readonly StoredDocument[]>,
  findings: Findings,
): Promise<void> {
  let after: DocumentKey | undefined;
  do {
    const documents = await read(after);
    const { checked, damaged, next } = checkSlice(documents, SLICE);
    findings.documents += checked;
    findings.unchecked += withoutChecksum(documents).length;
    for (const { workspace, id } of damaged) {
      findings.damage.push(`Document ${id} in workspace ${workspace} is damaged`);
    }
    after = next;
  } while (after !== undefined);
}

function report({ documents, unchecked, damage }: Findings): CommandResult {
  const rest = unchecked === 0 ? "" : ` (${unchecked} have no checksum yet)`;
  const stdout = `Checked ${documents} documents${rest}: ${
    damage.length === 0 ? "nothing is damaged" : "something is damaged"
  }\n`;
  return {
    code: damage.length === 0 ? 0 : 3,
    stdout,
    stderr: damage.map((finding) => `${finding}\n`).join(""),
  };
}

if (import.meta.main) {
  const environment = (name: string) => Deno.env.get(name);
  await conclude(await verify(Deno.args, { environment }));
}
