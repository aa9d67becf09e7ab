/**
 * Upload URLs: where a client sends the bytes of a file.
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
import * as example from "../shared/examples.ts";
import { FILES } from "./endpoints.ts";
import { define, type Services } from "../shared/services.ts";
import { uploadObject } from "../shared/uploads.ts";
import { write, type WriteDecision } from "../shared/write.ts";

const UPLOAD = "01a1fdba-c651-7a7c-9b0a-5d1f6f6f6c11";

export const fileEndpoints = [
  define({
    method: "POST",
    path: "/v2/files/upload-url",
    operationId: "createUploadUrl",
    tag: FILES,
    summary: "Create an upload URL",
    description:
      "Announces a file and returns the URL to send its bytes to. That URL takes no token. Then use the ID of the upload wherever a `file_upload` is accepted. If no content refers to the file by `expiry_time`, it is deleted.",
    body: uploadInput,
    response: fileUpload,
    example: {
      request: { filename: "kingfisher.jpg", content_type: "image/jpeg", content_length: 48_213 },
      response: {
        object: "file_upload",
        id: UPLOAD,
        created_time: example.history.created_time,
        last_edited_time: example.history.created_time,
        created_by: { id: example.USER, type: "person" },
        archived: false,
        expiry_time: "2026-11-21T11:50:38.489Z",
        status: "pending",
        filename: "kingfisher.jpg",
        content_type: "image/jpeg",
        content_length: 48_213,
        upload_url:
          `${example.ORIGIN}/files/upload/ZGVmYXVsdA/${UPLOAD}?expires=1795261838&signature=EXAMPLE`,
        upload_method: "PUT",
        upload_headers: { "content-type": "image/jpeg" },
      },
    },
    handle: (call, services) => write(call, services, decideUpload),
  }),
];

type UploadCall = Pick<Call<unknown, unknown, UploadInput>, "caller" | "now" | "body">;

async function decideUpload(
  { caller: { workspace, userId }, now, body }: UploadCall,
  services: Services,
): Promise<WriteDecision> {
  const { files, newId } = services;
  const issues = uploadIssues(body, files);
  if (body.mode === "multi_part" && !files.blobs.takesParts) {
    const expected = '"single_part", as this service takes every file in one piece';
    issues.push(bodyIssue("/mode", { expected, received: body.mode }));
  }
  if (issues.length > 0) throw validationError(issues);
  const upload = newUpload(body, { id: newId(), by: userId, now, life: files.life });
  const answer = await uploadObject(services, workspace, { upload, now });
  return { changes: [{ op: "createUpload", upload }], reply: { body: JSON.stringify(answer) } };
}
