import { storeExamples } from "../contract.ts";
import { openInThread } from "./files.ts";

storeExamples("SQLite, written in a thread of its own", () => openInThread());
