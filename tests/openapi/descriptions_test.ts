/**
 * Everything that a client reads about is described, and shown by an example that fits.
 *
 * @module
 */
import * as v from "valibot";
import { endpoints } from "../../src/api/endpoints.ts";
import { assertEquals } from "../assert.ts";
import { createContract } from "../support/contract.ts";

const text = await Deno.readTextFile("spec/openapi.json");
const { components, tags } = JSON.parse(text);
const contract = createContract(text);
const documented = endpoints.filter(({ operational }) => !operational);

/** Begins with a capital or code and ends with a full stop. */
const SENTENCE = /^(?:[A-Z]|`)[\s\S]*\.$/;

function isSentence(value: unknown): boolean {
  return typeof value === "string" && SENTENCE.test(value);
}

Deno.test("every component of the document is described in sentences", () => {
  const all = ["schemas", "parameters", "headers", "responses"].flatMap((kind) =>
    Object.entries(components[kind]).map(([name, value]) => [name, Object(value).description])
  );
  assertEquals(all.filter(([, description]) => !isSentence(description)), []);
});

Deno.test("every tag and every endpoint is described in sentences", () => {
  const described = [...tags, ...endpoints, ...endpoints.map(({ tag }) => tag)];
  assertEquals(described.filter(({ description }) => !isSentence(description)), []);
  const summaries = endpoints.map(({ summary }) => summary);
  assertEquals(summaries.filter((summary) => !/^[A-Z].*[^.]$/.test(summary)), []);
});

Deno.test("every parameter of an endpoint is described in sentences", () => {
  const parameters = contract.operations.flatMap(({ operationId, value }) =>
    [value["parameters"]].flat().map(Object).filter(({ $ref }) => $ref === undefined)
      .map(({ name, description }) => ({ operationId, name, description }))
  );
  assertEquals(parameters.filter(({ description }) => !isSentence(description)), []);
});

Deno.test("every endpoint of the document has an example, with a request if it has a body", () => {
  const lacking = documented.filter(({ body, example }) =>
    example === undefined || (body !== undefined) !== (example.request !== undefined)
  );
  assertEquals(lacking.map(({ operationId }) => operationId), []);
});

Deno.test("every example fits the schemas of its endpoint", () => {
  const misfits = documented.flatMap(({ operationId, body, response, example }) => [
    ...(body === undefined || v.is(body, example?.request) ? [] : [`request of ${operationId}`]),
    ...(v.is(response, example?.response) ? [] : [`response of ${operationId}`]),
  ]);
  assertEquals(misfits, []);
});
