/**
 * Uploads: asking where a file can be sent, which content then refers to by its id.
 *
 * @module
 */
import {
  fileUpload,
  newUpload,
  uploadFaults,
  type UploadInput,
  uploadInput,
} from "../content/uploads.ts";
import { bodyFault } from "../faults.ts";
import { validationError } from "../errors.ts";
import type { Call } from "../http/endpoint.ts";
import { define, type Services } from "./services.ts";
import { uploadObject } from "./uploads.ts";
import { type Decided, write } from "./write.ts";

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
  const faults = uploadFaults(body, files);
  if (body.mode === "multi_part" && !files.shelf.takesParts) {
    const expected = '"single_part", as this service takes every file in one piece';
    faults.push(bodyFault("/mode", { expected, received: body.mode }));
  }
  if (faults.length > 0) throw validationError(faults);
  const upload = newUpload(body, { id: newId(), by: userId, now, life: files.life });
  const answer = await uploadObject(services, workspace, { upload, now });
  return { changes: [{ op: "upload", upload }], reply: { body: JSON.stringify(answer) } };
}
