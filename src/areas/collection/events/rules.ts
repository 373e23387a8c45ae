import type { Instant } from "../../../kernel/clock";
import type { ProviderEventRow } from "./table";

/** The objects that Tollgate looks up after an event. */
const looked: ReadonlySet<ProviderEventRow["thing"]> = new Set(["PAYMENT", "REFUND", "DISPUTE", "PAGE"]);

/** Returns whether an event makes a look-up due. */
export const needsLook = ({ thing }: Pick<ProviderEventRow, "thing">): boolean => looked.has(thing);

const lookMsMin = 1_000;
const lookMsMax = 3_600_000;
/** Objects that are still open have look-ups of their own, so that a hint can end. */
const abandonedMs = 3 * 86_400_000;

/** Returns the time of the next look-up after a provider did not answer; null once the hint is too old. */
export function nextLookAt(createdAt: Instant, machineNow: Instant): Instant | null {
	const ageMs = machineNow - createdAt;
	if (ageMs >= abandonedMs) return null;
	return (machineNow + Math.min(lookMsMax, Math.max(lookMsMin, Math.round(ageMs / 4)))) as Instant;
}

const keptMs = 30 * 86_400_000;

/** Returns the time before which received events are deleted. Providers repeat an event for some days. */
export const keptSince = (machineNow: Instant): Instant => (machineNow - keptMs) as Instant;
