/** Every limit on what a client writes or asks for; a breach is a `validation_error`. */
export const LIMITS = {
  /** UTF-16 code units of one text item. */
  textContent: 2000,
  url: 2000,
  /** UTF-16 code units of the address of a file of ours: its name and a signature stand in it. */
  fileUrl: 8_192,
  mediaType: 255,
  /** Parts of one upload. */
  uploadParts: 1_000,
  equation: 1000,
  email: 200,
  phoneNumber: 200,
  /** UTF-16 code units of one emoji with all its modifiers. */
  emoji: 64,
  /** UTF-16 code units of a name that a client gives: of a custom emoji, a file, a property. */
  name: 900,
  /** Items of any array of rich text or blocks, at each level. */
  array: 100,
  /** Blocks of one request, all levels together. */
  blocksPerRequest: 5000,
  /** UTF-16 code units of a page's content given as Markdown. */
  markdown: 500_000,
  multiSelect: 100,
  relation: 100,
  people: 100,
  propertyDescription: 280,
  /** Properties that one request writes; the size of the schema bounds them all. */
  properties: 500,
  /** UTF-16 code units of the name of an option or a group of options, and of the prefix of numbers. */
  optionName: 100,
  /** Options of one property; the size of the schema bounds them before that. */
  options: 500,
  /** JSON of a database's properties, in bytes. */
  schemaBytes: 50_000,
  /** Conditions of one `and` or `or`. */
  filterArray: 100,
  /** Levels of `and` and `or` inside one another. */
  filterNesting: 20,
  /** Conditions of one filter, all levels together. */
  filterConditions: 1_000,
  sorts: 100,
  /** UTF-16 code units of what is searched for. */
  searchText: 1_000,
  /** UTF-16 code units of the expression of a formula. */
  expression: 32_000,
  /** Tables that a formula may reach through relations. */
  formulaDepth: 10,
  pageSize: 100,
  /** UTF-16 code units of what one page of a list holds, but for the item that goes beyond. */
  pageLength: 2_097_152,
  /** Bytes of one uploaded file. */
  fileBytes: 5 * 1024 ** 3,
} as const;
