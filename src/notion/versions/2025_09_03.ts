/**
 * Version 2025-09-03.
 *
 * @module
 */
import type { VersionStep } from "../step.ts";

export const v2025_09_03: VersionStep = { version: "2025-09-03" };
