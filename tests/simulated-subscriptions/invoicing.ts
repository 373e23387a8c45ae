import type { History } from "./acts";
import { placesAt } from "./agreements/phases";
import { boundEnd, endOfTerm, renewed, termAt, upliftOf } from "./agreements/term";
import { arrearsAfter, begun, changedBy, type Running, stretchesOf } from "./arrears";
import {
	type Discount,
	firstUnused,
	type Issued,
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
import { addMonths, dayMs, type Span } from "./calendar";
import type { Changing } from "./calls";
import {
	afterCredits,
	type Charged,
	chargedFor,
	creditAtEnd,
	creditOf,
	drawnFrom,
	elsewhereOf,
	keptInPause,
	type Planned,
	rechargedFor,
	unchangedOf,
} from "./charged";
import { type Late, Meters } from "./counting";
import { creditedByTaxRate, cut, dealt, negative, sumOf } from "./credit-lines";
import type { Draft } from "./drafts";
import { Ledger } from "./ledger";
import type { Behavior, Cycle, ListedCoupon, ListedPackage, PriceList } from "./price-list";
import { nextLateUsageCheck, type Pause, periodOf, type Subscription, usageDueAfter } from "./subscription";
import {
	advanceItems,
	anchorOf,
	areAlike,
	arrearsItems,
	changedTerms,
	cycleAround,
	endsAt,
	type Held,
	haveSameAnchor,
	isDueAtRenewal,
	isFree,
	subjectOf,
	type Terms,
	usagePrices,
} from "./terms";

interface Picked {
	readonly isDue?: (price: Held) => boolean;
	readonly isElsewhere?: (key: string) => boolean;
	/** The bill ends all windows, also those that would go on. */
	readonly ends?: boolean;
}

export function couponOf(list: PriceList, id: string): ListedCoupon {
	const found = list.coupons.find((coupon) => coupon.id === id);
	if (!found) throw new Error(`No coupon is called ${id}.`);
	return found;
}

/** The charges of the oracle and their times. */
export class Invoicing {
	readonly issued: Issued[] = [];
	/** Invoices that are not issued yet, in the order in which they were created. */
	drafts: readonly Draft[] = [];
	readonly meters = new Meters();
	readonly ledger = new Ledger<Issued>();
	/** The credit notes of an invoice. */
	readonly #notes = new Map<Issued, Issued[]>();
	#charges = 0;
	/** The subscriptions whose invoices charged the amounts that a subscription credits. */
	readonly #chain: (of: Subscription) => readonly Subscription[];
	/** The current price list. */
	list: PriceList;
	readonly #graceDays: number | null;
	readonly #customerCoupon: { readonly coupon: ListedCoupon; readonly start: number } | null;

	constructor(
		list: PriceList,
		customer: Pick<History, "couponId" | "graceDays"> & { readonly at: number },
		chain: (of: Subscription) => readonly Subscription[],
	) {
		this.#chain = chain;
		this.list = list;
		const { couponId, at, graceDays } = customer;
		this.#graceDays = graceDays;
		this.#customerCoupon = couponId === null ? null : { coupon: couponOf(list, couponId), start: at };
	}

	/** Charges the first period and settles the replaced subscription, in one bill. */
	open(now: number, of: Subscription, replaced: Subscription | undefined, how: Opening): Issued | undefined {
		const { anchor, isBackdated, awaits } = how;
		this.#beginFirst(now, of, how);
		const { behavior, cycle } = of.terms;
		// A charge of another system reduces a price, and is not paid out.
		const gives = behavior === "NONE" ? "nothing" : isFree(of.terms) ? "at an end" : "for a change";
		const isSettled = replaced && !isFree(replaced.terms);
		const isAwaited = awaits && this.#isLeftToPay(now, of, replaced, how);
		const closing = !isSettled
			? undefined
			: isAwaited
				? { given: creditOf(replaced.charged, now, []), used: nothingUsed, late: [], pending: [] }
				: this.#closing(now, replaced, gives, isFree(of.terms));
		const issue = { reason: closing ? "SUBSCRIPTION_UPDATE" : "SUBSCRIPTION_CREATION" };
		const before = closing ? [...closing.given, closing.used, ...closing.late] : [];
		const pending = closing?.pending ?? [];
		if (cycle === null) {
			this.#issue(now, of, rate(before, pending), issue);
			return undefined;
		}
		const from = of.trialEnd ?? of.startAt;
		const isPast = from < now;
		const continued =
			// The cycle belongs to the subscription, whatever was charged: a plan with usage prices only has one too.
			anchor !== "NOW" && !isPast && replaced?.anchor != null && hasSameCycle(of.terms, replaced.terms)
				? replaced
				: undefined;
		const anchorAt = continued?.anchor ?? this.#anchorFrom(from, anchor, of.terms.plan, cycle);
		const period = cycleAround(anchorAt, cycle, now);
		const since = Math.max(from, period.start);
		const isMidway = continued !== undefined && continued.billedUntil !== null && continued.billedUntil > now;
		const isKept = isMidway && behavior === "NONE";
		const items = this.#charging(advanceItems(of.terms, period));
		const setAgainst = closing && closing.given.length > 0 && replaced ? elsewhereOf(replaced.charged) : null;
		const side = { items: restOf(items, period, since), ...this.#conditions(now, of) };
		const due = isPast && !isBackdated ? [] : isKept ? side.items.filter(isOnce) : side.items;
		const charges = { ...side, items: due };
		of.anchor = anchorAt;
		of.billedUntil = period.end;
		of.usageFrom = since;
		of.usageDue = usageDueAfter(of, now);
		if (due.some((item) => !isOnce(item))) of.charged = chargedFor(items, period, since, charges, false, setAgainst);
		else if (isPast) of.charged = chargedFor(items, period, since, side, true);
		else if (isKept && continued.charged) {
			of.charged = drawnFrom(continued.charged, closing?.used);
			// Its minimum continues, so none is left unused.
			const { from: begun } = continued.charged;
			continued.unspent = continued.unspent.filter(({ time }) => time.start !== begun);
		}
		const kept = isKept ? (continued.charged?.items.map(subjectOf) ?? []) : [];
		of.arrears = begun([], arrearsItems(of.terms, period), isPast && !isBackdated ? period.end : since, (item) =>
			kept.includes(subjectOf(item)) ? period.end : undefined,
		);
		this.#excludeOverage(of, since);
		const rated = rate([...before, charges], pending);
		if (isMidway && behavior === "CREATE_PRORATIONS") this.#keep(now, of, rated, issue);
		else this.#issue(now, of, rated, issue);
		return isAwaited ? this.issued.findLast(({ kind }) => kind === "invoice") : undefined;
	}

	/** A backdated start charges the running period, at the phase of its start. The steps of later phases follow. */
	#beginFirst(now: number, of: Subscription, { anchor, isBackdated }: Opening): void {
		const from = of.trialEnd ?? of.startAt;
		const { plan, cycle } = of.terms;
		const isPast = isBackdated && from < now && cycle !== null;
		const period = isPast ? cycleAround(this.#anchorFrom(from, anchor, plan, cycle), cycle, now) : null;
		beginAgreements(of, from, now, period ? Math.max(from, period.start) : now);
	}

	/** Whether a bill that waits for its payment leaves an amount to pay. */
	#isLeftToPay(now: number, of: Subscription, replaced: Subscription | undefined, { anchor }: Opening): boolean {
		const { cycle } = of.terms;
		if (cycle === null) return false;
		const continued =
			anchor !== "NOW" && replaced?.anchor != null && hasSameCycle(of.terms, replaced.terms)
				? replaced.anchor
				: undefined;
		const period = cycleAround(continued ?? this.#anchorFrom(now, anchor, of.terms.plan, cycle), cycle, now);
		const given = replaced && !isFree(replaced.terms) ? creditOf(replaced.charged, now, []) : [];
		const charges = { items: restOf(advanceItems(of.terms, period), period, now), ...this.#conditions(now, of) };
		const last = rate([...given, charges]).findLast(({ total }) => total >= 0n);
		return last !== undefined && last.total > this.ledger.balance(last.currency);
	}

	/**
	 * Records the payment of a first invoice. The replaced subscription is settled: its usage until now does not belong
	 * to the new one. A period that it began meanwhile is credited in full, since the new subscription charges it.
	 */
	confirm(now: number, of: Subscription, replaced: Subscription | undefined): void {
		if (replaced && !isFree(replaced.terms) && of.awaited) {
			const begun = replaced.charged?.from ?? 0;
			const isRenewed = begun > of.awaited.since;
			const given = creditOf(replaced.charged, isRenewed ? begun : of.awaited.since, []);
			const left = replaced.charged && afterCredits(replaced.charged, given);
			const { open, late } = this.#unbilled(replaced, now, { ends: true });
			const stretches = this.#stretches(replaced, now);
			const used = this.#usageSide(now, replaced, [...stretches, ...open], left, false);
			const lateSides = this.#lateSides(now, replaced, late, replaced.terms.tax);
			this.#keepUnspent(now, replaced, left, used);
			const sides = [...(isRenewed ? given : []), used, ...lateSides];
			const pending = replaced.pending ? [replaced.pending] : [];
			this.#issue(now, replaced, rate(sides, pending), { reason: "SUBSCRIPTION_UPDATE" });
		}
		if (of.terms.cycle === null) return;
		of.usageFrom = now;
		of.arrears = of.arrears.map((one) => ({ ...one, from: Math.max(now, one.from) }));
		this.#excludeOverage(of, now);
	}

	/** Another system charged the running period, and usage before it. */
	takeOver(now: number, of: Subscription): void {
		const { cycle } = of.terms;
		if (cycle === null) return;
		beginAgreements(of, of.startAt, now);
		const anchor = this.#anchorFrom(of.startAt, undefined, of.terms.plan, cycle);
		const period = cycleAround(anchor, cycle, now);
		const since = Math.max(of.startAt, period.start);
		const items = advanceItems(of.terms, period);
		of.anchor = anchor;
		of.billedUntil = period.end;
		of.usageFrom = since;
		of.usageDue = usageDueAfter(of, now);
		of.charged = chargedFor(
			items,
			period,
			since,
			{ items: restOf(items, period, since), discount: null, tax: null },
			true,
		);
		of.arrears = begun([], arrearsItems(of.terms, period), period.end);
		this.#excludeOverage(of, since);
	}

	/**
	 * Renews: one invoice charges the period that begins, bills the usage of the one that ended, and includes waiting
	 * lines.
	 */
	renew(now: number, of: Subscription): void {
		const period = periodOf(of, now);
		if (!period) throw new Error("What is renewed has periods.");
		// Usage until now is billed at the prices of the period that ended.
		const { open, late } = this.#unbilled(of, now, {
			ends: of.moved !== null,
			isDue: (price) => of.moved !== null || isDueAtRenewal(of.terms, price, of.anchor, now),
		});
		const stretches = this.#stretches(of, now);
		if (of.moved) {
			of.terms = { ...of.terms, plan: of.moved.plan };
			of.usageFrom = now;
		}
		of.moved = null;
		const items = this.#charging(advanceItems(of.terms, period).filter((item) => !isOnce(item)));
		const terms = this.#conditions(now, of);
		// A fixed discount applies once a period: to what is charged in advance, else to what is charged in arrears.
		const ofEnd = items.length > 0 ? [{ ...percentOnly(terms), items: stretches }] : [];
		const recurring = items.length > 0 ? items : stretches;
		const side = { ...terms, items: [...recurring, ...open], minimum: of.charged?.minimum ?? null };
		const sides = [side, ...ofEnd, ...this.#lateSides(now, of, late, terms.tax)];
		this.#keepUnspent(now, of, of.charged, this.#usageSide(now, of, open, of.charged, true));
		const pending = of.pending ? [of.pending] : [];
		of.billedUntil = period.end;
		of.usageUntil = now;
		of.usageDue = usageDueAfter(of, now);
		of.charged = chargedFor(items, period, now, { ...terms, items }, false);
		of.arrears = begun(
			of.arrears.filter(({ from }) => from > now),
			arrearsItems(of.terms, period),
			now,
		);
		of.pending = null;
		this.#issue(now, of, rate(sides, pending), { reason: "BILLING_CYCLE" });
	}

	/** Bills late usage of an ended subscription. */
	billLate(now: number, of: Subscription, all: readonly Subscription[]): void {
		const settledAt = of.endedAt ?? now;
		// A limit's window that another subscription continues is billed there.
		const isElsewhere = (key: string) => isCountedByAnother(of, key, all);
		const { late } = this.#unbilled(of, settledAt, { isElsewhere });
		this.#issue(now, of, rate(this.#lateSides(now, of, late, of.terms.tax)), { reason: "BILLING_CYCLE" });
		of.usageDue = nextLateUsageCheck(settledAt, now);
	}

	billUsage(now: number, of: Subscription, until: number, reason: string): void {
		const isDue = (price: Held) => reason !== "BILLING_CYCLE" || endsAt(of.terms, price, of.anchor, until);
		const { open, late } = this.#unbilled(of, until, { isDue });
		const side = this.#usageSide(now, of, open, of.charged, true);
		const lateSides = this.#lateSides(now, of, late, of.terms.tax);
		of.charged = of.charged && drawnFrom(of.charged, side);
		of.usageUntil = until;
		if (of.billedUntil !== null) of.usageDue = usageDueAfter(of, now);
		this.#issue(now, of, rate([side, ...lateSides]), { reason });
	}

	/** Settles the subscription at its end. */
	settle(now: number, of: Subscription, prorate: boolean, owedUntil: number | null): void {
		if ((of.status !== "ACTIVE" && of.status !== "PAUSED") || isFree(of.terms)) return;
		const owesRest = owedUntil !== null && owedUntil > now;
		const rest = owesRest ? this.#restOfTerm(now, of, owedUntil) : [];
		const { given, used, late, pending } =
			of.status === "ACTIVE"
				? this.#closing(now, of, prorate && !owesRest ? "at an end" : "nothing", !owesRest)
				: { given: [], used: nothingUsed, late: [], pending: [] };
		this.#issue(now, of, rate([...given, used, ...late, ...rest], pending), {
			reason: "SUBSCRIPTION_UPDATE",
			creditReason: "ORDER_CANCELLATION",
		});
	}

	/**
	 * Returns the fees, units and minimums from an end to the end of its term, by period, phase and term, at the prices and discounts of then.
	 * What is paid ahead is not charged again.
	 */
	#restOfTerm(from: number, of: Subscription, until: number): Side[] {
		const { cycle } = of.terms;
		const { anchor, billedUntil } = of;
		if (cycle === null || anchor === null || billedUntil === null) return [];
		const isPaid = of.status === "ACTIVE" || of.charged !== null;
		const sides: Side[] = [];
		let { terms, places, term } = of;
		let former: { readonly period: Span; readonly isPaidAhead: boolean } | undefined;
		for (let at = from; at < until; ) {
			places = places.filter(({ endAt }) => endAt > at);
			terms = { ...terms, phase: places[0]?.phase ?? null };
			if (of.moved && of.moved.from <= at) terms = { ...terms, plan: of.moved.plan };
			while (term?.agreed.renewal && endOfTerm(term) <= at) {
				terms = { ...terms, uplifts: [...terms.uplifts, ...upliftOf(term)] };
				term = terms.plan.term ? renewed(term, terms.plan.term) : null;
			}
			const isPaidAhead = isPaid && at < billedUntil;
			const period = cycleAround(anchor, cycle, at);
			const end = Math.min(
				...[period.end, until, ...places.map(({ endAt }) => endAt)],
				...(isPaidAhead ? [billedUntil] : []),
				...(term?.agreed.renewal ? [endOfTerm(term)] : []),
			);
			const isFirst = former?.period.start !== period.start || former.isPaidAhead;
			const items = [...(isPaidAhead ? [] : advanceItems(terms, period)), ...arrearsItems(terms, period)]
				.filter((item) => !isOnce(item) && (!item.isWhole || isFirst))
				.map((item) => ({
					...item,
					span: { start: at, end },
					...((at > period.start || end < period.end) && { of: period }),
				}));
			sides.push({ items, ...this.#conditions(at, { ...of, terms }) });
			former = { period, isPaidAhead };
			at = end;
		}
		return sides;
	}

	/** Settles the subscription like an end. Charges that it does not credit stay charged. */
	pause(now: number, of: Subscription, prorates: boolean): void {
		if (isFree(of.terms)) return;
		const given = prorates ? creditAtEnd(of.charged, now) : [];
		const left = of.charged && afterCredits(of.charged, given);
		const { open, late } = this.#unbilled(of, now, { ends: true });
		const used = this.#usageSide(now, of, [...this.#stretches(of, now, { isEnd: true }), ...open], left, false);
		const lateSides = this.#lateSides(now, of, late, of.terms.tax);
		const kept = keptInPause(of.charged, given, now, used);
		if (!kept?.minimum) this.#keepUnspent(now, of, left, used);
		const pending = of.pending ? [of.pending] : [];
		of.charged = kept;
		of.pending = null;
		of.usageUntil = now;
		of.usageDue = null;
		of.arrears = of.arrears.filter(({ from }) => from > now);
		this.#issue(now, of, rate([...given, used, ...lateSides], pending), { reason: "SUBSCRIPTION_UPDATE" });
	}

	/**
	 * Charges the rest of the period that runs, or a period that begins now, except for charges that the pause has left. No date
	 * that the pause has charged is charged again.
	 */
	resume(now: number, of: Subscription, pause: Pause): void {
		if (of.moved && of.moved.from <= now) {
			of.terms = { ...of.terms, plan: of.moved.plan };
			of.moved = null;
		}
		const { cycle } = of.terms;
		if (cycle === null || isFree(of.terms) || of.anchor === null) return;
		const isNew = pause.anchor === "NOW";
		if (isNew) of.anchor = now;
		const period = cycleAround(of.anchor, cycle, now);
		const kept = !isNew && of.charged && now < of.charged.period.end ? of.charged : null;
		const isSamePeriod = !isNew && pause.at > period.start;
		const isKept = (item: Item) => kept?.items.some((one) => subjectOf(one) === subjectOf(item));
		const items = this.#charging(advanceItems(of.terms, period).filter((item) => !isOnce(item) && !isKept(item)));
		const paid = isSamePeriod && pause.prorates ? { paidUntil: pause.at } : {};
		const due = restOf(items, period, now).map((item) => ({ ...item, ...paid }));
		const terms = this.#conditions(now, of);
		const side = { ...terms, items: due };
		const all = [...(kept?.items ?? []), ...items];
		const charged = chargedFor(all, period, kept?.from ?? now, side, false, elsewhereOf(kept));
		if (items.length === 0) of.charged = kept;
		else of.charged = charged && { ...charged, minimum: charged.minimum ?? kept?.minimum ?? null };
		of.billedUntil = period.end;
		of.usageFrom = now;
		of.usageUntil = now;
		of.usageDue = usageDueAfter(of, now);
		of.arrears = begun(of.arrears, arrearsItems(of.terms, period), now, ({ isWhole, by }) => {
			if (!isSamePeriod) return undefined;
			if (isWhole) return period.end;
			return by && Math.min(period.end, firstUnused(by, pause.at, now));
		});
		this.#excludeOverage(of, now);
		this.#issue(now, of, rate([side]), { reason: "SUBSCRIPTION_UPDATE" });
	}

	/** Returns unused time, usage until now, and waiting lines. */
	#closing(
		now: number,
		of: Subscription,
		gives: "nothing" | "at an end" | "for a change",
		isEnd: boolean,
	): { given: Side[]; used: Side; late: Side[]; pending: Pending[] } {
		const given =
			gives === "nothing" ? [] : gives === "at an end" ? creditAtEnd(of.charged, now) : creditOf(of.charged, now, []);
		const left = of.charged && afterCredits(of.charged, given);
		const { open, late } = this.#unbilled(of, now, { ends: true });
		const used = this.#usageSide(now, of, [...this.#stretches(of, now, { isEnd }), ...open], left, false);
		const lateSides = this.#lateSides(now, of, late, of.terms.tax);
		this.#keepUnspent(now, of, left, used);
		return {
			given,
			used,
			late: lateSides,
			pending: of.pending ? [of.pending] : [],
		};
	}

	/** Changes terms, and bills the change. */
	change(now: number, of: Subscription, changes: Changing, how: HowToChange): void {
		const planned = this.#plan(now, of, changes, how);
		const isCharged = planned !== undefined;
		const usage = isCharged ? this.#usageOfChange(now, of, planned) : undefined;
		this.#takeOn(now, of, changes);
		if (planned && usage) this.#bill(now, of, planned, usage, "all");
	}

	/**
	 * Invoices a change that waits for its payment: its charges and credits as if made at once, without usage. Undefined
	 * if nothing is to be paid, so the change is made at once.
	 */
	invoice(
		now: number,
		of: Subscription,
		changes: Changing,
		how: HowToChange,
	): { invoice: Issued; planned: Planned } | undefined {
		const planned = this.#plan(now, of, changes, how);
		if (!planned) return undefined;
		const rated = rate([...planned.given, planned.charges]);
		const last = rated.findLast(({ total }) => total >= 0n);
		if (!last || last.total <= this.ledger.balance(last.currency)) return undefined;
		this.#issue(now, of, rated, { reason: "SUBSCRIPTION_UPDATE", daysDue: planned.after.daysDue });
		const invoice = this.issued.findLast(({ kind }) => kind === "invoice");
		return invoice && { invoice, planned };
	}

	/**
	 * Makes a paid change as it was invoiced. Usage until now is at the old prices. For a period that has begun since,
	 * the difference is due; if the change has its own period, that one is credited in full.
	 */
	makePaid(now: number, of: Subscription, changes: Changing, planned: Planned): void {
		const isRenewed = of.billedUntil !== planned.billedUntil;
		const { resetsCycle, behavior, anchor } = planned;
		if (isRenewed && !resetsCycle) {
			const again = this.#plan(now, of, changes, { behavior, ...(anchor && { anchor }) });
			if (!again) throw new Error("What is changed is charged.");
			const isNew = (item: Item) =>
				!isOnce(item) || !planned.charges.items.some((one) => isOnce(one) && subjectOf(one) === subjectOf(item));
			const difference = { ...again, charges: { ...again.charges, items: again.charges.items.filter(isNew) } };
			const usage = this.#usageOfChange(now, of, difference);
			this.#takeOn(now, of, changes);
			this.#bill(now, of, difference, usage, "all");
			return;
		}
		const begun = of.charged?.period.start ?? 0;
		const given = isRenewed ? creditOf(of.charged, begun, []) : planned.given;
		if (isRenewed) this.#issue(now, of, rate(given), { reason: "SUBSCRIPTION_UPDATE" });
		const made = { ...planned, given };
		const usage = this.#usageOfChange(now, of, made);
		this.#takeOn(now, of, changes);
		this.#bill(now, of, made, usage, "usage");
	}

	/** Returns the unbilled time of charges in arrears, of all that run unless named. */
	#stretches(
		{ anchor, terms: { cycle }, arrears }: Subscription,
		until: number,
		{ of = arrears, isEnd = false }: { of?: readonly Running[]; isEnd?: boolean } = {},
	): Item[] {
		if (anchor === null || cycle === null) return [];
		return stretchesOf(of, until, (at) => cycleAround(anchor, cycle, at), isEnd);
	}

	/** Stores the new terms. A coupon that was applied meanwhile is not started again. */
	#takeOn(now: number, of: Subscription, changes: Changing): void {
		of.terms = changedTerms(this.list, of.terms, changes);
		if (changes.appliedCoupon) of.coupon = this.#couponAfter(now, of, changes.appliedCoupon.couponId);
	}

	#couponAfter(now: number, of: Subscription, id: string): Subscription["coupon"] {
		const coupon = couponOf(this.list, id);
		const isHeld =
			of.coupon?.coupon.id === id && (coupon.months === null || addMonths(of.coupon.start, coupon.months) > now);
		return isHeld ? of.coupon : { coupon, start: now };
	}

	/** Returns the charges and credits of a change; undefined if nothing is charged. */
	#plan(now: number, of: Subscription, changes: Changing, { behavior, anchor }: HowToChange): Planned | undefined {
		const before = of.terms;
		const after = changedTerms(this.list, before, changes);
		if (of.status !== "ACTIVE" || isFree(before) || after.cycle === null || of.anchor === null) return undefined;
		const resetsCycle = anchor === "NOW" || after.cycle !== before.cycle;
		const reprices = JSON.stringify(usagePrices(before)) !== JSON.stringify(usagePrices(after));
		const isAtRenewal = !resetsCycle && of.billedUntil !== null && of.billedUntil <= now;
		const anchorAt = resetsCycle ? this.#anchorFrom(now, anchor, after.plan, after.cycle) : of.anchor;
		const period = cycleAround(anchorAt, after.cycle, now);
		const [old, items] = [advanceItems(before, period), advanceItems(after, period)];
		const isProrated = resetsCycle || (!isAtRenewal && behavior !== "NONE" && !areAlike(old, items));
		const coupon = changes.appliedCoupon ? this.#couponAfter(now, of, changes.appliedCoupon.couponId) : of.coupon;
		const terms = this.#conditions(now, { ...of, terms: after, coupon });
		const unchanged = resetsCycle ? [] : unchangedOf(of.charged, items, terms);
		const given = isProrated && behavior !== "NONE" ? creditOf(of.charged, now, unchanged) : [];
		const added = items.filter(isOnce).filter((item) => !old.some((one) => subjectOf(one) === subjectOf(item)));
		const charging = this.#charging(items).map((item) => unchanged.find((one) => isAlike(one, item)) ?? item);
		const rest = isProrated ? charging.filter((item) => !isOnce(item) && !unchanged.includes(item)) : [];
		return {
			at: now,
			after,
			behavior,
			anchor,
			arrears: arrearsItems(after, period),
			resetsCycle,
			reprices,
			isAtRenewal,
			isProrated,
			anchorAt,
			period,
			billedUntil: of.billedUntil,
			terms,
			given,
			charging,
			charges: { ...terms, items: [...restOf(rest, period, now), ...added] },
			setAgainst: given.length > 0 ? elsewhereOf(of.charged) : null,
		};
	}

	/** Usage until now has the old prices and tax, and uses the rest of the minimum. */
	#usageOfChange(now: number, of: Subscription, planned: Planned): UsageOfChange {
		const { resetsCycle, reprices, given, isAtRenewal, behavior } = planned;
		const { open, late } = resetsCycle || reprices ? this.#unbilled(of, now, { ends: true }) : { open: [], late: [] };
		const left = of.charged && afterCredits(of.charged, given);
		const { tax } = of.terms;
		// Without proration, new terms in arrears begin with the next period.
		if (!resetsCycle && (isAtRenewal || behavior === "NONE"))
			return { left, open, late, tax, stretches: [], arrears: of.arrears };
		const ended = resetsCycle ? of.arrears : changedBy(of.arrears, planned.arrears);
		return {
			...{ left, open, late, tax },
			stretches: this.#stretches(of, now, { of: ended }),
			arrears: arrearsAfter(now, of, planned),
		};
	}

	#bill(
		now: number,
		of: Subscription,
		planned: Planned,
		{ left, open, late, tax, stretches, arrears }: UsageOfChange,
		part: "all" | "usage",
	): void {
		const {
			behavior,
			resetsCycle,
			reprices,
			isAtRenewal,
			isProrated,
			anchorAt,
			period,
			terms,
			given,
			charging,
			charges,
		} = planned;
		const atOnce = resetsCycle ? [...stretches, ...open] : open;
		const used = { ...this.#usageSide(now, of, atOnce, left, !resetsCycle), tax };
		const lateSides = this.#lateSides(now, of, late, tax);
		if (resetsCycle) this.#keepUnspent(now, of, left, used);
		const ofTerms = part === "all" ? [...given, charges] : [];
		const rated = rate([...ofTerms, used, ...lateSides], resetsCycle && of.pending ? [of.pending] : []);
		if (resetsCycle) of.charged = chargedFor(charging, period, planned.at, charges, false, planned.setAgainst);
		else if (isProrated)
			of.charged = rechargedFor(
				of.charged,
				charging,
				period,
				planned.at,
				terms,
				rate([...given, charges, used]),
				planned.setAgainst,
			);
		else if (!isAtRenewal && of.charged) of.charged = drawnFrom(of.charged, used);
		if (resetsCycle || reprices) {
			of.usageFrom = now;
			of.usageUntil = now;
		}
		if (!isAtRenewal) {
			const isUsageDue = !resetsCycle && of.usageDue !== null && of.usageDue <= now;
			of.anchor = anchorAt;
			of.billedUntil = period.end;
			if (!isUsageDue) of.usageDue = usageDueAfter(of, now);
			if (resetsCycle) of.pending = null;
		}
		if (reprices) this.#excludeOverage(of, now);
		const issue = { reason: "SUBSCRIPTION_UPDATE" };
		if (isAtRenewal || (behavior === "CREATE_PRORATIONS" && !resetsCycle)) this.#keep(now, of, rated, issue);
		else this.#issue(now, of, part === "all" ? this.#withoutWaiting(of, rated) : rated, issue);
		if (!resetsCycle) this.#keep(now, of, rate([{ ...this.#usageSide(now, of, stretches, left, true), tax }]), issue);
		of.arrears = arrears;
	}

	/** A credit of a charge that waits for the next invoice waits with it. */
	#withoutWaiting(of: Subscription, rated: readonly Rated[]): Rated[] {
		const { pending } = of;
		const charges = new Set(pending?.lines.filter(({ amount }) => amount >= 0n).map(({ charged }) => charged));
		const waits = ({ charged, amount }: Line) => charged !== null && amount < 0n && charges.has(charged);
		const lines = rated.flatMap((one) => one.lines.filter(waits));
		if (pending && lines.length > 0) of.pending = { ...pending, lines: [...pending.lines, ...lines] };
		return rated
			.map((one) => ({ ...one, lines: one.lines.filter((line) => !waits(line)) }))
			.map((one) => ({ ...one, total: sumOf(one.lines) }))
			.filter((one) => one.lines.length > 0);
	}

	/** Each item is a charge of its own. */
	#charging(items: readonly Item[]): Item[] {
		return items.map((item) => {
			this.#charges += 1;
			return isOnce(item) ? item : { ...item, charged: this.#charges };
		});
	}

	/** Returns the anchor of periods that begin at a time. */
	#anchorFrom(at: number, anchor: "UNCHANGED" | "NOW" | undefined, plan: ListedPackage, cycle: Cycle): number {
		return anchor === "NOW" ? at : anchorOf(this.list, plan, cycle, at);
	}

	#conditions(now: number, of: Subscription): Pick<Side, "discount" | "tax"> {
		return { discount: this.#discountAt(now, of), tax: of.terms.tax };
	}

	/** The subscription's own coupon, else the customer's; its end is exclusive. */
	#discountAt(now: number, of: Subscription): Discount | null {
		for (const applied of [of.coupon, this.#customerCoupon]) {
			if (!applied) continue;
			const { coupon, start } = applied;
			const end = coupon.months === null ? Number.POSITIVE_INFINITY : addMonths(start, coupon.months);
			if (start <= now && now < end) return { percent: coupon.percent, amounts: coupon.amounts };
		}
		return null;
	}

	/** A fixed discount belongs to the regular invoice of a period; usage alone gets it only on that invoice. */
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

	/** Returns unbilled usage up to an instant, and late usage of all billed time. */
	#unbilled(
		of: Subscription,
		until: number,
		{ isDue = () => true, isElsewhere = () => false, ends = false }: Picked = {},
	): { open: Item[]; late: Late[] } {
		const current = periodOf(of, until - 1);
		const former = current && periodOf(of, current.start - 1);
		const times = { since: former?.start ?? until, first: of.usageFrom ?? of.startAt, until };
		const { open, late } = this.meters.count(of, times, { isDue, isElsewhere, ends });
		const { charged } = of;
		// Usage reported at the very instant of the last bill is late only if its time is over.
		const isRunning = ({ span, goesOn }: Late) =>
			of.endedAt === null && (charged ? charged.from < span.end && span.end <= charged.period.end : goesOn);
		// A window of several periods that ends where the charged period begins belongs to the period before.
		const before = open.flatMap((item): Late[] =>
			charged && item.span && item.span.end <= charged.period.start ? [{ item, span: item.span, goesOn: false }] : [],
		);
		const own = open.filter((item) => !before.some((one) => one.item === item));
		return {
			open: [...own, ...late.filter(isRunning).map(({ item }) => item)],
			late: [...before, ...late.filter((one) => !isRunning(one))],
		};
	}

	/** Late usage uses the rest of the minimum of its own time, and gets no fixed discount. */
	#lateSides(now: number, of: Subscription, late: readonly Late[], tax: string | null): Side[] {
		const { discount } = this.#conditions(now, of);
		const minimumOf = ({ span }: Late) => of.unspent.find(({ time }) => time.start < span.end && span.end <= time.end);
		const inOrder = late.toSorted((one, other) => one.span.start - other.span.start);
		return [...Map.groupBy(inOrder, minimumOf)].map(([minimum, ones]) => {
			const items = ones.map(({ item }) => item);
			const paid = minimum ? { currency: minimum.currency, paid: minimum.left, drawn: 0n } : null;
			if (minimum) minimum.left -= rate([{ items, discount: null, tax: null, minimum: paid }])[0]?.drawn ?? 0n;
			return { items, discount: discount?.percent != null ? discount : null, tax, minimum: paid };
		});
	}

	/** Stores the unused minimum of an ended charge for its time. */
	#keepUnspent(now: number, of: Subscription, charged: Charged | null, used: Side): void {
		if (!charged?.minimum) return;
		const { paid, drawn } = drawnFrom(charged, used).minimum ?? charged.minimum;
		const { from, period, currency } = charged;
		const time = { start: from, end: Math.min(now, period.end) };
		if (paid > drawn) of.unspent.push({ time, currency, left: paid - drawn });
	}

	/** Overage before an instant is never billed here, but counts against the limit. */
	#excludeOverage(of: Subscription, until: number): void {
		this.meters.excludeOverage(of, until);
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

	/** Issues an invoice for each currency; a credit note if credits exceed charges. */
	#issue(
		now: number,
		of: Subscription,
		rated: readonly Rated[],
		{
			reason,
			creditReason = "ORDER_CHANGE",
			daysDue = of.terms.daysDue,
		}: { reason: string; creditReason?: string; daysDue?: number | null },
	): void {
		const issued = { subscription: of.id, at: now, currency: "", reason: creditReason };
		for (const { currency, lines, total } of rated) {
			const at = this.#dateOf("invoice", now);
			const dueAt = at + (daysDue ?? 0) * dayMs;
			if (total < 0n) {
				for (const { invoice, lines: part } of this.#shared(of, lines, currency))
					this.#note({ ...issued, kind: "credit note", dueAt: null, currency, lines: part }, invoice);
				continue;
			}
			if (this.#graceDays !== null && reason === "BILLING_CYCLE") {
				const issueAt = now + this.#graceDays * dayMs;
				const draft = { subscription: of.id, madeAt: now, issueAt, daysDue: daysDue ?? 0, reason, currency };
				this.drafts = [...this.drafts, { ...draft, tax: of.terms.tax, lines: [...lines] }];
				continue;
			}
			const invoice: Issued = { ...issued, at, kind: "invoice", dueAt, reason, currency, lines };
			this.issued.push(invoice);
			this.ledger.issue(invoice, total, currency);
		}
	}

	/** Returns the draft that Tollgate issues next without a call. */
	nextDraft(): Draft | undefined {
		return this.drafts.reduce<Draft | undefined>(
			(first, one) => (first && first.issueAt <= one.issueAt ? first : one),
			undefined,
		);
	}

	/** Usage reported since is added to the draft when it is issued, discounted and taxed like it. */
	finalize(now: number, draft: Draft, of: Subscription, all: readonly Subscription[]): void {
		const { subscription, reason, currency, lines } = draft;
		const late = this.meters.countClosed(of, (key) => of.endedAt !== null && isCountedByAnother(of, key, all));
		const { charged } = of;
		const isRunning = ({ span }: Late) =>
			of.status === "ACTIVE" && charged !== null && charged.from < span.end && span.end <= charged.period.end;
		const items = late.filter(isRunning).map(({ item }) => item);
		const taxed = { ...of, terms: { ...of.terms, tax: draft.tax } };
		const used = this.#usageSide(draft.madeAt, taxed, items, charged, true);
		const past = late.filter((one) => !isRunning(one));
		const lateSides = this.#lateSides(draft.madeAt, of, past, draft.tax);
		if (charged && items.length > 0) of.charged = drawnFrom(charged, used);
		const more = rate([used, ...lateSides]).flatMap((one) => one.lines);
		const at = this.#dateOf("invoice", now);
		const dueAt = at + draft.daysDue * dayMs;
		const invoice: Issued = {
			kind: "invoice",
			subscription,
			at,
			dueAt,
			reason,
			currency,
			lines: [...lines, ...more],
		};
		this.drafts = this.drafts.filter((one) => one !== draft);
		this.issued.push(invoice);
		this.ledger.issue(invoice, sumOf(invoice.lines), currency);
	}

	/**
	 * Credits an invoice manually: all except usage, less other credits and waiting ones, at most its rest. Those charges
	 * are not credited again, and pay for no usage.
	 */
	credit(now: number, invoice: Issued, all: readonly Subscription[]): boolean {
		const { subscription, currency } = invoice;
		const charged = invoice.lines.filter((line) => !isOfUsage(line)).map(negative);
		const given = this.#givenBackOf(invoice, all);
		const lines = [...charged, ...given.flatMap(creditedByTaxRate)];
		const left = this.ledger.leftOf(invoice);
		if (sumOf(charged) >= 0n || sumOf(lines) >= 0n || left <= 0n) return false;
		const issued = { subscription, at: now, dueAt: null, reason: "ORDER_CHANGE", currency };
		const part = -sumOf(lines) <= left ? lines : cut(lines, left)[0];
		this.#note({ ...issued, kind: "credit note", lines: part }, invoice);
		const own = invoice.lines.filter(({ amount, charged: charge }) => charge !== null && amount < 0n);
		for (const of of all) reduceCharged(of, invoice, [...given.flat(), ...own]);
		return true;
	}

	/**
	 * Returns the credits of other documents for an invoice: notes, invoices, and waiting lines. The invoice's own notes
	 * name credits of other lines than charges in advance.
	 */
	#givenBackOf(invoice: Issued, all: readonly Subscription[]): Line[][] {
		const ids = new Set(chargesOf(invoice).map(({ charged }) => charged));
		const isOf = ({ charged }: Line) => charged !== null && ids.has(charged);
		const others = this.issued.filter((one) => one !== invoice);
		return [
			...others
				.filter(({ kind }) => kind === "credit note")
				.map((note) => {
					const isItsOwn = this.#notes.get(invoice)?.includes(note) ?? false;
					// Usage is not a charge in advance, even if it was credited or paid by a minimum.
					const isGiven = (line: Line) => line.charged === null && !isOfUsage(line) && line.total < 0n;
					return note.lines.filter((line) => isOf(line) || (isItsOwn && isGiven(line)));
				}),
			...others
				.filter((one) => one.kind === "invoice" && this.ledger.owed(one).state !== "CANCELED")
				.map(({ lines }) => lines.filter((line) => isOf(line) && line.amount < 0n)),
			...this.drafts.map(({ lines }) => lines.filter((line) => isOf(line) && line.amount < 0n)),
			all.flatMap(({ pending }) => pending?.lines.filter(isOf) ?? []),
		].filter((lines) => lines.length > 0);
	}

	/** No document is dated before the last numbered one. */
	#dateOf(kind: Issued["kind"], at: number): number {
		return Math.max(at, this.issued.findLast((one) => one.kind === kind)?.at ?? at);
	}

	#note({ at, ...undated }: Issued, invoice: Issued | undefined): void {
		const note = { ...undated, at: this.#dateOf("credit note", at) };
		this.issued.push(note);
		this.ledger.credit(invoice, -sumOf(note.lines), note.currency);
		if (invoice) this.#notes.set(invoice, [...(this.#notes.get(invoice) ?? []), note]);
	}

	/** Splits a credit over the invoices that charged that time: each its own charges first, then the newest, up to its rest. */
	#shared(of: Subscription, lines: readonly Line[], currency: string): Array<{ invoice?: Issued; lines: Line[] }> {
		const spans = lines.flatMap(({ span, total }) => (span && total < 0n ? [span] : []));
		const [from, until] = [Math.min(...spans.map(({ start }) => start)), Math.max(...spans.map(({ end }) => end))];
		// A fee that costs nothing has charged nothing.
		const isFree = ({ kind, addon, feature, amount }: Line) =>
			kind === "advance" && addon === null && feature === null && amount === 0n;
		const charged = (line: Line) =>
			(line.kind === "advance" || line.kind === "minimum") &&
			line.amount >= 0n &&
			!isFree(line) &&
			line.span &&
			line.span.start < until &&
			line.span.end > from;
		const ids = new Set(this.#chain(of).map(({ id }) => id));
		const isOfIts = (one: Pick<Issued, "subscription" | "currency" | "lines">) =>
			ids.has(one.subscription) && one.currency === currency && one.lines.some(charged);
		const drafts = this.drafts.filter(isOfIts).toReversed();
		const invoices = this.issued.filter((one) => one.kind === "invoice" && isOfIts(one)).toReversed();
		const places = [
			...drafts.map((draft) => ({ lines: draft.lines, left: sumOf(draft.lines) })),
			...invoices.map((invoice) => ({ lines: invoice.lines, left: this.ledger.leftOf(invoice) })),
		];
		const { parts, rest } = dealt(lines, places);
		const notes: Array<{ invoice?: Issued; lines: Line[] }> = [];
		for (const [nth, part] of parts.entries()) {
			const draft = drafts[nth];
			const invoice = invoices[nth - drafts.length];
			if (draft) draft.lines.push(...part);
			else if (invoice && part.length > 0) notes.push({ invoice, lines: part });
		}
		return sumOf(rest) < 0n ? [...notes, { lines: rest }] : notes;
	}
}

