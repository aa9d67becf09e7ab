/**
 * Lists of the objects in a bucket, as XML.
 *
 * @module
 */

export interface BucketObject {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly etag: string;
}

/** Requests a page of a list, and returns its text. */
export type RequestList = (query: Readonly<Record<string, string>>) => Promise<string>;

/** Returns the objects whose keys begin with `prefix`, by key. */
export async function* listObjects(
  request: RequestList,
  prefix: string,
): AsyncGenerator<BucketObject> {
  let token: string | undefined;
  do {
    const text = await request({
      "list-type": "2",
      prefix,
      ...(token !== undefined && { "continuation-token": token }),
    });
    for (const [, contents = ""] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      yield {
        key: elementOf(contents, "Key") ?? "",
        size: Number(elementOf(contents, "Size")),
        etag: (elementOf(contents, "ETag") ?? "").replaceAll('"', ""),
      };
    }
    token = elementOf(text, "NextContinuationToken");
  } while (token !== undefined);
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#34": '"',
  "#39": "'",
};

/** Returns the text of an element; undefined if there is none. */
export function elementOf(xml: string, name: string): string | undefined {
  const [, after] = xml.split(`<${name}>`, 2);
  const text = after?.slice(0, after.indexOf("<"));
  return text?.replaceAll(/&(#?\w+);/g, (entity, word) => ENTITIES[word] ?? entity);
}
