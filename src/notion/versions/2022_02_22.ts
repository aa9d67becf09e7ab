/**
 * Version 2022-02-22.
 *
 * @module
 */
import type { VersionStep } from "../step.ts";

export const v2022_02_22: VersionStep = { version: "2022-02-22" };
