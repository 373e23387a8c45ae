import type { Instant } from "../../../kernel/clock";
import { type Big, type Decimal, divide, exact, toDecimal, zero } from "../../../kernel/decimal";
import type { GrantType, LedgerEventType } from "../schema.values";
import type { CreditGrantRow, CreditRevenueRow } from "../table";

/** The kinds of revenue. `granted` minus the other three is deferred. */
export type RevenueField = "granted" | "recognised" | "breakage" | "voided";

/** Far more than any currency has, so sums of a million grants are exact to the cent. */
const placesKept = 12;

/**
 * Returns the cost of some credits of a grant: credits × cost / amount, to twelve decimal places. The whole amount has the whole
 * cost, so the parts of a grant always sum to it.
 */
const costOf = ({ amount, costAmount }: Pick<CostedGrant, "amount" | "costAmount">, credits: Big): Big =>
	divide(exact(costAmount).times(credits), exact(amount), placesKept, "half-up");

/** Revenue from grants of one type and currency of cost on one day. */
export interface RevenueDay extends Record<RevenueField, Decimal> {
	readonly grantType: GrantType;
	readonly costCurrency: string;
	/** The day's beginning, UTC. */
	readonly day: Instant;
}

type CostedGrant = Pick<CreditGrantRow, "id" | "grantType" | "amount" | "costAmount" | "costCurrency" | "activeAt">;

/** Successive entries of one grant, kind and day. Their cost is calculated once. */
interface Run {
	readonly grant: CostedGrant;
	field: RevenueField;
	day: Instant;
	/** The used credits of the grant before and after the entries. */
	before: Big;
	after: Big;
}

/** Calculates the revenue of ledger entries, in their order, by day. */
export class RevenueTally {
	readonly #runs = new Map<string, Run>();
	readonly #days = new Map<string, RevenueDay>();

	/** `consumedBefore` is the consumption of the grant before the first of its entries that is added. */
	add(
		{ eventType, amount, at }: { readonly eventType: LedgerEventType; readonly amount: Decimal; readonly at: Instant },
		grant: CostedGrant,
		consumedBefore: Decimal,
	): void {
		const field = fields[eventType];
		if (field === undefined || grant.grantType === "OVERDRAFT") return;
		const day = revenueStart("day", countsAt(at, grant));
		if (field === "granted") this.#count(grant, day, field, exact(grant.costAmount));
		if (field === "granted" || grant.costAmount === zero) return;
		const known = this.#runs.get(grant.id);
		const used = known?.after ?? exact(consumedBefore);
		const continues = known?.day === day && known.field === field;
		if (known && !continues) this.#close(known);
		const run = known && continues ? known : { grant, field, day, before: used, after: used };
		run.after = isReversal(eventType) ? used.minus(exact(amount)) : used.plus(exact(amount));
		this.#runs.set(grant.id, run);
	}

	/** Returns the revenue. No entries can be added afterwards. */
	days(): RevenueDay[] {
		for (const run of this.#runs.values()) this.#close(run);
		this.#runs.clear();
		return [...this.#days.values()];
	}

	#close({ grant, field, day, before, after }: Run): void {
		this.#count(grant, day, field, costOf(grant, after).minus(costOf(grant, before)));
	}

	#count({ grantType, costCurrency }: CostedGrant, day: Instant, field: RevenueField, amount: Big): void {
		const key = `${grantType} ${costCurrency} ${day}`;
		const sums = this.#days.get(key) ?? { grantType, costCurrency, day, ...noRevenue };
		this.#days.set(key, { ...sums, [field]: toDecimal(exact(sums[field]).plus(amount)) });
	}
}

export const noRevenue = { granted: zero, recognised: zero, breakage: zero, voided: zero } as const;

const fields: Readonly<Partial<Record<LedgerEventType, RevenueField>>> = {
	CREDITS_GRANTED: "granted",
	CREDITS_CONSUMED: "recognised",
	CREDITS_CONSUMPTION_TRANSFER_TARGET: "recognised",
	CREDITS_CONSUMPTION_TRANSFER_SOURCE: "recognised",
	CREDITS_EXPIRED: "breakage",
	CREDITS_VOIDED: "voided",
};

/** Whether an entry of a grant that is no overdraft reverses a consumption. */
const isReversal = (eventType: LedgerEventType): boolean => eventType === "CREDITS_CONSUMPTION_TRANSFER_SOURCE";

/** The time of an entry, but not before its grant became active: a late event may have happened earlier. */
const countsAt = (at: Instant, { activeAt }: CostedGrant): Instant =>
	activeAt !== null && activeAt > at ? activeAt : at;

export type RevenueSpan = CreditRevenueRow["span"];

/** The beginning of the day or the month, UTC. */
export function revenueStart(span: RevenueSpan, at: Instant): Instant {
	const date = new Date(at);
	return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), span === "day" ? date.getUTCDate() : 1) as Instant;
}
