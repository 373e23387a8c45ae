import {
	type Discount,
	type Item,
	isAlike,
	isOnce,
	type Line,
	type Pending,
	type Rated,
	rate,
	restOf,
	type Side,
} from "./bill";
import { addMonths, dayMs, firstOfMonth } from "./calendar";
import type { Changing } from "./calls";
import { afterCredits, type Charged, chargedFor, creditOf, drawnFrom, rechargedFor, unchangedOf } from "./charged";
import { Meters } from "./counting";
import type { Behavior, ListedCoupon, PriceList } from "./price-list";
import { periodOf, type Subscription, usageDueAfter } from "./subscription";
import { advanceItems, areAlike, changedTerms, cycleAround, isFree, subjectOf, usagePrices } from "./terms";

/** What the customer gets. */
export interface Issued {
	readonly kind: "invoice" | "credit note";
	readonly subscription: string;
	readonly at: number;
	readonly dueAt: number | null;
	readonly reason: string;
	readonly currency: string;
	readonly lines: readonly Line[];
}

export function couponOf(list: PriceList, id: string): ListedCoupon {
	const found = list.coupons.find((coupon) => coupon.id === id);
	if (!found) throw new Error(`No coupon is called ${id}.`);
	return found;
}

/** What the oracle charges, and when: the money in a life. */
export class Books {
	readonly issued: Issued[] = [];
	readonly meters = new Meters();
	readonly #list: PriceList;
	readonly #customerCoupon: { readonly coupon: ListedCoupon; readonly start: number } | null;

	constructor(list: PriceList, customer: { readonly couponId: string | null; readonly at: number }) {
		this.#list = list;
		const { couponId, at } = customer;
		this.#customerCoupon = couponId === null ? null : { coupon: couponOf(list, couponId), start: at };
	}

