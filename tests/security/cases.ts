/**
 * The catalogue of attacks and faults, 86 cases by number: the tests that show each, or why it does not
 * arise here.
 *
 * @module
 */

/** A file and names of tests in it, as they stand there. */
export type Shown = readonly [file: string, ...names: readonly string[]];

/** Tests, or the reason why there are none. */
export type Case = readonly Shown[] | string;

const HOSTS = "tests/security/host_test.ts";
const PATHS = "tests/security/path_test.ts";
const POLICY = "tests/security/policy_test.ts";
const CREDENTIALS = "tests/security/credentials_test.ts";
const TENANTS = "tests/security/tenants_test.ts";
const FRAMING = "tests/security/framing_test.ts";
const TYPES = "tests/security/body_type_test.ts";
const BODIES = "tests/security/json_test.ts";
const INPUT = "tests/security/input_test.ts";
const SEARCHES = "tests/security/search_filters_test.ts";
const KILLS = "tests/security/kill_test.ts";
const CROWDS = "tests/security/crowd_test.ts";
const JWT = "tests/auth/jwt_test.ts";
const KEYS = "tests/auth/keys_test.ts";
const BEARER = "tests/auth/bearer_test.ts";
const PROOFS = "tests/auth/dpop/proof_test.ts";
const CLAIMS = "tests/auth/claims_test.ts";
const JSON_TEXT = "tests/http/json_test.ts";
const CONNECTION = "tests/store/sqlite/connection_test.ts";
const READING = "tests/api/file_reading_test.ts";
const FILES = "tests/api/files_test.ts";
const IDEMPOTENCY = "tests/api/idempotency_test.ts";
const POSTGRES = "tests/postgres/faults_test.ts";

const PATH_NAMES_NONE: Shown = [PATHS, "a path with ${what} names no route"];
const BODY_REFUSED: Shown = [BODIES, "a body with ${what} is refused and nothing is written"];

