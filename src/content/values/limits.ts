/** The limits of requests. Exceeding one is a `validation_error`. */
export const LIMITS = {
  /** UTF-16 code units of a text item. */
  textContent: 2000,
  url: 2000,
  /** UTF-16 code units of a download URL, which contains the file's name and a signature. */
  fileUrl: 8_192,
  mediaType: 255,
  /** Parts of an upload. */
  uploadParts: 1_000,
  equation: 1000,
  email: 200,
  phoneNumber: 200,
  /** UTF-16 code units of an emoji with all its modifiers. */
  emoji: 64,
  /** UTF-16 code units of the name of a custom emoji, a file or a property. */
  name: 900,
  /** Characters of the title of another page or database that a mention shows. */
  mentionedTitle: 500,
  /** UTF-16 code units of the address of a user's picture where content refers to the user. */
  referredAvatar: 500,
  /** Items of an array of rich text or of blocks, at each level. */
  array: 100,
  /** Blocks of a request, at all levels together. */
  blocksPerRequest: 5000,
  /**
   * Pages and databases in each other: each has all that are above it in the index of words. Rows of the
   * deepest databases may be one deeper.
   */
  pageDepth: 500,
  /** UTF-16 code units of the Markdown of a page in a request. */
  markdown: 500_000,
  /**
   * UTF-16 code units of the URLs that Markdown writes, each as often as it is written: for each use of
   * a definition, and for each style in the text of a link.
   */
  markdownUrls: 1_000_000,
  multiSelect: 100,
  relation: 100,
  people: 100,
  propertyDescription: 280,
  /** Properties that a request writes; the size of the schema limits their total number. */
  properties: 500,
  /**
   * UTF-16 code units of the name of an option or option group, and of the prefix of unique ids.
   */
  optionName: 100,
  /** Options of a property; usually the size of the schema limits them first. */
  options: 500,
  /** JSON of a database's properties, in bytes. */
  schemaBytes: 50_000,
  /** Items of the lists that a request writes into a row. */
  rowItems: 10_000,
  /** UTF-16 code units of the values of a row as JSON. They are read, checked and written at once. */
  rowLength: 2_097_152,
  /** Conditions of an `and` or `or`. */
  filterArray: 100,
  /** Nesting of `and` and `or`. */
  filterNesting: 20,
  /** Conditions of a filter, at all levels together. */
  filterConditions: 1_000,
  /**
   * UTF-16 code units of the texts that a filter looks for within others, in all. Each takes time by its
   * length, and by that of every text.
   */
  filterText: 10_000,
  sorts: 100,
  /** UTF-16 code units of a search query. */
  searchText: 1_000,
  /** Further searches of one request. */
  alsoSearches: 9,
  /** UTF-16 code units of the expression of a formula. */
  expression: 32_000,
  /** UTF-16 code units of all expressions that the values of a database are computed with. */
  expressions: 200_000,
  /** Databases that a formula can reach through relations. */
  formulaDepth: 10,
  /**
   * Databases that one depends on, itself among them: those that it is related to come first. Each use
   * of the database compares their versions.
   */
  relatedDatabases: 1_000,
  pageSize: 100,
  /** UTF-16 code units of the items on a page of a list, except the item that exceeds the limit. */
  pageLength: 2_097_152,
  /** Bytes of an uploaded file. */
  fileBytes: 5 * 1024 ** 3,
} as const;
