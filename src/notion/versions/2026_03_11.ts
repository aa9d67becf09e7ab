/**
 * Version 2026-03-11.
 *
 * @module
 */
import type { VersionStep } from "../step.ts";

export const v2026_03_11: VersionStep = { version: "2026-03-11" };
