import type { Static } from "@sinclair/typebox";
import { literals } from "./schema";

/**
 * How a part of a period is counted: by its time, by its dates, by the dates of months that have thirty days each, or not
 * at all.
 */
export const prorationModes = ["BY_TIME", "BY_DAY", "THIRTY_DAY_MONTH", "NONE"] as const;
export const ProrationMode = literals(...prorationModes);
export type ProrationMode = Static<typeof ProrationMode>;
