/**
 * `recto import notion`: mirrors a workspace of the vendor's service over its API.
 *
 * What changed there is read into a folder in the form of an export as JSON lines; then what
 * changed in the folder is written. Both steps go on where they were interrupted.
 *
 * @module
 */
import { OperatorError } from "../../store/operator_error.ts";
import { type ExportFolder, openExportFolder, requireOwnFolder } from "../export/folder.ts";
import { MANIFEST } from "../export/jsonl_format.ts";
import { originOf } from "../transfer/connection.ts";
import { isObject, type JsonObject, textAt } from "../transfer/json.ts";
import { type Journal, openJournal } from "../transfer/journal.ts";
import { readObjectId } from "../transfer/object_id.ts";
import { readUsers, USERS_OPTION } from "./jsonl.ts";
import { DEFAULT_FOLDER, DEFAULT_SOURCE, NOTION_TOKEN } from "./notion/defaults.ts";
import { COMMENT_MODES, type CommentMode } from "./notion/read_content.ts";
import { readWorkspace } from "./notion/read_workspace.ts";
import { createSourceClient } from "./notion/source_client.ts";
import { writeMirror } from "./notion/write_mirror.ts";
import type { ImportContext, ImportSource } from "./source.ts";

export const notionSource: ImportSource = {
  name: "a mirror",
  usage: `  notion: a workspace of Notion, over its API; run again, only what changed is carried
    --from-token  token of an integration there (default: NOTION_TOKEN, which others cannot read)
    --from-url    origin of that API (default: ${DEFAULT_SOURCE})
    --root        IDs of pages or databases, joined by commas (default: all that the token sees)
    --folder      folder with what was read, for the next run (default: ${DEFAULT_FOLDER})
    --comments    pages, all (with those of blocks: a request for each), or none (default: pages)
    --rate        requests a second that are sent there (default: 3)
`,
  options: {
    "from-token": { type: "string" },
    "from-url": { type: "string" },
    root: { type: "string" },
    folder: { type: "string" },
    comments: { type: "string" },
    rate: { type: "string" },
    ...USERS_OPTION,
  },
  recognizes: () => Promise.resolve(false),
  run: importNotion,
};

async function importNotion(path: string, context: ImportContext): Promise<boolean> {
  const settings = readSettings(context.options);
  const folder = await openExportFolder(path);
  const { http, report, progress } = context;
  const { server, token, rate, roots, comments } = settings;
  const source = createSourceClient({ server, token, rate, parallel: 4, ...http });
  const owner = { source: server, account: textAt(await source.get("/v1/users/me"), "id") };
  const fileJournal = openJournal(`${path}/${FILE_JOURNAL}`, {
    ...owner,
    roots: [...roots].join(),
  });
  const users = await readUsers(context.options.users);
  const write = (generation: number) => writeMirror(path, context, { folder, generation, users });
  try {
    const before = manifestOf(folder);
    if (before.complete && isUnwritten(context.journal, before)) await write(before.generation);
    const { complete: isIncremental } = before;
    const generation = isIncremental ? before.generation + 1 : Math.max(1, before.generation);
    await readWorkspace({
      source,
      folder,
      fileJournal,
      progress,
      report,
      roots,
      comments,
      generation,
      isIncremental,
    });
    await write(generation);
  } finally {
    fileJournal.close();
  }
  report.count("requests to the source", source.requests());
  return true;
}

const FILE_JOURNAL = "files.journal";
/** In the folder, unless `--journal` names another file. */
export const WRITE_JOURNAL = "write.journal";

/** Creates the folder of a mirror; throws if it has other files. */
export async function claimFolder(path: string): Promise<void> {
  await requireOwnFolder(path, FILE_JOURNAL);
  await Deno.mkdir(path, { recursive: true });
  (await Deno.open(`${path}/${FILE_JOURNAL}`, { append: true, create: true })).close();
}

interface Settings {
  readonly server: string;
  readonly token: string;
  readonly rate: number;
  readonly roots: ReadonlySet<string>;
  readonly comments: CommentMode;
}

function readSettings(options: ImportContext["options"]): Settings {
  const text = (name: string, byDefault = ""): string => {
    const value = options[name];
    return typeof value === "string" ? value : byDefault;
  };
  const token = text("from-token");
  if (token === "") throw new OperatorError(`--from-token or ${NOTION_TOKEN} is missing`);
  const url = text("from-url", DEFAULT_SOURCE);
  const server = originOf(url);
  if (server === undefined) {
    throw new OperatorError(
      `--from-url must be an origin such as ${DEFAULT_SOURCE}, without a path: "${url}"`,
    );
  }
  const rate = Number(text("rate", "3"));
  if (!(rate > 0 && rate <= 10_000)) {
    throw new OperatorError(`--rate must be a number over 0, up to 10,000: ${text("rate")}`);
  }
  const mode = text("comments", "pages");
  const comments = COMMENT_MODES.find((one) => one === mode);
  if (comments === undefined) {
    throw new OperatorError(`--comments must be ${COMMENT_MODES.join(", ")}: ${mode}`);
  }
  return { server, token, rate, comments, roots: new Set(readRoots(text("root"))) };
}

function readRoots(text: string): string[] {
  return text.split(",").map((root) => root.trim()).filter((root) => root !== "").map((root) => {
    const id = readObjectId(root);
    if (id !== undefined) return id;
    throw new OperatorError(`--root must be the ID of a page or database, or its URL: ${root}`);
  });
}

interface ReadManifest {
  readonly complete: boolean;
  readonly generation: number;
}

function manifestOf(folder: ExportFolder): ReadManifest {
  const manifest: unknown = JSON.parse(folder.read(MANIFEST) ?? "{}");
  const { complete, generation }: JsonObject = isObject(manifest) ? manifest : {};
  if (folder.has(MANIFEST) && typeof generation !== "number") {
    throw new OperatorError(`${folder.pathOf(MANIFEST)} is of an export: name another --folder`);
  }
  return { complete: complete === true, generation: Number(generation ?? 0) };
}

/** A reading must be written as it is before anything is read again. */
function isUnwritten(journal: Journal, { generation }: ReadManifest): boolean {
  return journal.get("written") !== String(generation);
}
