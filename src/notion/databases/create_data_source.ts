/**
 * Refuses a second data source in a database.
 *
 * @module
 */
import * as v from "valibot";
import { AppError } from "../../shared/errors.ts";
import { own } from "../endpoint.ts";

/** Each database has one data source, which is created with it. */
export const createDataSource = own({
  method: "POST",
  path: "/v1/data_sources",
  operationId: "createDataSource",
  body: v.looseObject({}),
  response: v.object({}),
  handle: () => {
    throw new AppError(
      "invalid_request",
      "Unsupported request: create_data_source. Each database has one data source: create a database with `initial_data_source`.",
    );
  },
});