const isCountedByAnother = (of: Subscription, key: string, all: readonly Subscription[]): boolean =>
	key.startsWith("overage") && all.some((one) => one !== of && one.resource === of.resource && one.counted.has(key));

/** Phases and terms count from the start of billing. */
function beginAgreements(of: Subscription, start: number, now: number, phaseAt = now): void {
	const { plan } = of.terms;
	of.places = placesAt(plan.phases ?? [], start, phaseAt);
	of.term = plan.term ? termAt(plan.term, start, now) : null;
	of.terms = { ...of.terms, phase: of.places[0]?.phase ?? null };
	// A term binds from its start, also an end that was requested before.
	if (of.cancelAt === null || of.term === null) return;
	const { endAt, owedUntil } = boundEnd(of.term, of.cancelAt, now);
	of.cancelAt = endAt;
	of.term = { ...of.term, owedUntil };
}

/** Periods of the same length that count from the same anchor. */
const hasSameCycle = (one: Terms, other: Terms): boolean =>
	one.cycle === other.cycle && haveSameAnchor(one.plan, other.plan);

interface HowToChange {
	readonly behavior: Behavior;
	readonly anchor?: "UNCHANGED" | "NOW";
}

interface UsageOfChange {
	readonly left: Charged | null;
	readonly open: readonly Item[];
	readonly late: readonly Late[];
	readonly tax: string | null;
	/** The stretches of charges in arrears whose terms the change ends. */
	readonly stretches: readonly Item[];
	/** The charges in arrears that run after it. */
	readonly arrears: readonly Running[];
}

