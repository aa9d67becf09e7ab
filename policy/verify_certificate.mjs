/**
 * Verifies a certificate of `policy prove` against a policy file. Shares no code with what wrote it.
 *
 *     node policy/verify_certificate.mjs policy/scopes.json CERTIFICATE.json
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

const hasAll = (list, names) => names.every((name) => list.includes(name));
const without = (list, names) => list.filter((name) => !names.includes(name));
const isSet = (list) => new Set(list).size === list.length;
const isAcr = (text) => text.startsWith("acr:");
const escape = (text) => text.replace(/\W/g, "\\$&");
const like = (pattern, name) =>
  new RegExp(`^${pattern.split("*").map(escape).join("[^]*")}$`).test(name);

const listsOf = (rule) => rule === "public" ? [[]] : rule.anyOf ?? [rule];

/** Gives each alias what all the routes need whose rules decide it. */
function withAliases({ routes, aliases = {}, safe = [], ...policy }) {
  const both = (one, other) =>
    one.flatMap((list) => other.map((more) => [...new Set([...list, ...more])]));
  const own = Object.entries(aliases).map(([name, targets]) => [name, [targets].flat()]);
  const ruled = own.map(([name, targets]) => {
    const lists = targets.map((target) => listsOf(routes[target])).reduce(both);
    return [name, { anyOf: lists }];
  });
  const reading = own.filter(([, targets]) => hasAll(safe, targets)).map(([name]) => name);
  const all = { ...routes, ...Object.fromEntries(ruled) };
  return { ...policy, routes: all, safe: [...safe, ...reading] };
}

/** Returns what is wrong with a certificate, one sentence each. Both are the texts of JSON files. */
export function verify(policyText, certificateText) {
  const policy = withAliases(JSON.parse(policyText));
  const { certificate, digest, scopes, statements, ...tables } = JSON.parse(certificateText);
  const [all, faults] = [Object.keys(policy.scopes).sort(), []];
  const expect = (isTrue, fault) => isTrue || faults.push(fault);
  const allows = (rule, token) => listsOf(rule).some((list) => hasAll(token, list));
  expect(certificate === 1 && `${scopes}` === `${all}`, "The version or the scopes differ");

  const rows = ["routes", "fields"].map((table) => {
    expect(`${Object.keys(tables[table])}` === `${Object.keys(policy[table])}`, `${table} differ`);
    return Object.entries(policy[table]).map(([name, rule]) => {
      const { allowed, refusedAllBut } = tables[table][name] ?? { allowed: [], refusedAllBut: [] };
      const isSmallest = (set) =>
        allows(rule, set) && set.every((one) => !allows(rule, without(set, [one])));
      const isLargest = (lacks) =>
        !allows(rule, without(all, lacks)) &&
        lacks.every((one) => allows(rule, [...without(all, lacks), one]));
      // A refused token lacks a scope of each allowed set. All such choices must be covered.
      const isCovered = (lacks) =>
        allowed.find((set) => without(set, lacks).length === set.length)
          ?.every((one) => isCovered([...lacks, one])) ??
          refusedAllBut.some((set) => hasAll(lacks, set));
      const lists = [allowed.map(String), refusedAllBut.map(String), ...allowed, ...refusedAllBut];
      expect(lists.every(isSet), `${name}: a repetition`);
      expect(allowed.every(isSmallest), `${name}: a token is not a smallest allowed one`);
      expect(
        listsOf(rule).every((list) => allowed.some((set) => hasAll(list, set))),
        `${name}: an allowed token is missing`,
      );
      expect(refusedAllBut.every(isLargest), `${name}: a token is not a largest refused one`);
      expect(isCovered([]), `${name}: a refused token is missing`);
      return [name, allowed];
    }).sort(([a], [b]) => (a < b ? -1 : 1));
  });
  const [routes, fields] = [rows[0].filter(([, sets]) => sets.length > 0), rows[1]];
  const seen = fields.filter(([, sets]) => !sets.some((set) => set.length === 0));
  const meaning = JSON.stringify({ version: 1, routes, fields: seen });
  expect(digest === createHash("sha256").update(meaning).digest("hex"), "The digest differs");

  const stated = statements.map(({ statement }) => statement);
  expect(JSON.stringify(stated) === JSON.stringify(policy.invariants ?? []), "Statements differ");
  for (const { statement, holds, counterexample: example } of statements) {
    // "Cannot" is false if the largest token can, "can" if the smallest cannot.
    const refuting = refute(statement, { policy, all, allows });
    const isRefuted = refuting.some(({ target, effect, proves }) =>
      target === example?.target && effect === example.effect && proves(example.scopes)
    );
    const isRight = holds ? refuting.length === 0 && !example : holds === false && isRefuted;
    expect(isRight, `Wrong: "${statement.name}"`);
  }
  return faults;
}

/** Returns the calls and fields that refute a statement, and which tokens prove it. */
function refute({ tokens, except = [], ...claims }, { policy, all, allows }) {
  const pick = (patterns) =>
    all.filter((name) => patterns.some((one) => isAcr(one) === isAcr(name) && like(one, name)));
  const only = tokens.only ?? ["*"];
  const bounds = pick(only.some(isAcr) ? only : [...only, "acr:*"]);
  const [least, most] = [pick(tokens.with ?? []), without(bounds, pick(tokens.without ?? []))];
  const reads = (call) =>
    /^(GET|HEAD|OPTIONS|TRACE) /.test(call) ||
    (call.startsWith("POST ") && policy.safe?.includes(call) === true);
  const isMeant = (patterns = [], name) =>
    patterns.some((one) => {
      if (one !== "reads" && one !== "writes") return like(one, name);
      return name in policy.routes && reads(name) === (one === "reads");
    });
  return [
    ["canCall", policy.routes, "cannot call", least, false],
    ["cannotCall", policy.routes, "can call", most, true],
    ["canSee", policy.fields, "does not see", least, false],
    ["cannotSee", policy.fields, "sees", most, true],
  ].flatMap(([claim, rules, effect, extreme, isBad]) =>
    Object.keys(rules).filter((name) =>
      hasAll(most, least) && isMeant(claims[claim], name) && !isMeant(except, name) &&
      allows(rules[name], extreme) === isBad
    ).map((target) => ({
      ...{ target, effect },
      // None of its scopes can be left out.
      proves: (token) =>
        isSet(token) && hasAll(token, least) && hasAll(most, token) &&
        allows(rules[target], token) === isBad &&
        without(token, least).every((one) =>
          allows(rules[target], without(token, [one])) !== isBad
        ),
    }))
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [policy, certificate] = process.argv.slice(2).map((file) => readFileSync(file, "utf8"));
  const faults = verify(policy, certificate);
  process.stdout.write(`${faults.join("\n") || "The certificate is right"}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
