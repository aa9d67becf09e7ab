/**
 * The same rows on Hono, `jose` and `node:sqlite`, as their documentation shows them: no limits, no
 * policy, no entity tags, and one row is one record. `hono_server.ts PORT FILE SECRET`.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { Hono } from "hono";
import { jwtVerify } from "jose";

const [port = "0", file = ":memory:", secret = ""] = Deno.args;
const key = new TextEncoder().encode(secret);

const db = new DatabaseSync(file);
db.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE rows (
    id INTEGER PRIMARY KEY, title TEXT, kind TEXT, number REAL, date TEXT
  );
  CREATE INDEX rows_by_kind ON rows (kind, number);
  CREATE VIRTUAL TABLE words USING fts5 (title, content = 'rows', content_rowid = 'id');
  CREATE TRIGGER words_of_rows AFTER INSERT ON rows BEGIN
    INSERT INTO words (rowid, title) VALUES (new.id, new.title);
  END;
`);
const one = db.prepare("SELECT * FROM rows WHERE id = ?");
const first = db.prepare("SELECT * FROM rows ORDER BY id LIMIT ?");
const query = db.prepare("SELECT * FROM rows WHERE kind = ? ORDER BY number DESC LIMIT ?");
const search = db.prepare(`
  SELECT rows.* FROM words JOIN rows ON rows.id = words.rowid
  WHERE words MATCH ? ORDER BY rank LIMIT ?
`);
const insert = db.prepare("INSERT INTO rows (title, kind, number, date) VALUES (?, ?, ?, ?)");

const app = new Hono();

app.use(async (context, next) => {
  const token = context.req.header("authorization")?.replace("Bearer ", "") ?? "";
  try {
    await jwtVerify(token, key, { issuer: "peers", audience: "peers" });
  } catch {
    return context.json({ error: "unauthorized" }, 401);
  }
  return await next();
});
app.get("/rows/:id", (context) => context.json(one.get(context.req.param("id")) ?? {}));
app.post("/rows/query", async (context) => {
  const { kind, limit } = await context.req.json();
  return context.json(kind === undefined ? first.all(limit) : query.all(kind, limit));
});
app.post("/rows/search", async (context) => {
  const { words, limit } = await context.req.json();
  return context.json(search.all(words, limit));
});
app.post("/rows", async (context) => {
  const { title, kind, number, date } = await context.req.json();
  const { lastInsertRowid } = insert.run(title, kind, number, date);
  return context.json({ id: Number(lastInsertRowid), title, kind, number, date });
});

Deno.serve({ hostname: "127.0.0.1", port: Number(port), onListen: () => {} }, app.fetch);
