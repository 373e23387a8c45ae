import type { Instant } from "../../../kernel/clock";
import { type Big, type Decimal, divide, exact, toDecimal, zero } from "../../../kernel/decimal";
import type { GrantType, LedgerEventType } from "../schema.values";
import type { CreditGrantRow, CreditRevenueRow } from "../table";

/** What became of the cost of grants. What is neither of the last three is deferred. */
export type RevenueField = "granted" | "recognised" | "breakage" | "voided";

/** Our choice: far below what any currency counts in, so that sums of a million grants are right to the cent. */
const placesKept = 12;

/**
 * The part of a grant's cost that so many of its credits stand for: credits × cost / amount, to twelve places. The whole
 * amount stands for the whole cost, so that the parts of a grant always sum to it.
 */
const costOf = ({ amount, costAmount }: Pick<Costly, "amount" | "costAmount">, credits: Big): Big =>
	divide(exact(costAmount).times(credits), exact(amount), placesKept, "half-up");

/** What became of the cost of some grants on one day. */
export interface RevenueDay extends Record<RevenueField, Decimal> {
	readonly grantType: GrantType;
	readonly costCurrency: string;
	/** The day's beginning, UTC. */
	readonly day: Instant;
}

type Costly = Pick<CreditGrantRow, "id" | "grantType" | "amount" | "costAmount" | "costCurrency" | "activeAt">;

/** Consumptions of one grant on one day, or its end: their worth is reckoned once. */
interface Run {
	readonly grant: Costly;
	field: RevenueField;
	day: Instant;
	/** Credits of the grant that were used up before, and after. */
	before: Big;
	after: Big;
}

/** What entries of the ledger, in their order, do to the cost of their grants, day by day. */
export class RevenueTally {
	readonly #runs = new Map<string, Run>();
	readonly #days = new Map<string, RevenueDay>();

	/** `consumedBefore`: of the grant, before the first of its entries that is added. */
	add(
		{ eventType, amount, at }: { readonly eventType: LedgerEventType; readonly amount: Decimal; readonly at: Instant },
		grant: Costly,
		consumedBefore: Decimal,
	): void {
		const field = fields[eventType];
		if (field === undefined || grant.grantType === "OVERDRAFT") return;
		const day = revenueStart("day", countsAt(at, grant));
		if (field === "granted") this.#count(grant, day, field, exact(grant.costAmount));
		if (field === "granted" || grant.costAmount === zero) return;
		const known = this.#runs.get(grant.id);
		const used = known?.after ?? exact(consumedBefore);
		const goesOn = known?.day === day && known.field === field;
		if (known && !goesOn) this.#close(known);
		const run = known && goesOn ? known : { grant, field, day, before: used, after: used };
		run.after = isGivenBack(eventType) ? used.minus(exact(amount)) : used.plus(exact(amount));
		this.#runs.set(grant.id, run);
	}

	/** What was added, and no more than that is added. */
	days(): RevenueDay[] {
		for (const run of this.#runs.values()) this.#close(run);
		this.#runs.clear();
		return [...this.#days.values()];
	}

	#close({ grant, field, day, before, after }: Run): void {
		this.#count(grant, day, field, costOf(grant, after).minus(costOf(grant, before)));
	}

	#count({ grantType, costCurrency }: Costly, day: Instant, field: RevenueField, amount: Big): void {
		const key = `${grantType} ${costCurrency} ${day}`;
		const sums = this.#days.get(key) ?? { grantType, costCurrency, day, ...nothing };
		this.#days.set(key, { ...sums, [field]: toDecimal(exact(sums[field]).plus(amount)) });
	}
}

export const nothing = { granted: zero, recognised: zero, breakage: zero, voided: zero } as const;

const fields: Readonly<Partial<Record<LedgerEventType, RevenueField>>> = {
	CREDITS_GRANTED: "granted",
	CREDITS_CONSUMED: "recognised",
	CREDITS_CONSUMPTION_TRANSFER_TARGET: "recognised",
	CREDITS_CONSUMPTION_TRANSFER_SOURCE: "recognised",
	CREDITS_EXPIRED: "breakage",
	CREDITS_VOIDED: "voided",
};

/** Of a grant that is no overdraft: a consumption that was taken back. */
const isGivenBack = (eventType: LedgerEventType): boolean => eventType === "CREDITS_CONSUMPTION_TRANSFER_SOURCE";

/** At its time, but not before its grant counted: a late event may have happened earlier. */
const countsAt = (at: Instant, { activeAt }: Costly): Instant => (activeAt !== null && activeAt > at ? activeAt : at);

export type RevenueSpan = CreditRevenueRow["span"];

/** The beginning of the day or the month, UTC. */
export function revenueStart(span: RevenueSpan, at: Instant): Instant {
	const date = new Date(at);
	return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), span === "day" ? date.getUTCDate() : 1) as Instant;
}
