/**
 * Uploads: asking where a file can be sent, which content then refers to by its id.
 *
 * @module
 */
import {
  fileUpload,
  newUpload,
  type UploadInput,
  uploadInput,
  uploadIssues,
} from "../../content/values/uploads.ts";
import { bodyIssue } from "../../shared/validation_issue.ts";
import { validationError } from "../../shared/errors.ts";
import type { Call } from "../../http/endpoint.ts";
import { define, type Services } from "../shared/services.ts";
import { uploadObject } from "../shared/uploads.ts";
import { type Decided, write } from "../shared/write.ts";

export const fileEndpoints = [
  define({
    method: "POST",
    path: "/v2/files/upload-url",
    operationId: "createUploadUrl",
    tag: "Files",
    summary: "Create an upload URL",
    description:
      "Announces a file and answers where its bytes are to be sent. Its id is then taken wherever a `file_upload` is; what nothing refers to in time is removed.",
    body: uploadInput,
    response: fileUpload,
    handle: (call, services) => write(call, services, (known) => decideUpload(known, services)),
  }),
];

type UploadCall = Pick<Call<unknown, unknown, UploadInput>, "caller" | "now" | "body">;

async function decideUpload(
  { caller: { workspace, userId }, now, body }: UploadCall,
  services: Services,
): Promise<Decided> {
  const { files, newId } = services;
  const issues = uploadIssues(body, files);
  if (body.mode === "multi_part" && !files.blobs.takesParts) {
    const expected = '"single_part", as this service takes every file in one piece';
    issues.push(bodyIssue("/mode", { expected, received: body.mode }));
  }
  if (issues.length > 0) throw validationError(issues);
  const upload = newUpload(body, { id: newId(), by: userId, now, life: files.life });
  const answer = await uploadObject(services, workspace, { upload, now });
  return { changes: [{ op: "upload", upload }], reply: { body: JSON.stringify(answer) } };
}
