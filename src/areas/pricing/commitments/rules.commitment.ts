import { toDecimal, toWire } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import { dayMs } from "../../../kernel/period";
import type { PricedCharge } from "../models/charge";
import type { Commitment, CommitmentInterval } from "../models/commitment";
import {
	type BillingPeriod,
	intervalOf,
	lengthOf,
	periodOf,
	periodText,
	windowPeriodOf,
} from "../rules.billing-period";
import { commitmentWindowsMax } from "./commitment-windows";
import type { CommitmentInput, CommitmentShown } from "./schema.commitment";

/** Returns a commitment as it is stored, without defaults; null if it owes nothing. Throws BadUserInput. */
export function commitmentOf(of: CommitmentInput, where: string): Commitment | null {
	const { amount, quantity, overageFactor = 1, interval, isTrueUp = true } = of;
	if ((amount === undefined) === (quantity === undefined))
		throw fail("BadUserInput", `${where}: a commitment needs exactly one of 'amount' and 'quantity'.`);
	if ((amount ?? quantity) === 0 && overageFactor === 1) return null;
	return {
		...(amount !== undefined && { amount: toDecimal(amount) }),
		...(quantity !== undefined && { quantity: toDecimal(quantity) }),
		...(overageFactor !== 1 && { overageFactor: toDecimal(overageFactor) }),
		...(interval && { interval: intervalIn(interval, where) }),
		...(!isTrueUp && { isTrueUp: false }),
	};
}

/** Returns a commitment without an interval that is its billing period. */
export function withinPeriod<Of extends Commitment | null>(commitment: Of, billingPeriod: BillingPeriod): Of {
	const { interval, ...others } = commitment ?? {};
	return interval && interval.unit !== "HOUR" && periodOf(interval) === billingPeriod ? (others as Of) : commitment;
}

function intervalIn({ unit, count }: NonNullable<CommitmentInput["interval"]>, where: string): CommitmentInterval {
	if (unit !== "HOUR") return intervalOf(periodOf({ unit, count }));
	if (count !== 1)
		throw fail("BadUserInput", `${where}.interval: windows of hours have one HOUR; set 'count' to 1, or choose days.`);
	return { unit, count };
}

/** Returns a commitment without defaults. */
export const viewCommitment = ({
	amount,
	quantity,
	overageFactor,
	interval,
	isTrueUp,
}: Commitment): CommitmentShown => ({
	...(amount !== undefined && { amount: toWire(amount) }),
	...(quantity !== undefined && { quantity: toWire(quantity) }),
	...(overageFactor !== undefined && { overageFactor: toWire(overageFactor) }),
	...(interval && { interval }),
	...(isTrueUp === false && { isTrueUp }),
});

/** A price that may have a commitment. */
interface PriceOfUsage extends Pick<PricedCharge, "billingModel" | "priceTerms"> {
	readonly isOverage: boolean;
	readonly billingPeriod: BillingPeriod;
	/** It sells credits. */
	readonly topUpCurrencyId: string | null;
}

/**
 * Throws BadUserInput for a commitment of a price that does not price usage or has no single price of a unit, and
 * UnsupportedParameter for windows that its usage cannot have.
 */
export function assertCommitment(where: string, charge: PriceOfUsage): void {
	const { billingModel, isOverage, priceTerms, topUpCurrencyId } = charge;
	const { commitment, segments, transactionPrice, usageMeasure } = priceTerms ?? {};
	if (!commitment) return;
	const place = `${where}.commitment`;
	if (billingModel !== "USAGE_BASED" || isOverage || topUpCurrencyId !== null)
		throw fail(
			"BadUserInput",
			`${place}: is owed for usage; use it with USAGE_BASED, and neither with top-ups nor overage.`,
		);
	if (usageMeasure)
		throw fail(
			"UnsupportedParameter",
			`${place}: counts usage by windows, and 'usageMeasure' ${usageMeasure} charges a level; use 'minimumAmount'.`,
		);
	if (commitment.quantity !== undefined && (segments || transactionPrice))
		throw fail(
			"BadUserInput",
			`${place}: 'quantity' is of one price, and ${segments ? "variants and groups have several" : "each transaction has its own"}; use 'amount'.`,
		);
	if (commitment.interval) assertWindows(place, commitment.interval, windowPeriodOf(charge));
}

function assertWindows(place: string, interval: CommitmentInterval, billingPeriod: BillingPeriod): void {
	if (interval.unit !== "HOUR") {
		const own = periodOf(interval);
		if (lengthOf(own) <= lengthOf(billingPeriod)) return;
		throw fail(
			"UnsupportedParameter",
			`${place}.interval: ${periodText(own)} is longer than the billing period ${periodText(billingPeriod)}; choose a window within it, or a longer billing period.`,
		);
	}
	const { unit, count } = intervalOf(billingPeriod);
	const daysMax = unit === "DAY" ? count : count * 31;
	const hours = (daysMax * dayMs) / hourMs;
	if (hours > commitmentWindowsMax)
		throw fail(
			"UnsupportedParameter",
			`${place}.interval: ${periodText(billingPeriod)} has up to ${hours} hours, and a bill at most ${commitmentWindowsMax} windows; choose days, or a shorter billing period.`,
		);
}

const hourMs = 3_600_000;
