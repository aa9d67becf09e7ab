/**
 * Compares the component schemas of two documents, each pair once.
 *
 * @module
 */
import type { Change } from "./documents.ts";
import type { Finding, Pair, Side } from "./finding.ts";
import type { SchemaReader } from "./shapes.ts";
import { createComparer } from "./unions.ts";

/** Names of two components that correspond to each other in requests or responses. */
export interface ComponentPair extends Pair<string> {
  readonly side: Side;
}

export interface ComponentDiff {
  /** Compares a pair and all pairs that it leads to, on behalf of an operation. */
  reach(pair: ComponentPair, route: string): void;
  /** Returns the changes, sorted by name of the schema. */
  changes(): Change[];
}

interface Visit {
  readonly pair: ComponentPair;
  readonly findings: readonly Finding[];
  readonly met: readonly ComponentPair[];
  readonly routes: Set<string>;
}

export function createComponentDiff(readers: Pair<SchemaReader>): ComponentDiff {
  const visits = new Map<string, Visit>();

  function visit(pair: ComponentPair): Visit {
    const key = JSON.stringify([pair.before, pair.after, pair.side]);
    const visited = visits.get(key);
    if (visited !== undefined) return visited;
    const { side } = pair;
    const met: ComponentPair[] = [];
    const compare = createComparer({
      side,
      readers,
      meet: (names) => met.push({ side, ...names }),
    });
    const schemas = {
      before: readers.before.component(pair.before),
      after: readers.after.component(pair.after),
    };
    const visit = { pair, findings: [...compare(schemas, "")], met, routes: new Set<string>() };
    visits.set(key, visit);
    return visit;
  }

  return {
    reach(pair, route) {
      const open = [pair];
      for (const next of open) {
        const { met, routes } = visit(next);
        if (routes.has(route)) continue;
        routes.add(route);
        open.push(...met);
      }
    },
    changes: () =>
      [...visits.values()]
        .flatMap(({ pair, findings, routes }) => {
          const schema = pair.before === pair.after ? pair.after : `${pair.before} → ${pair.after}`;
          return findings.map((one) => ({ schema, side: pair.side, ...one, routes: [...routes] }));
        })
        .sort((a, b) => a.schema < b.schema ? -1 : Number(a.schema > b.schema)),
  };
}
