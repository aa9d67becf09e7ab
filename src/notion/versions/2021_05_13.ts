/**
 * Version 2021-05-13.
 *
 * @module
 */
import type { VersionStep } from "../step.ts";

export const v2021_05_13: VersionStep = { version: "2021-05-13" };
