/**
 * Version 2021-08-16.
 *
 * @module
 */
import type { VersionStep } from "../step.ts";

export const v2021_08_16: VersionStep = { version: "2021-08-16" };
