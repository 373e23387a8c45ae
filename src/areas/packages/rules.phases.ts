import { toDecimal, toWire } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";
import { requestedPeriod } from "../pricing/requested-period";
import { intervalOf } from "../pricing/rules.billing-period";
import type { Phase } from "../pricing/rules.phases";
import type { Phases } from "./schema";

/** Returns phases as they are stored. `where` is their path. Throws BadUserInput. */
export function storedPhases(phases: Phases, where: string): Phase[] {
	const ids = new Set<string>();
	return phases.map(({ id, displayName, duration, percentOff }, at) => {
		if (ids.has(id))
			throw fail("BadUserInput", `${where}[${at}].id: '${id}' is the id of an earlier phase too; choose another id.`);
		ids.add(id);
		const period = requestedPeriod({ billingInterval: duration }, `${where}[${at}].duration`);
		return {
			id,
			...(displayName !== undefined && { displayName }),
			duration: intervalOf(period ?? "MONTHLY"),
			percentOff: toDecimal(percentOff),
		};
	});
}

/** Returns phases as responses show them. */
export const viewPhases = (phases: readonly Phase[]): Phases =>
	phases.map(({ duration, percentOff, ...phase }) => ({
		...phase,
		duration: { ...duration },
		percentOff: toWire(percentOff),
	}));
