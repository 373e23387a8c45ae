import type { Instant } from "../../kernel/clock";
import { type Decimal, exact, toDecimal, zero } from "../../kernel/decimal";
import { boundary, type Interval } from "../../kernel/period";
import type { PricedCharge } from "./models/charge";
import type { PriceTerms } from "./models/price-terms";
import type { UnitPrice } from "./models/unit-price";

/** A part of a subscription's time with other prices. */
export interface Phase {
	readonly id: string;
	/** Missing: the id. */
	readonly displayName?: string;
	readonly duration: Interval;
	/** The percentage off the plan's prices, 0 to 100. Missing: the phase has prices of its own. */
	readonly percentOff?: Decimal;
}

type PhaseLength = Pick<Phase, "id" | "duration">;

/** The place of a subscription within its phases. */
export interface PhasePosition {
	readonly id: string;
	readonly startAt: Instant;
	readonly endAt: Instant;
	/** The end counts from here, over all phases of one unit that follow each other, so that months do not drift. */
	readonly counted: { readonly from: Instant; readonly interval: Interval };
}

export const phaseName = ({ id, displayName = id }: Pick<Phase, "id" | "displayName">): string => displayName;

/** Returns when the phase that a position names ends, by the terms of the position. */
export const countedEnd = (
	{ counted: { from, interval } }: Pick<PhasePosition, "counted">,
	timeZone: string,
): Instant => boundary({ anchorAt: from, interval, timeZone }, 1);

/** Returns the places of phases that follow each other from an instant, or from the end of a former place. */
export function layOutPhases(
	phases: readonly PhaseLength[],
	from: Instant | PhasePosition,
	timeZone: string,
): PhasePosition[] {
	let former = typeof from === "number" ? undefined : from;
	const places: PhasePosition[] = [];
	for (const { id, duration } of phases) {
		const startAt: Instant = former?.endAt ?? (from as Instant);
		const continues = former?.counted.interval.unit === duration.unit ? former.counted : undefined;
		const counted = {
			from: continues?.from ?? startAt,
			interval: { unit: duration.unit, count: (continues?.interval.count ?? 0) + duration.count },
		};
		former = { id, startAt, endAt: countedEnd({ counted }, timeZone), counted };
		places.push(former);
	}
	return places;
}

/** Returns the place that contains an instant; null before the first and after the last. */
export const placeAt = (places: readonly PhasePosition[], at: Instant): PhasePosition | null =>
	places.find(({ startAt, endAt }) => startAt <= at && at < endAt) ?? null;

/** Returns the places that follow a place; none if its phase is not among the phases. */
export function placesAfter(phases: readonly PhaseLength[], place: PhasePosition, timeZone: string): PhasePosition[] {
	const at = phases.findIndex(({ id }) => id === place.id);
	return at === -1 ? [] : layOutPhases(phases.slice(at + 1), place, timeZone);
}

/** Whether a phase changes a price. One-off charges have no time, so no phase changes them. */
const changes = (
	{ billingCadence = "RECURRING" }: { readonly billingCadence?: "RECURRING" | "ONE_OFF" },
	percentOff: Decimal,
): boolean => billingCadence !== "ONE_OFF" && !exact(percentOff).eq(0);

/**
 * Returns a charge at the prices of a phase, exact; undefined if the phase does not change it. The percentage is a factor of every
 * amount of money: price, tiers, variants, minimum, maximum and commitment (docs/decisions/0059-phases.md).
 */
export function chargeInPhase<Charge extends PricedCharge & { readonly billingCadence?: "RECURRING" | "ONE_OFF" }>(
	charge: Charge,
	phase: Pick<Phase, "percentOff">,
): Charge | undefined {
	const { percentOff = zero } = phase;
	if (!changes(charge, percentOff)) return undefined;
	return {
		...charge,
		...unitPriceInPhase(charge, percentOff),
		...(charge.priceTerms && { priceTerms: termsInPhase(charge.priceTerms, percentOff) }),
	};
}

/** Returns one percentage in place of two, exact: the price increases of a term apply to the price in a phase. */
const percentOffBoth = (one: Decimal | undefined, other: Decimal): Decimal =>
	one === undefined
		? other
		: toDecimal(exact(100).minus(exact(100).minus(one).times(exact(100).minus(other)).times("0.01")));

export const amountInPhase = (amount: Decimal, percentOff: Decimal = zero): Decimal =>
	toDecimal(exact(amount).times(exact(100).minus(percentOff)).times("0.01"));

function unitPriceInPhase({ price, tiers }: Pick<UnitPrice, "price" | "tiers">, percentOff: Decimal) {
	const lower = <Amount extends { readonly amount: Decimal }>(money: Amount): Amount => ({
		...money,
		amount: amountInPhase(money.amount, percentOff),
	});
	return {
		price: price && lower(price),
		tiers:
			tiers?.map((tier) => ({
				...tier,
				unitPrice: tier.unitPrice && lower(tier.unitPrice),
				flatPrice: tier.flatPrice && lower(tier.flatPrice),
			})) ?? null,
	};
}

/** The cost of transactions is counted at the price of the catalogue, so its percentage is a term of its own. */
function termsInPhase(terms: PriceTerms, percentOff: Decimal): PriceTerms {
	const { minimumAmount, maximumAmount, commitment, segments, transactionPrice } = terms;
	return {
		...terms,
		...(minimumAmount !== undefined && { minimumAmount: amountInPhase(minimumAmount, percentOff) }),
		...(maximumAmount !== undefined && { maximumAmount: amountInPhase(maximumAmount, percentOff) }),
		// A commitment of units costs their lower price already.
		...(commitment?.amount !== undefined && {
			commitment: { ...commitment, amount: amountInPhase(commitment.amount, percentOff) },
		}),
		...(segments && {
			segments: {
				...segments,
				variants: segments.variants.map((variant) => ({ ...variant, ...unitPriceInPhase(variant, percentOff) })),
			},
		}),
		...(transactionPrice && { percentOff: percentOffBoth(terms.percentOff, percentOff) }),
	};
}
