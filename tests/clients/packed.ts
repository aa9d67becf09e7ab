/**
 * Packages that npm would install with hundreds of others which the clients never load: database
 * drivers beside n8n's node, model providers beside LangChain's loader. Only their own files are taken,
 * unchanged, and checked against their hashes in the registry.
 *
 * @module
 */

export interface Packed {
  readonly name: string;
  readonly version: string;
  /** As the registry gives it, and lock files. */
  readonly integrity: string;
  /** Its folder. */
  readonly folder: string;
  /** The only parts that are unpacked; without them, all. */
  readonly parts?: readonly string[];
  /** A package of the project that it finds by another name. */
  readonly links?: Readonly<Record<string, string>>;
}

export const PACKED: readonly Packed[] = [
  {
    name: "n8n-nodes-base",
    version: "2.41.2",
    integrity:
      "sha512-qUItyawxR1aR/t6Fgk0whYwBSDR+VOu5RkgAI3AElVI3dqPLLcCAawAMFc/N3GFG35//quOVRUwuc7a3mVLC0g==",
    folder: "n8n",
    parts: ["package.json", "dist/nodes/Notion", "dist/credentials/NotionApi.credentials.js"],
  },
  {
    name: "@activepieces/piece-notion",
    version: "0.7.3",
    integrity:
      "sha512-4FlayI6+fhKWM4NHXuDAsKkhZYzUf39KzQW3e2vUkzb77Y1WywzgrTTV53VvfZwM0qpwoTPCBMQjsxkcvklCfQ==",
    folder: "activepieces",
  },
  {
    name: "@langchain/community",
    version: "1.1.29",
    integrity:
      "sha512-eJbE0IARueEg+Lljk7SIGGeiSnu5u0mcT0MPIF7UG6jYPNXOpSebwiXsS3aIKOyJZSj0DlmBPv7q0hkLrxDtHA==",
    folder: "langchain-1",
  },
  {
    name: "@langchain/community",
    version: "0.3.57",
    integrity:
      "sha512-xUe5UIlh1yZjt/cMtdSVlCoC5xm/RMN/rp+KZGLbquvjQeONmQ2rvpCqWjAOgQ6SPLqKiXvoXaKSm20r+LHISw==",
    folder: "langchain-0",
    links: { "@notionhq/client": "sdk-2" },
  },
];
