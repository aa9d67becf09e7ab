/**
 * Version 2021-05-11.
 *
 * @module
 */
import type { VersionStep } from "../step.ts";

export const v2021_05_11: VersionStep = { version: "2021-05-11" };
