import { type Decimal, toDecimal, toWire } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";
import type { OfferedCharge } from "../pricing/choice/price";
import { requestedPeriod } from "../pricing/requested-period";
import { intervalOf } from "../pricing/rules.billing-period";
import type { Phase } from "../pricing/rules.phases";
import type { PhaseChargesInput, Phases } from "./charges/schema";
import type { CreditGrantCadence, ResetAnchor, ResetPeriod } from "./schema";

/** A price of a phase: a row of `charges` without the columns of its version. Features and currencies are row ids. */
export interface PhasePrice extends Required<OfferedCharge> {
	readonly taxes: string[] | null;
	readonly tiers: Array<NonNullable<OfferedCharge["tiers"]>[number]> | null;
	readonly creditAmount: Decimal | null;
	readonly creditCostFormula: string | null;
	readonly creditGrantCadence: CreditGrantCadence | null;
	readonly resetPeriod: ResetPeriod | null;
	readonly resetAnchor: ResetAnchor | null;
}

/** The prices of a phase, in place of all prices of the plan. */
interface PhaseCharges {
	/** As requested, with the currencies written out: responses and catalogue files show it. */
	readonly requested: PhaseChargesInput;
	readonly prices: readonly PhasePrice[];
	/** The phase belongs to a subscription, not to a plan. */
	readonly isOwn?: true;
}

/** A phase as a version or a subscription stores it. It has either `percentOff` or `charges`. */
export interface StoredPhase extends Phase {
	readonly charges?: PhaseCharges;
}

/** Returns phases as they are stored. `where` is their path. `chargesOf` returns the prices of one. Throws BadUserInput. */
export function storedPhases(
	phases: Phases,
	where: string,
	chargesOf: (charges: PhaseChargesInput, place: string) => PhaseCharges,
): StoredPhase[] {
	assertPhases(phases, where);
	return phases.map(({ id, displayName, percentOff, charges, ...phase }, at) => ({
		id,
		...(displayName !== undefined && { displayName }),
		duration: durationIn(phase, `${where}[${at}]`),
		...(percentOff !== undefined && { percentOff: toDecimal(percentOff) }),
		...(charges && { charges: chargesOf(charges, `${where}[${at}]`) }),
	}));
}

/** Throws BadUserInput for two phases of one id, a length that is none, and a phase that has both kinds of prices, or none. */
export function assertPhases(phases: Phases, where: string): void {
	const ids = new Set<string>();
	phases.forEach(({ id, percentOff, charges, ...phase }, at) => {
		const place = `${where}[${at}]`;
		if (ids.has(id))
			throw fail("BadUserInput", `${place}.id: '${id}' is the id of an earlier phase too; choose another id.`);
		ids.add(id);
		if ((percentOff === undefined) === (charges === undefined))
			throw fail("BadUserInput", `${place}: needs exactly one of 'percentOff' and 'charges'.`);
		durationIn(phase, place);
	});
}

const durationIn = ({ duration }: Pick<Phases[number], "duration">, place: string) =>
	intervalOf(requestedPeriod({ billingInterval: duration }, `${place}.duration`) ?? "MONTHLY");

/** Returns phases as responses show them. */
export const viewPhases = (phases: readonly StoredPhase[]): Phases =>
	phases.map(({ duration, percentOff, charges, ...phase }) => ({
		...phase,
		duration: { ...duration },
		...(percentOff !== undefined && { percentOff: toWire(percentOff) }),
		...(charges && { charges: charges.requested }),
	}));

/** Returns the prices that phases have of their own. */
export const pricesOfPhases = (phases: readonly StoredPhase[] | null): PhasePrice[] =>
	(phases ?? []).flatMap(({ charges }) => charges?.prices ?? []);

/** Whether two phases have the same prices. None has the prices of the plan. */
export const haveSamePrices = (one: StoredPhase | undefined, other: StoredPhase | undefined): boolean =>
	one?.percentOff === other?.percentOff && Bun.deepEquals(one?.charges?.prices, other?.charges?.prices);
