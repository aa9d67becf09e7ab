import {
  ClientCapabilities,
  getLanguageService,
  type JSONDocument,
  type LanguageService,
  TextDocument,
} from "vscode-json-languageservice";
import { assert, assertEquals, assertStringIncludes } from "../assert.ts";

const live = await Deno.readTextFile("policy/scopes.json");
const schema = await Deno.readTextFile("policy/scopes.schema.json");

interface Editor {
  readonly service: LanguageService;
  readonly document: TextDocument;
  readonly parsed: JSONDocument;
}

/** Opens the policy, changed, as VS Code does. */
function open(from: string, to: string): Editor {
  assert(live.includes(from), from);
  const service = getLanguageService({
    schemaRequestService: () => Promise.resolve(schema),
    workspaceContext: { resolveRelativePath: (path) => `file:///policy/${path}` },
    clientCapabilities: ClientCapabilities.LATEST,
  });
  const text = live.replace(from, to);
  const document = TextDocument.create("file:///policy/scopes.json", "json", 1, text);
  return { service, document, parsed: service.parseJSONDocument(document) };
}

async function problems(from: string, to: string): Promise<string[]> {
  const { service, document, parsed } = open(from, to);
  return (await service.doValidation(document, parsed)).map(({ message }) =>
    typeof message === "string" ? message : message.value
  );
}

/** Completions at the mark. */
async function completions(from: string, to: string): Promise<string[]> {
  const { service, document: marked } = open(from, to);
  const offset = marked.getText().indexOf("▮");
  const text = marked.getText().replace("▮", "");
  const document = TextDocument.create(marked.uri, "json", 1, text);
  const position = document.positionAt(offset);
  const list = await service.doComplete(document, position, service.parseJSONDocument(document));
  return (list?.items ?? []).map(({ label }) => label);
}

async function hover(word: string): Promise<string> {
  const { service, document, parsed } = open(word, word);
  const position = document.positionAt(live.lastIndexOf(word) + 3);
  return JSON.stringify((await service.doHover(document, position, parsed))?.contents);
}

const SEARCH = '"POST /v2/search": ["search.read"]';

Deno.test("an editor finds nothing wrong with the live policy", async () => {
  assertEquals(await problems(SEARCH, SEARCH), []);
});

Deno.test("an editor marks a mistyped scope, route, field, method and anyOf", async () => {
  const typos = [
    [SEARCH, '"POST /v2/search": ["search.raed"]', "Valid values:"],
    [SEARCH, '"POST /v2/saerch": ["search.read"]', "Property POST /v2/saerch is not allowed"],
    [SEARCH, '"PUT /v2/search": ["search.read"]', "Property PUT /v2/search is not allowed"],
    [SEARCH, '"POST /v2/search": "everyone"', 'must be "public"'],
    [SEARCH, '"POST /v2/search": { "anyof": [["search.read"]] }', "Property anyof is not allowed"],
    ['"user.person.email":', '"user.person.emial":', "Valid values:"],
    ['"canCall": ["GET /v2/openapi*"]', '"canCall": ["GET /v2/openapi"]', ""],
  ] as const;
  for (const [from, to, message] of typos) {
    const found = await problems(from, to);
    assert(found.join("\n").includes(message), `${to}: ${found.join(" | ")}`);
    assert(found.length > 0, to);
  }
});

Deno.test("an editor completes scopes, routes, fields and keywords", async () => {
  const inList = await completions(SEARCH, '"POST /v2/search": ["▮"]');
  assertEquals(inList.filter((label) => /read|write/.test(label)).length, 9);
  const routes = await completions(SEARCH, `"▮": [], ${SEARCH}`.replace("POST /v2/search", "x"));
  assert(routes.includes("POST /v2/search"), routes.join());
  const inAlternative = await completions(SEARCH, '"POST /v2/search": { "anyOf": [["▮"]] }');
  assert(inAlternative.some((label) => label.includes("pages.read")), inAlternative.join());
  const calls = await completions('"cannotCall": ["writes"]', '"cannotCall": ["▮"]');
  assert(calls.some((label) => label.includes("DELETE /v2/pages/:page_id")), calls.join());
  assert(calls.some((label) => label.includes("writes")), calls.join());
});

Deno.test("an editor shows what a scope allows and what a route does", async () => {
  const policy = JSON.parse(live);
  assertStringIncludes(await hover('"search.read"]'), policy.scopes["search.read"].slice(0, 20));
  assertStringIncludes(await hover('"GET /v2/users/:user_id": ['), "user");
});
