/**
 * The type of a block as a client writes it.
 *
 * @module
 */
import type { Color } from "../values/colors.ts";
import type { FileAddressInput, UploadReference } from "../values/hosted_files.ts";
import type { IconInput } from "../values/icons.ts";
import type { RichTextInput } from "../values/rich_text.ts";
import type { CodeLanguage } from "./languages.ts";
import type { BlockType } from "./types.ts";

interface TextInput {
  readonly rich_text: RichTextInput;
  readonly color?: Color;
  readonly children?: readonly BlockInput[];
}

interface HeadingInput extends TextInput {
  readonly is_toggleable?: boolean;
}

interface CaptionInput {
  readonly caption?: RichTextInput;
}

interface UrlInput extends CaptionInput {
  readonly url: string;
}

interface MediaInput extends CaptionInput {
  readonly type?: "external" | "file_upload" | "file";
  readonly external?: { readonly url: string };
  readonly file_upload?: UploadReference;
  readonly file?: FileAddressInput;
}

interface LinkInput {
  readonly type?: "page_id" | "database_id" | "comment_id";
  readonly page_id?: string;
  readonly database_id?: string;
  readonly comment_id?: string;
}

/**
 * One block with all that is below it: exactly one type's key is there.
 *
 * Written by hand, because TypeScript infers no type from a schema that contains itself.
 */
export interface BlockInput {
  readonly object?: "block";
  readonly type?: BlockType;
  readonly paragraph?: TextInput;
  readonly heading_1?: HeadingInput;
  readonly heading_2?: HeadingInput;
  readonly heading_3?: HeadingInput;
  readonly bulleted_list_item?: TextInput;
  readonly numbered_list_item?: TextInput;
  readonly to_do?: TextInput & { readonly checked?: boolean };
  readonly toggle?: TextInput;
  readonly quote?: TextInput;
  readonly callout?: TextInput & { readonly icon?: IconInput };
  readonly code?: CaptionInput & {
    readonly rich_text: RichTextInput;
    readonly language: CodeLanguage;
  };
  readonly equation?: { readonly expression: string };
  readonly divider?: Readonly<Record<string, never>>;
  readonly breadcrumb?: Readonly<Record<string, never>>;
  readonly table_of_contents?: { readonly color?: Color };
  readonly bookmark?: UrlInput;
  readonly embed?: UrlInput;
  readonly image?: MediaInput;
  readonly video?: MediaInput;
  readonly pdf?: MediaInput;
  readonly audio?: MediaInput;
  readonly file?: MediaInput & { readonly name?: string };
  readonly table?: {
    readonly table_width: number;
    readonly has_column_header?: boolean;
    readonly has_row_header?: boolean;
    readonly children: readonly BlockInput[];
  };
  readonly table_row?: { readonly cells: readonly RichTextInput[] };
  readonly column_list?: { readonly children: readonly BlockInput[] };
  readonly column?: {
    readonly width_ratio?: number;
    readonly children: readonly BlockInput[];
  };
  readonly synced_block?: {
    readonly synced_from?: { readonly type?: "block_id"; readonly block_id: string } | null;
    readonly children?: readonly BlockInput[];
  };
  readonly link_to_page?: LinkInput;
}