interface Opening {
	readonly anchor: "UNCHANGED" | "NOW" | undefined;
	readonly isBackdated: boolean;
	/** Nothing starts before its invoice is paid, if an amount is due. */
	readonly awaits: boolean;
}

const percentOnly = <Terms extends Pick<Side, "discount">>(terms: Terms): Terms => ({
	...terms,
	discount: terms.discount?.percent == null ? null : terms.discount,
});

const nothingUsed: Side = { items: [], discount: null, tax: null };

const isOfUsage = ({ kind }: Line): boolean => kind === "usage" || kind === "true-up" || kind === "drawn";

/** Returns the charges in advance of an invoice. */
const chargesOf = ({ lines }: Issued): Line[] =>
	lines.filter(({ charged, amount }) => charged !== null && amount >= 0n);

/** Manually credited charges no longer count, nor does their part of a minimum spend. */
function reduceCharged(of: Subscription, invoice: Issued, creditedLines: readonly Line[]): void {
	for (const line of chargesOf(invoice)) {
		const own = creditedLines.filter(({ charged }) => charged === line.charged);
		const left = own.reduce((rest, { amount }) => rest + amount, line.amount);
		const { charged, unspent } = of;
		const { start, end } = line.span ?? { start: 0, end: 0 };
		const isOwn = of.id === invoice.subscription || charged?.items.some((item) => item.charged === line.charged);
		if (!isOwn) continue;
		if (charged) {
			const isPaid = line.kind === "minimum" && end === charged.period.end && start >= charged.from;
			of.charged = {
				...charged,
				items: charged.items.map((item) => (item.charged === line.charged ? { ...item, isGivenBack: true } : item)),
				minimum:
					charged.minimum && isPaid ? { ...charged.minimum, paid: charged.minimum.paid - left } : charged.minimum,
			};
		}
		// A charge that was paid for while a period ran begins before the end of that period.
		const kept = unspent.findLast(({ time }) => line.kind === "minimum" && time.start <= start && start < time.end);
		if (kept) kept.left = kept.left > left ? kept.left - left : 0n;
	}
}
