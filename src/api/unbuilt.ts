/**
 * Routes that the policy governs already and that are still to be built.
 *
 * @module
 */
import * as v from "valibot";
import { AppError } from "../errors.ts";
import type { Endpoint, Method } from "../http/endpoint.ts";
import { define, type Services } from "./services.ts";

const pathId = v.pipe(v.string(), v.maxLength(64), v.description("Id of the object."));

function unbuilt(
  method: Method,
  path: string,
  { operationId, tag, summary }: {
    readonly operationId: string;
    readonly tag: string;
    readonly summary: string;
  },
): Endpoint<Services> {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  return define({
    method,
    path,
    operationId,
    tag,
    summary,
    description: "Authorized by the policy; answers 501 `not_implemented`.",
    ...(names.length > 0 && {
      params: v.strictObject(Object.fromEntries(names.map((name) => [name, pathId]))),
    }),
    response: v.strictObject({}),
    handle: () => {
      throw new AppError("not_implemented", `${method} ${path} is not built yet`);
    },
  });
}

export const unbuiltEndpoints = [
  unbuilt("POST", "/v2/search", {
    operationId: "search",
    tag: "Search",
    summary: "Search by words",
  }),
  unbuilt("POST", "/v2/search/semantic", {
    operationId: "searchByMeaning",
    tag: "Search",
    summary: "Search by meaning",
  }),
];