export const CASES: Readonly<Record<number, Case>> = {
  1: [[HOSTS, "a Host that holds a path moves the request to no other route"]],
  2: [[HOSTS, "a Host that holds a path moves the request to no other route"]],
  3: [[
    HOSTS,
    "a Host that is missing or no authority is refused",
    "a Host is taken in any case, with or without a port",
  ]],
  4: [[HOSTS, "an absolute target must name the host that Host names"]],
  5: [
    [HOSTS, "over HTTP/2 scheme, path and authority are judged as the rest is"],
    [
      "tests/security/h2_path_test.ts",
      "a path of HTTP/2 without its slash is judged as the one that has it",
    ],
  ],
  6: [PATH_NAMES_NONE],
  7: [PATH_NAMES_NONE],
  8: [PATH_NAMES_NONE, [PATHS, "an id never holds a separator, however it is escaped"]],
  9: [PATH_NAMES_NONE],
  10: [PATH_NAMES_NONE],
  11: [[PATHS, "a target with a fragment or a byte that no target has is refused"]],
  12: [PATH_NAMES_NONE],
  13: [[POLICY, "fields that ask for another method, path or caller have no effect"]],
  14: [[
    POLICY,
    "${path} opens to the tokens that the policy names, and to no other",
    "a path that the policy does not name is a 404 with any token",
    "a token of another workspace opens nothing of this one",
  ]],
  15: [
    ["tests/http/router_test.ts", "match() agrees with the scan for any string of bytes"],
    [PATHS, "what is handled is what URLPattern finds for the raw target, and the log names it"],
  ],
  16: [[
    "tests/security/protocol_test.ts",
    "without a list of origins no answer has a CORS field",
    "an origin of the list is served to the letter, errors too, and no other is",
  ]],
  17: [[JWT, "createJwtVerifier() rejects every spelling of the algorithm none"]],
  18: [[
    JWT,
    "createJwtVerifier() rejects HS256 with any encoding of the RSA public key",
    "createJwtVerifier() accepts no shared secret, even from its key set",
  ]],
  19: [[
    JWT,
    "createJwtVerifier() rejects an algorithm other than that of the signature",
    "createJwtVerifier() accepts each pinned algorithm",
  ]],
  20: [[
    JWT,
    "createJwtVerifier() treats a malformed kid as unknown",
    "createJwtVerifier() rejects a kid that two keys share",
  ]],
  21: [[JWT, "createJwtVerifier() uses no URL and no key from a token header"]],
  22: [[JWT, "createJwtVerifier() rejects every critical extension"]],
  23: [[
    JWT,
    "createJwtVerifier() rejects a token that has expired or has an invalid expiry",
    "createJwtVerifier() tolerates a clock that is 29 s off but not 31 s",
  ]],
  24: [[JWT, "createJwtVerifier() accepts only the exact name of the issuer"]],
  25: [
    [JWT, "createJwtVerifier() accepts only tokens for its own audience"],
    [
      "tests/auth/claim_checks_test.ts",
      "checkAudience() judges a token that has aud by it, whatever stands in its place elsewhere",
    ],
  ],
  26: [
    [JWT, "createJwtVerifier() accepts access tokens and no other kind of JWT"],
    [
      "tests/auth/access_tokens_test.ts",
      "checkAccessToken() demands one condition of each list",
      "checkAccessToken() rejects a token whose audience is its client alone",
      "rejectOtherTokens() rejects what ID tokens and others have, even if it is null",
    ],
    [
      "tests/auth/introspection_test.ts",
      "createIntrospectionVerifier() rejects tokens that are not access tokens, whatever the issuer says",
    ],
    [
      "tests/auth/issuers_test.ts",
      "${recipe}: an ID token is refused, whatever it is made to look like",
    ],
  ],
  27: [
    [JWT, "createJwtVerifier() rejects a token without a subject"],
    [
      CLAIMS,
      "toPrincipal() does not match parts or extensions of scopes",
      "toPrincipal() rejects scopes of another type",
      "toPrincipal() never takes a client for the person whose subject it is named after",
    ],
    [
      "tests/auth/scopes_test.ts",
      "readScopes() takes the first claim alone, so that grants are never added up",
      "readScopes() removes the prefix, and drops scopes without it",
      "readScopes() does not split an entry of a list",
    ],
  ],
  28: [[JWT, "createJwtVerifier() rejects encrypted, nested, compressed and JSON tokens"]],
  29: [
    [BEARER, "readCredentials() rejects a token over 8 KiB as invalid and accepts one of 8 KiB"],
    [
      JWT,
      "createJwtVerifier() rejects a token without exactly three parts",
      "createJwtVerifier() accepts only one spelling of each part",
    ],
  ],
  30: [[
    JWT,
    "createJwtVerifier() rejects a signature with any byte changed",
    "createJwtVerifier() rejects zero, DER and wrong-curve signatures",
  ]],
  31: [[JWT, "createJwtVerifier() rejects duplicate names in header and payload"]],
  32: [[
    KEYS,
    "createKeySet() fetches once per cool-down for 10,000 unknown keys",
    "createKeySet() fetches from a broken source once per cool-down too",
  ]],
  33: [[
    "tests/security/rotation_test.ts",
    "keys that rotate while the service serves refuse nobody, and cost one fetch each",
  ], [
    KEYS,
    "createKeySet() finds each new key at once, with one fetch",
    "createKeySet() fetches no more often during floods of unknown keys while keys rotate",
    "createKeySet() rejects a removed key once its keys are five minutes old",
    "createKeySet() never verifies with a key for encryption",
    "createKeySet() never verifies with a secret or a published private key",
    "createKeySet() never verifies with a weak RSA key",
  ]],
  34: [
    [
      "tests/security/rotation_test.ts",
      "an outage of the issuer stops nobody whose key is held, for a day",
    ],
    [
      KEYS,
      "createKeySet() uses cached keys during an outage, and fetches once in 30 s meanwhile",
      "createKeySet() uses cached keys for a day while the source is down",
      "createKeySet() recovers when its source does",
      "createKeySet() is ready while it has usable keys",
    ],
    [
      "tests/auth/key_sources_test.ts",
      "urlKeys() rejects invalid responses and more than 64 KiB",
      "urlKeys() does not follow redirects",
      "urlKeys() stops when its signal aborts while the issuer sends slowly",
    ],
  ],
  35: [
    [
      "tests/auth/networks_test.ts",
      "isPublic() distinguishes every private range from public addresses",
      "a private IP address fails the start, in every URL setting",
      "a name with any private address is not fetched, and is resolved again for each fetch",
      "the service does not start with private addresses unless RECTO_AUTH_PRIVATE_NETWORK is true",
      "plain http reaches private addresses if it is allowed, and no public one",
      "plain http is refused at the start unless RECTO_AUTH_PLAIN_HTTP is true, and to public addresses always",
      "the key URL in an issuer's metadata may be plain http only where the issuer may",
    ],
    ["tests/auth/urls_test.ts", "urlIssue() reports every other URL"],
    [
      "tests/auth/key_sources_test.ts",
      "issuerKeys() rejects metadata of any other issuer",
      "issuerKeys() does not follow a jwks_uri to an unsafe URL",
    ],
  ],
  36: [[
    "tests/auth/authenticator_test.ts",
    "authenticate() never lets two tokens share an entry",
    "authenticate() rejects a cached token with a changed signature",
    "authenticate() rejects a cached token once it has expired",
    "authenticate() caches no more tokens than its limit",
  ]],
  37: [
    [CLAIMS, "toPrincipal() rejects a token that is bound to a key"],
    [CREDENTIALS, "credentials that are malformed, given twice or in another place are refused"],
    [
      PROOFS,
      "4.3.1: a request without a DPoP header, or with two, is refused",
      "4.3.5: a proof with any other algorithm is refused, and with each one offered accepted",
      "4.3.7: a proof that reveals a private or symmetric key is refused",
      "4.3.8: a proof for another method is refused",
      "4.3.9: a proof for another URL is refused",
      "4.3.11: a proof counts for 60 s, and may be 10 s ahead of our clock",
      "4.3.12: a proof for another access token is refused",
      "7.2: a bound token sent as a bearer token is refused, with a good proof too",
    ],
    [
      "tests/auth/dpop/used_proofs_test.ts",
      "11.1: a proof is admitted once, and its jti not again with anything else",
      "11.1: a proof cannot be used again for as long as it would be accepted",
    ],
    [
      "tests/postgres/dpop_test.ts",
      "a proof that one process took is refused by the other, and nonces are theirs together",
    ],
  ],
  // Times themselves are compared by `deno task bench timing`.
  38: [[
    "tests/security/secrets_test.ts",
    "Case 38: what is made with a secret is compared in constant time, and with nothing else before",
    "Case 38: signatures of tokens and seals of cursors are checked by the libraries alone",
  ]],
  39: [BODY_REFUSED, [
    JSON_TEXT,
    "parseJson() rejects deep nesting as soon as it begins, ignoring strings",
  ]],
  40: [[
    BODIES,
    "names of the language's own objects are ordinary names, and change no object",
    "a property of such a name is refused or leaves the page as it would be without",
  ]],
  41: [BODY_REFUSED, [
    JSON_TEXT,
    "parseJson() rejects a duplicate name, however it is escaped",
  ]],
  42: [BODY_REFUSED, [
    JSON_TEXT,
    "parseJson() rejects bytes that are not UTF-8, and a byte order mark",
  ]],
  43: [BODY_REFUSED, [JSON_TEXT, "parseJson() rejects lone surrogates and NUL"]],
  44: [[
    JSON_TEXT,
    "parseJson() rejects numbers beyond the range of a double",
    "parseJson() rejects integers between two doubles",
  ]],
  45: [[
    BODIES,
    "hundreds of thousands of names, items or characters are refused in a short answer",
  ]],
  46: [
    [
      FRAMING,
      "chunks without an end are answered with 413 at the limit",
      "a body over the limit is a 413 whatever its length claims",
    ],
    [TYPES, "a body over the limit is refused by its stream as well as by its length"],
  ],
  47: [[
    TYPES,
    "a body of another type than JSON in UTF-8 is a 415 that names what is taken",
    "JSON in UTF-8 is taken however its type is written, and its schema applies",
  ]],
  48: [[TYPES, "a body in a coding is a 415, so that none is ever unpacked"]],
  49: [
    [BODIES, "text is kept as it was sent, in whatever normal form"],
    [
      "tests/api/search_pages_test.ts",
      "texts in all languages are found and marked exactly",
    ],
  ],
  50: [
    [
      INPUT,
      "no source makes a pattern or code out of what a client sent",
      "fields that lead a pattern astray are answered like any others",
      "texts that lead a pattern astray are answered like any others",
    ],
    [
      "tests/api/search_pages_test.ts",
      "no query text breaks the search or finds other pages",
    ],
  ],
  51: [
    [INPUT, "text in any language of machines is data, and comes back as it was sent"],
    ["tests/api/query_faults_test.ts", "all issues of filter and sorts are reported at once"],
    [
      "tests/api/users_test.ts",
      "no search finds a person by e-mail, or shows the e-mail, without its scope",
    ],
    [
      SEARCHES,
      "no filter, total or facet of a search tells an e-mail address",
      "a field that a token may not see can be neither filtered, sorted nor counted by",
      "properties that a token may not see are neither filtered nor counted",
    ],
  ],
  52: [[INPUT, "what the service alone decides cannot be sent"]],
  53: [
    [
      "tests/http/content_digest_test.ts",
      "an upload with a malformed Content-Digest or one without sha-256 is a 400, and not stored",
    ],
    [
      FILES,
      "a signed URL that was altered or has expired is rejected",
      "bytes that do not match the upload request are rejected and deleted",
      "bytes over the limit are rejected and deleted, with or without Content-Length",
      "an invalid upload request is rejected with every issue",
    ],
    [
      READING,
      "an address is of one file, one workspace, one name and one purpose",
      "the log contains neither signed URLs nor their signatures",
    ],
  ],
  54: [[
    READING,
    "content that could run in a browser is downloaded, never shown, whatever its name",
    "a link in the place of a file leads nowhere",
  ]],
  // Only `external_url` of an upload is fetched, by the rules of case 35.
  55: [
    [
      "tests/notion/file_uploads_test.ts",
      "files are fetched from public servers alone, whatever the URL looks like",
      "a redirect to what may not be fetched is refused",
    ],
    [
      "tests/files/file_source_test.ts",
      "a redirect to what is refused is not asked",
      "what a guard says of an address is not told",
    ],
    [
      "tests/auth/networks_test.ts",
      "isPublic() distinguishes every private range from public addresses",
      "a name with any private address is not fetched, and is resolved again for each fetch",
    ],
  ],
  56: [
    [
      TENANTS,
      "an object of another workspace is answered as one that nobody ever made",
      "an id of the wrong kind is answered as an unknown one",
    ],
    [
      "tests/api/isolation_test.ts",
      "every route treats another workspace's id like an unknown id",
    ],
  ],
  // The commit of a move refuses circles as well: tests/store/contract_move.ts, on both stores.
  57: [
    [
      "tests/api/isolation_test.ts",
      "a parent in another workspace fails like an unknown one",
      "an append after another workspace's block fails like one after an unknown block",
    ],
    [
      "tests/notion/page_additions_test.ts",
      "a page does not move into itself, to what is trashed, missing or another workspace's",
    ],
    [
      "tests/security/moves_test.ts",
      "Case 57: of two crossing moves at once, ${depth} deep, one succeeds and no circle is made",
      "Case 57: crossing moves of two servers of one database, ${depth} deep, make no circle",
      "Case 57: a page moves into no database or row that is in it, and a database not into itself",
    ],
  ],
  58: [
    ["tests/api/search_test.ts", "a search finds nothing of another workspace"],
    [
      SEARCHES,
      "filters, totals and facets of a search tell nothing of another workspace",
      "filters, totals and facets of a search tell nothing of what is in the trash",
    ],
    ["tests/api/semantic_test.ts", "a semantic search stays in its workspace"],
  ],
  59: [
    [
      "tests/security/cursor_test.ts",
      "a cursor gives nobody more than their own token does, and hides the rest once that is lost",
    ],
    [
      "tests/http/cursor_test.ts",
      "open() rejects the cursor of another list, and names start_cursor",
      "open() rejects a cursor with any one character changed, removed or added",
      "open() rejects the cursor of another service",
      "seal() reveals nothing of the position",
    ],
    [
      "tests/api/children_test.ts",
      "a cursor is opaque and invalid in another workspace",
    ],
  ],
  // Nothing is shared and no client is registered here; tokens are what can be taken back.
  60: [[
    "tests/security/revoked_test.ts",
    "Case 60: a token that its issuer takes back is refused once it was trusted for a minute",
  ]],
  61: [[
    CREDENTIALS,
    "public routes answer the same bytes with any token, a bad one and none",
    "public routes tell no version, and health is never stored, limited or refused",
  ]],
  62: [
    [
      TENANTS,
      "a kept answer is never given to another caller, workspace or route",
      "another workspace's entity tag is worth nothing",
    ],
    [IDEMPOTENCY, "a cached reply requires the scope of the write"],
  ],
  // How much slower others become, and how soon case 64 recovers, depends on the machine:
  // docs/decisions/026 has what was measured.
  63: [
    [
      CROWDS,
      "Case 63: ${STALLED} connections each that say nothing, half a head or half a body hold up nobody else",
    ],
    [
      "tests/system/deployed_proxies_test.ts",
      "behind ${name} as in deploy/, a client that stalls is cut",
    ],
    [
      "tests/app/proxy_warning_test.ts",
      "Case 63: a service that others can reach warns once if it knows no proxy",
    ],
  ],
  64: [
    [
      "tests/security/descriptors_test.ts",
      "Case 64: ${CONNECTIONS} connections to a process that may open ${MOST_FILES} files end no service",
    ],
    [
      "tests/workers/worker_start_test.ts",
      "Case 64: a Worker that the files left do not suffice for is refused, and ends no service",
    ],
  ],
  65: [
    [
      FRAMING,
      "a body whose end two readers could see at two places is refused and writes nothing",
      "a chunk that is malformed ends the connection and writes nothing",
      "a body under a request that takes none is never read as another request",
    ],
    [
      "tests/system/proxies_test.ts",
      "Case 65: behind ${name} no request is served that it did not see as one",
    ],
  ],
  66: [[
    "tests/security/flood_test.ts",
    "Case 66: HTTP/2 with ${what} ends its connection and no other",
  ]],
  67: [
    [
      "tests/security/download_drain_test.ts",
      "a stop lets a long answer come to its end, however slowly its client reads",
      "a stop waits no longer than its grace for a client that reads nothing more",
      "SIGTERM during a download: the client has all of it, and the process ends with 0",
    ],
    [
      "tests/security/drain_test.ts",
      "a stop lets what is in flight finish, says so meanwhile, and then takes no more",
      "a stop lets a body that is being read come to its end, and keeps its write",
      "a stop waits no longer than its grace for what does not end",
      "a stop does not wait for connections that ask for nothing",
    ],
    [KILLS, "Case 67: a SIGTERM under load loses, doubles and tears no write"],
    ["tests/postgres/kill_test.ts", "a ${signal} under load loses, doubles and tears no write"],
  ],
  68: [[
    "tests/security/failure_test.ts",
    "a handler that throws ${what} is a 500 that tells nothing, and the service goes on",
    "a store that throws at once, and not later, is a 500 as well",
    "a write whose commit fails has written nothing",
    "a client that leaves before the answer disturbs nobody",
  ]],
  69: [[
    "tests/security/hostile_markdown_test.ts",
    "after the last answer to 50 hostile texts of 12 clients, no thread works on them",
  ], [
    CROWDS,
    "Case 69: ${CLIENTS} of the largest bodies at once, in little memory, end no service",
  ]],
  70: [
    [
      "tests/security/address_limit_test.ts",
      "a caller that keeps guessing tokens is refused by its address, and told when to return",
      "public routes spend what an address has; probes of the service are not counted",
    ],
    [TENANTS, "one caller's empty bucket is no other's"],
    [
      "tests/security/refusal_order_test.ts",
      "429 comes after 403, before 406 and before anything is asked of the store",
    ],
  ],
  71: [[
    "tests/security/log_test.ts",
    "no line holds a token, a body, a query, a cursor or a path as it was sent",
    "what a client sends can neither break a line nor forge one nor make it long",
  ]],
  72: [[
    "tests/security/clock_test.ts",
    "Case 72: a clock that jumps ends no cursor, repeats no id and lets no token in too early or late",
  ]],
  73: [[
    "tests/security/permissions_test.ts",
    'Case 73: without ${flag} ${name ?? ""} the service says so in a sentence, and does not start',
    "Case 73: what is installed is what the lock file says, and nothing is imported from elsewhere",
  ]],
  // A hundred times by `deno task kills`.
  74: [
    [KILLS, "Cases 74 and 85: a kill under load loses, doubles and tears no write"],
    [
      "tests/store/kill_test.ts",
      "commit() outlives a kill: what was acknowledged is there, and nothing is torn",
    ],
    ["tests/postgres/kill_test.ts", "a ${signal} under load loses, doubles and tears no write"],
  ],
  75: [
    [
      "tests/system/sync_test.ts",
      "Case 75: the disk has each write before its client hears of it",
    ],
    [CONNECTION, "openSqliteStore() syncs each commit and checks what it reads"],
  ],
  76: [[
    CONNECTION,
    'transaction() writes nothing more after "${message}"',
    "ping() throws where the database cannot be written",
  ]],
  77: [
    [
      "tests/security/storage_test.ts",
      "a full disk is named to clients and probes while it lasts, and nothing is half written",
    ],
    [
      CONNECTION,
      "commit() says that the disk is full, whole before and after, and resumes",
    ],
    [
      "tests/files/full_disk_test.ts",
      "an upload is ${told} where the disk says ${code}, leaves nothing, and can be sent again",
      "the service is not ready while the disk of files says ${code}, whatever the database does",
    ],
  ],
  78: [[
    CONNECTION,
    "transaction() tells the first error where SQLite has rolled back by itself",
  ]],
  79: [
    [
      CONNECTION,
      "commit() is unavailable while another process writes, reads go on, then it works",
    ],
    [
      "tests/security/two_writers_test.ts",
      "Case 79: two processes that write one file at once lose nothing, and say so while they wait",
    ],
  ],
  80: [[
    "tests/store/sqlite/wal_test.ts",
    "Case 80: a reader that holds the log stops no write, and the log shrinks once it is gone",
    "Case 80: a log that is cut or gone after a crash takes its last commits with it, and each whole",
  ]],
  81: [[
    "tests/cli/backup_test.ts",
    "a backup under load contains all acknowledged writes and only whole commits",
    "a backup of a running server contains its content, and a restored one serves it",
  ]],
  82: [
    [
      "tests/store/sqlite/upgrade_test.ts",
      "Case 82: a migration from ${from} that is killed at any statement leaves the old database, and is made good by the next start",
    ],
    [
      "tests/store/sqlite/migrations_test.ts",
      "openSqliteStore() refuses a database of a newer release, and leaves it alone",
    ],
    [
      "tests/postgres/migrations_test.ts",
      "migrate() that fails leaves nothing half done, and can be tried again",
      "migrate() that is killed before any of its statements leaves nothing, and starts again",
    ],
  ],
  83: [
    [
      "tests/postgres/standby_test.ts",
      "a database that was read-only for a while is written again by the same process",
    ],
    [
      POSTGRES,
      "transaction() that ${issue} is run again and happens once",
      "reads and commits go on when all connections were cut meanwhile",
      "commit() that is cut while it commits is refused, not repeated, and says so",
      "a read-only standby answers reads and refuses the rest",
      "a statement that takes too long is ended by the server and refused",
    ],
    [
      "tests/postgres/restart_test.ts",
      "writers outlive a restart of the server (${mode}): all is there, each once",
    ],
  ],
  84: [
    [CONNECTION, "commit() says that a file is damaged, and nothing more is written"],
    [
      "tests/store/sqlite/damage_test.ts",
      "whatever bit of a stored document is flipped, it is an error and never another text",
    ],
    [
      "tests/security/storage_test.ts",
      "a stored document that ${what} is a 500 wherever it would be sent, and the log names it",
    ],
    [
      "tests/postgres/damage_test.ts",
      "a stored document that was changed is an error wherever it is read, and a check names it",
    ],
  ],
  85: [
    [KILLS, "Cases 74 and 85: a kill under load loses, doubles and tears no write"],
    [IDEMPOTENCY, "twenty concurrent requests with one key create one page and all return it"],
  ],
  86: [[
    "tests/files/crash_test.ts",
    "after a crash each upload is complete or missing, and leftover files are deleted",
  ]],
};
