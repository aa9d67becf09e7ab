/** Four readers of OpenAPI documents, each by its own code: what they say of one, a line each. */
import { readFileSync } from "node:fs";
import SwaggerParser from "@apidevtools/swagger-parser";
import { validate as validateByHyperjump } from "@hyperjump/json-schema/openapi-3-1";
import { validate as validateByReadme } from "@readme/openapi-parser";
import { Validator } from "@seriousme/openapi-schema-validator";

const [, , file] = process.argv;
const read = () => JSON.parse(readFileSync(file, "utf8"));
const BASE = "https://spec.openapis.org/oas/3.1/schema-base";

const readers = {
  "@readme/openapi-parser": async () => (await validateByReadme(read())).valid,
  "@apidevtools/swagger-parser": async () => Boolean(await SwaggerParser.validate(read())),
  "@seriousme/openapi-schema-validator": async () => (await new Validator().validate(read())).valid,
  "@hyperjump/json-schema": async () => (await validateByHyperjump(BASE, read())).valid,
};

for (const [name, isValid] of Object.entries(readers)) console.log(name, await isValid());
