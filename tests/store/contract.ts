/**
 * The contract of the store: one suite that every adapter runs.
 *
 * @module
 */
import type { Store } from "../../src/store/port.ts";
import { administrationContract } from "./contract_administration.ts";
import { apiKeyContract } from "./contract_api_keys.ts";
import { commentContract } from "./contract_comments.ts";
import { commitContract } from "./contract_commit.ts";
import { linkCountContract } from "./contract_link_counts.ts";
import { linkContract } from "./contract_links.ts";
import { moveContract } from "./contract_move.ts";
import { readContract } from "./contract_read.ts";
import { rowContract } from "./contract_rows.ts";
import { rowModelContract } from "./contract_rows_model.ts";
import { searchContract, searchModelContract } from "./contract_search.ts";
import { serviceContract } from "./contract_service.ts";
import type { OpenStore, StoreTest } from "./contract_support.ts";
import { totalContract } from "./contract_totals.ts";
import { vectorContract } from "./contract_vectors.ts";
import { uploadContract } from "./contract_uploads.ts";
import { modelContract } from "./model_contract.ts";

/** Registers the suite for one adapter; `open` returns an empty store. */
export function storeContract(name: string, open: OpenStore): void {
  storeExamples(name, open);
  modelContract(name, open);
  rowModelContract(name, open);
  searchModelContract(name, open);
}

/** Registers the tests that open one store each, for an adapter that takes long to open. */
export function storeExamples(name: string, open: OpenStore): void {
  const test = testsOf(name, open);
  administrationContract(test);
  commentContract(test);
  commitContract(test);
  moveContract(test);
  readContract(test);
  rowContract(test);
  linkContract(test);
  linkCountContract(test);
  searchContract(test);
  serviceContract(test);
  apiKeyContract(test);
  vectorContract(test);
  uploadContract(test);
  totalContract(test);
}

/** Registers the tests of vectors. */
export function storeVectorContract(name: string, open: OpenStore): void {
  vectorContract(testsOf(name, open));
}

function testsOf(name: string, open: OpenStore): StoreTest {
  return (sentence, body) => {
    Deno.test(`${name}: ${sentence}`, () => withStore(open, body));
  };
}

/** Runs work on a new store and closes it. */
async function withStore(open: OpenStore, work: (store: Store) => Promise<void>): Promise<void> {
  const store = await open();
  try {
    await work(store);
  } finally {
    await store.close();
  }
}