	/** The first period is charged, and what went before is settled, in one bill. */
	open(
		now: number,
		of: Subscription,
		replaced: Subscription | undefined,
		anchor: "UNCHANGED" | "NOW" | undefined,
		isBackdated: boolean,
	): void {
		const { behavior, cycle } = of.terms;
		// What was charged elsewhere is set against a price, and not paid out.
		const gives = behavior !== "NONE" && !(isFree(of.terms) && replaced?.charged?.isElsewhere);
		const closing = replaced && !isFree(replaced.terms) ? this.#closing(now, replaced, gives) : undefined;
		const issue = { reason: closing ? "SUBSCRIPTION_UPDATE" : "SUBSCRIPTION_CREATION" };
		const before = closing ? [...closing.given, closing.used] : [];
		const pending = closing?.pending ?? [];
		if (cycle === null) {
			this.#issue(now, of, rate(before, pending), issue);
			return;
		}
		const from = of.trialEnd ?? of.startAt;
		const isPast = from < now;
		const continued =
			// The cycle is the subscription's, whatever it was charged: a plan that is paid by use has one too.
			anchor !== "NOW" && !isPast && replaced?.terms.cycle === cycle && replaced.anchor !== null ? replaced : undefined;
		const anchorAt = continued?.anchor ?? this.#anchorFrom(from, anchor);
		const period = cycleAround(anchorAt, cycle, now);
		const since = Math.max(from, period.start);
		const isMidway = continued !== undefined && continued.billedUntil !== null && continued.billedUntil > now;
		const isKept = isMidway && behavior === "NONE";
		const items = advanceItems(of.terms, period);
		const side = { items: restOf(items, period, since), ...this.#conditions(now, of) };
		const due = isPast && !isBackdated ? [] : isKept ? side.items.filter(isOnce) : side.items;
		const charges = { ...side, items: due };
		of.anchor = anchorAt;
		of.billedUntil = period.end;
		of.usageFrom = since;
		of.usageDue = usageDueAfter(of, now);
		if (due.some((item) => !isOnce(item))) of.charged = chargedFor(items, period, charges, false);
		else if (isPast) of.charged = chargedFor(items, period, side, true);
		else if (isKept && continued.charged) of.charged = drawnFrom(continued.charged, closing?.used);
		this.#passOver(of, since);
		const rated = rate([...before, charges], pending);
		if (isMidway && behavior === "CREATE_PRORATIONS") this.#keep(now, of, rated, issue);
		else this.#issue(now, of, rated, issue);
	}

	/** One invoice charges the period that begins, bills the usage of the one that has ended, and takes up what waited. */
	renew(now: number, of: Subscription): void {
		const period = periodOf(of, now);
		if (!period) throw new Error("What is renewed has periods.");
		const items = advanceItems(of.terms, period).filter((item) => !isOnce(item));
		const usage = this.#unbilled(of, now);
		const terms = this.#conditions(now, of);
		const side = { ...terms, items: [...items, ...usage], minimum: of.charged?.minimum ?? null };
		const pending = of.pending ? [of.pending] : [];
		of.billedUntil = period.end;
		of.usageUntil = now;
		of.usageDue = usageDueAfter(of, now);
		of.charged = chargedFor(items, period, { ...terms, items }, false);
		of.pending = null;
		this.#issue(now, of, rate([side], pending), { reason: "BILLING_CYCLE" });
	}

	billUsage(now: number, of: Subscription, until: number, reason: string): void {
		const side = this.#usageSide(now, of, this.#unbilled(of, until), of.charged, true);
		of.charged = of.charged && drawnFrom(of.charged, side);
		of.usageUntil = until;
		if (of.billedUntil !== null) of.usageDue = usageDueAfter(of, now);
		this.#issue(now, of, rate([side]), { reason });
	}

	/** What it comes to at its end. */
	settle(now: number, of: Subscription, prorate: boolean): void {
		if (of.status !== "ACTIVE" || isFree(of.terms)) return;
		const { given, used, pending } = this.#closing(now, of, prorate && !of.charged?.isElsewhere);
		this.#issue(now, of, rate([...given, used], pending), {
			reason: "SUBSCRIPTION_UPDATE",
			creditReason: "ORDER_CANCELLATION",
		});
	}

	/** Unused time, usage up to now, and what waited. */
	#closing(now: number, of: Subscription, gives: boolean): { given: Side[]; used: Side; pending: Pending[] } {
		const given = gives ? creditOf(of.charged, now, []) : [];
		const left = of.charged && afterCredits(of.charged, given);
		return {
			given,
			used: this.#usageSide(now, of, this.#unbilled(of, now), left, false),
			pending: of.pending ? [of.pending] : [],
		};
	}

	/** A change of terms, and its bill. */
	change(
		now: number,
		of: Subscription,
		changes: Changing,
		{ behavior, anchor }: { behavior: Behavior; anchor?: "UNCHANGED" | "NOW" },
	): void {
		const before = of.terms;
		const after = changedTerms(this.#list, before, changes);
		const isAnew = anchor === "NOW" || after.cycle !== before.cycle;
		const reprices = JSON.stringify(usagePrices(before)) !== JSON.stringify(usagePrices(after));
		const isCharged = of.status === "ACTIVE" && !isFree(before) && after.cycle !== null && of.anchor !== null;
		// At the old prices, before the new terms are there.
		const usage = isCharged && (isAnew || reprices) ? this.#unbilled(of, now) : [];
		of.terms = after;
		if (changes.appliedCoupon) of.coupon = { coupon: couponOf(this.#list, changes.appliedCoupon.couponId), start: now };
		if (!isCharged || after.cycle === null || of.anchor === null) return;
		const isAtRenewal = !isAnew && of.billedUntil !== null && of.billedUntil <= now;
		const anchorAt = isAnew ? this.#anchorFrom(now, anchor) : of.anchor;
		const period = cycleAround(anchorAt, after.cycle, now);
		const [old, items] = [advanceItems(before, period), advanceItems(after, period)];
		const isProrated = isAnew || (!isAtRenewal && behavior !== "NONE" && !areAlike(old, items));
		const terms = this.#conditions(now, of);
		const unchanged = isAnew ? [] : unchangedOf(of.charged, items, terms);
		const given = isProrated && behavior !== "NONE" ? creditOf(of.charged, now, unchanged) : [];
		const left = of.charged && afterCredits(of.charged, given);
		// Usage up to now was had at the old prices and the old tax.
		const used = { ...this.#usageSide(now, of, usage, left, !isAnew), tax: before.tax };
		const added = items.filter(isOnce).filter((item) => !old.some((one) => subjectOf(one) === subjectOf(item)));
		const rest = isProrated
			? items.filter((item) => !isOnce(item) && !unchanged.some((one) => isAlike(one, item)))
			: [];
		const charges = { ...terms, items: [...restOf(rest, period, now), ...added] };
		const rated = rate([...given, charges, used], isAnew && of.pending ? [of.pending] : []);
		if (isAnew) of.charged = chargedFor(items, period, charges, false);
		else if (isProrated) of.charged = rechargedFor(of.charged, items, period, terms, rate([...given, charges, used]));
		else if (!isAtRenewal && of.charged) of.charged = drawnFrom(of.charged, used);
		if (isAnew || reprices) {
			of.usageFrom = now;
			of.usageUntil = now;
		}
		if (!isAtRenewal) {
			const isUsageDue = !isAnew && of.usageDue !== null && of.usageDue <= now;
			of.anchor = anchorAt;
			of.billedUntil = period.end;
			if (!isUsageDue) of.usageDue = usageDueAfter(of, now);
			if (isAnew) of.pending = null;
		}
		if (reprices) this.#passOver(of, now);
		const issue = { reason: "SUBSCRIPTION_UPDATE" };
		if (isAtRenewal || (behavior === "CREATE_PRORATIONS" && !isAnew)) this.#keep(now, of, rated, issue);
		else this.#issue(now, of, rated, issue);
	}

	/** From where the periods are counted that begin at a time. */
	#anchorFrom(at: number, anchor: "UNCHANGED" | "NOW" | undefined): number {
		return anchor !== "NOW" && this.#list.isFromTheFirst ? firstOfMonth(at) : at;
	}

	#conditions(now: number, of: Subscription): Pick<Side, "discount" | "tax"> {
		return { discount: this.#discountAt(now, of), tax: of.terms.tax };
	}

	/** The subscription's own coupon, else the customer's; half open. */
	#discountAt(now: number, of: Subscription): Discount | null {
		for (const applied of [of.coupon, this.#customerCoupon]) {
			if (!applied) continue;
			const { coupon, start } = applied;
			const end = coupon.months === null ? Number.POSITIVE_INFINITY : addMonths(start, coupon.months);
			if (start <= now && now < end) return { percent: coupon.percent, amounts: coupon.amounts };
		}
		return null;
	}

	/** A fixed discount is a period's regular invoice's: of usage by itself only where that is the regular one. */
	#usageSide(now: number, of: Subscription, items: readonly Item[], charged: Charged | null, isMidway: boolean): Side {
		const { discount, tax } = this.#conditions(now, of);
		const isRegular = charged === null && !isMidway;
		return {
			items,
			discount: discount?.percent != null || isRegular ? discount : null,
			tax,
			minimum: charged?.minimum ?? null,
		};
	}

	/** What is not billed yet, up to an instant, with what came late to the period before; it is billed with this. */
	#unbilled(of: Subscription, until: number): Item[] {
		const current = periodOf(of, until - 1);
		if (!current) return [];
		const first = of.usageFrom ?? of.startAt;
		const windows = [periodOf(of, current.start - 1) ?? current, current]
			.map(({ start, end }) => ({ start: Math.max(start, first), end: Math.min(end, until) }))
			.filter(({ start, end }) => start < end);
		const [earliest] = windows;
		if (!earliest) return [];
		return this.meters.count(of, windows, { start: earliest.start, end: until });
	}

	/** What lay beyond a limit before is never billed here, though it counts against the limit. */
	#passOver(of: Subscription, until: number): void {
		this.meters.count(of, [], { start: until - 1, end: until });
	}

	#keep(now: number, of: Subscription, rated: readonly Rated[], issue: { reason: string }): void {
		const currency = of.pending?.currency ?? rated[0]?.currency;
		if (currency === undefined) return;
		this.#issue(
			now,
			of,
			rated.filter((one) => one.currency !== currency),
			issue,
		);
		const lines = rated.filter((one) => one.currency === currency).flatMap((one) => one.lines);
		if (lines.length > 0) of.pending = { currency, lines: [...(of.pending?.lines ?? []), ...lines] };
	}

	/** An invoice for each currency; a credit note where more is given back than charged. */
	#issue(
		now: number,
		of: Subscription,
		rated: readonly Rated[],
		{ reason, creditReason = "ORDER_CHANGE" }: { reason: string; creditReason?: string },
	): void {
		for (const { currency, lines, total } of rated) {
			const isInvoice = total >= 0n;
			this.issued.push({
				kind: isInvoice ? "invoice" : "credit note",
				subscription: of.id,
				at: now,
				dueAt: isInvoice ? now + (of.terms.daysDue ?? 0) * dayMs : null,
				reason: isInvoice ? reason : creditReason,
				currency,
				lines,
			});
		}
	}
}
