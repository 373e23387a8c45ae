/**
 * A subscription's life a second time: what is invoiced, and when, reckoned from the sentences of the areas' READMEs and of
 * the specification, with a calendar and an arithmetic of its own. Nothing of `src` is imported.
 *
 * It keeps one customer of one product. It is told the same calls at the same times as the system, in the words of the
 * wire, and writes down the documents that it would issue.
 */
import type { ExactCharge } from "../support/oracle/pricing";
import {
	alikeKey,
	type Discount,
	type Item,
	isAlike,
	isOnce,
	type Line,
	type Minimum,
	type Pending,
	type Rated,
	rate,
	restOf,
	type Side,
} from "./bill";
import { addMonths, dayMs, firstOfMonth, lengthsAround, monthsAround, type Span } from "./calendar";
import type { Behavior, Cycle, ListedCharge, ListedCoupon, ListedPackage, PriceList, Reset } from "./price-list";
import { features } from "./price-list";

/** As the wire has it; only what lives use. */
export interface Buying {
	readonly id: string;
	readonly planId: string;
	readonly billingPeriod?: Cycle;
	readonly addons?: ReadonlyArray<{ readonly id: string; readonly quantity: number }>;
	readonly charges?: readonly Units[];
	readonly appliedCoupon?: { readonly couponId: string };
	readonly billingCycleAnchor?: "UNCHANGED" | "NOW";
	readonly billingInformation?: Information & { readonly isBackdated?: boolean };
	readonly minimumSpend?: { readonly amount: number; readonly currency: string };
	readonly priceOverrides?: readonly Override[];
	readonly scheduleStrategy?: Strategy;
	readonly startDate?: string;
	readonly cancellationDate?: string;
	readonly trialOverrideConfiguration?: {
		readonly isTrial: boolean;
		readonly trialEndDate?: string;
		readonly trialEndBehavior?: "CONVERT_TO_PAID" | "CANCEL_SUBSCRIPTION";
	};
}

export interface Changing {
	readonly billingPeriod?: Cycle;
	readonly addons?: ReadonlyArray<{ readonly id: string; readonly quantity: number }>;
	readonly charges?: readonly Units[];
	readonly appliedCoupon?: { readonly couponId: string };
	readonly billingCycleAnchor?: "UNCHANGED" | "NOW";
	readonly billingInformation?: Information;
	readonly minimumSpend?: { readonly amount: number; readonly currency: string } | null;
	readonly priceOverrides?: readonly Override[];
	readonly scheduleStrategy?: Strategy;
	readonly cancellationDate?: string | null;
	readonly trialEndDate?: string;
	readonly metadata?: Readonly<Record<string, string>>;
}

export interface Cancelling {
	readonly cancellationTime: "IMMEDIATE" | "END_OF_BILLING_PERIOD" | "SPECIFIC_DATE";
	readonly endDate?: string;
	readonly prorate?: boolean;
}

type Strategy = "END_OF_BILLING_PERIOD" | "END_OF_BILLING_MONTH" | "IMMEDIATE";
interface Units {
	readonly id: string;
	readonly quantity: number;
	readonly type: "FEATURE";
}
interface Information {
	readonly prorationBehavior?: Behavior;
	readonly taxPercentage?: number;
	readonly invoiceDaysUntilDue?: number;
}
interface Override {
	readonly baseCharge?: boolean;
	readonly featureId?: string;
	readonly addonId?: string;
	readonly amount: number;
}

export interface Used {
	readonly feature: string;
	readonly n: string;
	readonly at: number;
}

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

/** Everything that is agreed. */
interface Terms {
	readonly plan: ListedPackage;
	readonly cycle: Cycle | null;
	readonly addons: ReadonlyArray<{ readonly package: ListedPackage; readonly quantity: number }>;
	readonly units: Readonly<Record<string, number>>;
	readonly overrides: readonly Override[];
	readonly minimum: { readonly amount: string; readonly currency: string } | null;
	readonly tax: string | null;
	readonly behavior: Behavior;
	readonly daysDue: number | null;
}

/** What was charged for the running period. */
interface Charged {
	readonly period: Span;
	readonly currency: string;
	readonly items: readonly Item[];
	readonly discount: Discount | null;
	readonly tax: string | null;
	readonly minimum: Minimum | null;
	readonly isElsewhere: boolean;
}

interface Scheduled {
	readonly at: number;
	readonly type: string;
	readonly changes: Changing;
}

export interface Subscription {
	readonly id: string;
	status: "NOT_STARTED" | "IN_TRIAL" | "ACTIVE" | "ENDED";
	terms: Terms;
	readonly startAt: number;
	coupon: { readonly coupon: ListedCoupon; readonly start: number } | null;
	readonly usageAnchor: number;
	trialEnd: number | null;
	readonly endsWithTrial: boolean;
	cancelAt: number | null;
	supersedes: Subscription | null;
	anchor: number | null;
	billedUntil: number | null;
	usageFrom: number | null;
	usageUntil: number | null;
	usageDue: number | null;
	charged: Charged | null;
	pending: Pending | null;
	/** What was billed of each window, as it was reported. */
	readonly counted: Map<string, Quantity>;
	scheduled: readonly Scheduled[];
}

type Step = "CANCEL" | "TRIAL_END" | "START" | "UPDATE" | "BILL_USAGE" | "RENEW";

/** What the system would refuse; a life leaves it out. */
export class Refused extends Error {}

export class Oracle {
	readonly issued: Issued[] = [];
	/** In the order in which they came. */
	readonly subscriptions: Subscription[] = [];
	readonly #list: PriceList;
	readonly #customerCoupon: { readonly coupon: ListedCoupon; readonly start: number } | null;
	readonly #used: Used[] = [];

	constructor(list: PriceList, customer: { readonly couponId: string | null; readonly at: number }) {
		this.#list = list;
		const coupon = customer.couponId === null ? undefined : this.#coupon(customer.couponId);
		this.#customerCoupon = coupon ? { coupon, start: customer.at } : null;
	}

	get running(): Subscription[] {
		return this.subscriptions.filter(({ status }) => status !== "ENDED");
	}

	/** When something happens next by itself. */
	nextDue(): number | undefined {
		return this.#next()?.at;
	}

	report(used: readonly Used[]): void {
		this.#used.push(...used);
	}

	/** Everything that is due by then happens, each at its own time. */
	run(until: number): void {
		for (;;) {
			const next = this.#next();
			if (!next || next.at > until) return;
			this.#step(next.at, next.of, next.step);
		}
	}

	// What happens by itself.

	/** The first in time; what starts goes before what it ends, and what is older before what is newer. */
	#next(): { at: number; of: Subscription; step: Step } | undefined {
		const all = this.running.flatMap((of) => {
			const due = nextOf(of);
			return due ? [{ ...due, of }] : [];
		});
		const isStart = ({ of }: { of: Subscription }) => (of.status === "NOT_STARTED" ? 0 : 1);
		return all.sort((a, b) => a.at - b.at || isStart(a) - isStart(b))[0];
	}

	#step(now: number, of: Subscription, step: Step): void {
		switch (step) {
			case "CANCEL":
				if (of.status === "NOT_STARTED") this.#markEnded(of);
				else this.#end(now, of, false);
				return;
			case "TRIAL_END": {
				const active = this.#beside(of).active;
				if (of.endsWithTrial || (active && !isFree(active.terms))) this.#markEnded(of);
				else this.#begin(now, of, {});
				return;
			}
			case "START":
				of.supersedes = null;
				this.#begin(now, of, {});
				return;
			case "UPDATE": {
				const due = of.scheduled.filter(({ at }) => at <= now);
				of.scheduled = of.scheduled.filter(({ at }) => at > now);
				this.#apply(now, of, Object.assign({}, ...due.map(({ changes }) => changes), mergedParts(due)), {
					behavior: of.terms.behavior,
				});
				return;
			}
			case "BILL_USAGE":
				this.#billUsage(now, of, now, "BILLING_CYCLE");
				return;
			case "RENEW":
				this.#renew(now, of);
		}
	}

	// The calls.

	buy(now: number, asked: Buying): void {
		this.run(now);
		const terms = this.#termsOf(asked);
		const active = this.running.find(({ status }) => status === "ACTIVE");
		const trial = this.running.find(({ status }) => status === "IN_TRIAL");
		const waiting = this.running.filter(({ status }) => status === "NOT_STARTED");
		const isDown = active !== undefined && this.#direction(active.terms, terms) < 0;
		const startAt = this.#timeOf(now, asked, active, isDown);
		const { trialOverrideConfiguration: forced, appliedCoupon } = asked;
		const trialEnd = forced?.isTrial && forced.trialEndDate && !isFree(terms) ? Date.parse(forced.trialEndDate) : null;
		const previous = active ?? trial;
		const { usageReset } = this.#list;
		const keeps =
			usageReset === "NEVER_RESET" || (usageReset === "BILLING_PERIOD_CHANGE" && previous?.terms.cycle === terms.cycle);
		const coupon = appliedCoupon && this.#coupon(appliedCoupon.couponId);
		const of: Subscription = {
			id: asked.id,
			status: "NOT_STARTED",
			terms,
			startAt,
			coupon: coupon ? { coupon, start: startAt } : null,
			usageAnchor: previous && keeps ? previous.usageAnchor : startAt,
			trialEnd,
			endsWithTrial: forced?.trialEndBehavior === "CANCEL_SUBSCRIPTION",
			cancelAt: asked.cancellationDate === undefined ? null : Date.parse(asked.cancellationDate),
			supersedes: startAt > now ? (active ?? null) : null,
			anchor: null,
			billedUntil: null,
			usageFrom: null,
			usageUntil: null,
			usageDue: null,
			charged: null,
			pending: null,
			counted: new Map(),
			scheduled: [],
		};
		this.subscriptions.push(of);
		for (const one of waiting) this.#markEnded(one);
		if (startAt <= now)
			this.#begin(now, of, {
				keepsTrial: forced?.isTrial === false,
				...(asked.billingCycleAnchor && { anchor: asked.billingCycleAnchor }),
				isBackdated: asked.billingInformation?.isBackdated ?? false,
			});
	}

	change(now: number, id: string, changes: Changing): void {
		this.run(now);
		const of = this.#live(id);
		if (changes.trialEndDate !== undefined) {
			const end = Date.parse(changes.trialEndDate);
			if (of.trialEnd === null || end > of.trialEnd) of.cancelAt = null;
			of.trialEnd = end;
		}
		if (changes.cancellationDate !== undefined)
			of.cancelAt = changes.cancellationDate === null ? null : Date.parse(changes.cancellationDate);
		const at = this.#changeTime(now, of, changes);
		const parts = partsOf(changes);
		if (at > now) {
			const types = parts.map(({ type }) => type);
			of.scheduled = [
				...of.scheduled.filter(({ type }) => !types.includes(type)),
				...parts.map((part) => ({ ...part, at })),
			];
			return;
		}
		if (parts.some(({ type }) => isTerm(type))) of.scheduled = [];
		this.#apply(now, of, changes, {
			behavior: changes.billingInformation?.prorationBehavior ?? of.terms.behavior,
			...(changes.billingCycleAnchor && { anchor: changes.billingCycleAnchor }),
		});
		if (changes.charges) this.#copyUnits(of);
	}

	cancel(now: number, id: string, { cancellationTime, endDate, prorate = true }: Cancelling): void {
		this.run(now);
		const of = this.#live(id);
		switch (cancellationTime) {
			case "IMMEDIATE":
				if (of.status === "NOT_STARTED") this.#markEnded(of);
				else this.#end(now, of, prorate);
				return;
			case "END_OF_BILLING_PERIOD":
				of.cancelAt = periodOf(of, now)?.end ?? null;
				return;
			case "SPECIFIC_DATE":
				of.cancelAt = Date.parse(endDate ?? "");
				if (of.status === "IN_TRIAL" && of.trialEnd !== null && of.cancelAt > of.trialEnd) of.trialEnd = of.cancelAt;
		}
	}

	chargeUsage(now: number, id: string, until: number): void {
		this.run(now);
		this.#billUsage(now, this.#live(id), until, "MANUAL");
	}

	/** Drops what is scheduled: updates, and the plan that is to take its place. */
	dropScheduled(now: number, id: string): void {
		this.run(now);
		const of = this.#live(id);
		for (const next of this.running.filter(({ supersedes }) => supersedes === of)) this.#markEnded(next);
		of.scheduled = [];
	}

	#live(id: string): Subscription {
		const of = this.running.find((one) => one.id === id);
		if (!of) throw new Refused(id);
		return of;
	}

	/** An upgrade is had at once, and a downgrade too, unless the product lets it wait or the call says otherwise. */
	#timeOf(
		now: number,
		{ startDate, scheduleStrategy }: Pick<Buying, "startDate" | "scheduleStrategy">,
		active: Subscription | undefined,
		isDown: boolean,
	): number {
		if (startDate !== undefined) return Date.parse(startDate);
		const period = active && periodOf(active, now);
		const byItself = this.#list.waits && isDown && period ? "END_OF_BILLING_PERIOD" : "IMMEDIATE";
		const strategy = scheduleStrategy ?? byItself;
		if (strategy === "IMMEDIATE") return now;
		if (!period || active.anchor === null) throw new Refused("no period to wait for");
		return strategy === "END_OF_BILLING_PERIOD" ? period.end : monthsAround(active.anchor, 1, now).end;
	}

	/** A shorter billing period waits for the longer one, which is paid for, to end. */
	#changeTime(now: number, of: Subscription, changes: Changing): number {
		const period = periodOf(of, now);
		if (of.terms.cycle === "ANNUALLY" && changes.billingPeriod === "MONTHLY" && period) return period.end;
		const isDown = this.#direction(of.terms, this.#changed(of.terms, changes)) < 0;
		const { scheduleStrategy } = changes;
		return this.#timeOf(now, scheduleStrategy ? { scheduleStrategy } : {}, of, isDown);
	}

	/** Units that are bought while another plan is to come are there in that plan too. */
	#copyUnits(of: Subscription): void {
		for (const next of this.running.filter(({ supersedes }) => supersedes === of)) {
			const units = Object.entries(next.terms.units).map(([feature, quantity]) => [
				feature,
				Math.max(quantity, of.terms.units[feature] ?? 0),
			]);
			next.terms = { ...next.terms, units: Object.fromEntries(units) };
		}
	}

	// Terms.

	#package = (id: string): ListedPackage => {
		const found = [...this.#list.plans, ...this.#list.addons].find((one) => one.id === id);
		if (!found) throw new Error(`Nothing is called ${id}.`);
		return found;
	};

	#coupon(id: string): ListedCoupon {
		const found = this.#list.coupons.find((coupon) => coupon.id === id);
		if (!found) throw new Error(`No coupon is called ${id}.`);
		return found;
	}

	#termsOf(asked: Buying): Terms {
		const plan = this.#package(asked.planId);
		const cycles = [...new Set(plan.charges.flatMap(({ prices }) => prices.map(({ cycle }) => cycle)))];
		const terms: Terms = {
			plan,
			cycle: cycles.length === 0 ? null : (asked.billingPeriod ?? cycles[0] ?? null),
			addons: [],
			units: {},
			overrides: asked.priceOverrides ?? [],
			minimum: null,
			tax: null,
			behavior: "INVOICE_IMMEDIATELY",
			daysDue: null,
		};
		const { addons, charges, billingInformation, minimumSpend } = asked;
		return this.#changed(terms, {
			...(addons && { addons }),
			...(charges && { charges }),
			...(billingInformation && { billingInformation }),
			...(minimumSpend && { minimumSpend }),
		});
	}

	/** What is left out stays; units that the plan sells and nobody asked for are the least of them. */
	#changed(terms: Terms, changes: Changing): Terms {
		const { billingInformation = {}, minimumSpend } = changes;
		const { taxPercentage, invoiceDaysUntilDue, prorationBehavior } = billingInformation;
		const addons =
			changes.addons?.map(({ id, quantity }) => ({ package: this.#package(id), quantity })) ?? terms.addons;
		const cycle = changes.billingPeriod ?? terms.cycle;
		const named = Object.fromEntries((changes.charges ?? []).map(({ id, quantity }) => [id, quantity]));
		const least = Object.fromEntries(
			terms.plan.charges
				.filter(({ model, prices }) => model === "PER_UNIT" && prices.some((price) => price.cycle === cycle))
				.map(({ feature = "", least: fewest = 1 }) => [feature, fewest]),
		);
		return {
			...terms,
			cycle,
			addons,
			units: { ...least, ...terms.units, ...named },
			overrides: changes.priceOverrides ?? terms.overrides,
			minimum:
				minimumSpend === undefined
					? terms.minimum
					: minimumSpend && { amount: plain(minimumSpend.amount), currency: minimumSpend.currency },
			tax: taxPercentage === undefined ? terms.tax : plain(taxPercentage),
			behavior: prorationBehavior ?? terms.behavior,
			daysDue: invoiceDaysUntilDue ?? terms.daysDue,
		};
	}

	/** Above zero is up: from nothing to a price, then the longer period, then the higher sum of a whole period. */
	#direction(before: Terms, after: Terms): number {
		const [old, next] = [priceOf(before), priceOf(after)];
		if ((old.amount === 0n) !== (next.amount === 0n)) return old.amount === 0n ? 1 : -1;
		const months = (cycle: Cycle) => (cycle === "MONTHLY" ? 1 : 12);
		const longer = before.cycle && after.cycle ? months(after.cycle) - months(before.cycle) : 0;
		if (longer !== 0) return longer;
		if (old.currency !== next.currency) return 0;
		return next.amount > old.amount ? 1 : next.amount < old.amount ? -1 : 0;
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

	// How a life goes on.

	#beside(of: Subscription): { active?: Subscription; trial?: Subscription } {
		const others = this.running.filter((one) => one !== of);
		const active = others.find(({ status }) => status === "ACTIVE");
		const trial = others.find(({ status }) => status === "IN_TRIAL");
		return { ...(active && { active }), ...(trial && { trial }) };
	}

	#begin(
		now: number,
		of: Subscription,
		{
			keepsTrial = false,
			anchor,
			isBackdated = false,
		}: { keepsTrial?: boolean; anchor?: "UNCHANGED" | "NOW"; isBackdated?: boolean },
	): void {
		const { active, trial } = this.#beside(of);
		if (of.trialEnd !== null && of.trialEnd > now) {
			if (trial) this.#markEnded(trial);
			of.status = "IN_TRIAL";
			return;
		}
		this.#open(now, of, active, anchor, isBackdated);
		if (active) this.#markEnded(active);
		if (trial && !keepsTrial) this.#markEnded(trial);
		of.status = "ACTIVE";
	}

	/** The first period is charged, and what went before is settled, in one bill. */
	#open(
		now: number,
		of: Subscription,
		replaced: Subscription | undefined,
		anchor: "UNCHANGED" | "NOW" | undefined,
		isBackdated: boolean,
	): void {
		const { behavior, cycle } = of.terms;
		const closing = replaced && !isFree(replaced.terms) ? this.#closing(now, replaced, behavior !== "NONE") : undefined;
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
			anchor !== "NOW" && !isPast && replaced?.terms.cycle === cycle && replaced.charged !== null
				? replaced
				: undefined;
		const anchorAt = continued?.anchor ?? (anchor !== "NOW" && this.#list.isFromTheFirst ? firstOfMonth(from) : from);
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
	#renew(now: number, of: Subscription): void {
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

	#billUsage(now: number, of: Subscription, until: number, reason: string): void {
		const side = this.#usageSide(now, of, this.#unbilled(of, until), of.charged, true);
		of.charged = of.charged && drawnFrom(of.charged, side);
		of.usageUntil = until;
		if (of.billedUntil !== null) of.usageDue = usageDueAfter(of, now);
		this.#issue(now, of, rate([side]), { reason });
	}

	#end(now: number, of: Subscription, prorate: boolean): void {
		if (of.status === "ACTIVE" && !isFree(of.terms)) {
			const { given, used, pending } = this.#closing(now, of, prorate && !of.charged?.isElsewhere);
			this.#issue(now, of, rate([...given, used], pending), {
				reason: "SUBSCRIPTION_UPDATE",
				creditReason: "ORDER_CANCELLATION",
			});
		}
		for (const next of this.running.filter(({ supersedes }) => supersedes === of)) this.#markEnded(next);
		this.#markEnded(of);
	}

	#markEnded(of: Subscription): void {
		of.status = "ENDED";
		of.scheduled = [];
		of.pending = null;
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
	#apply(
		now: number,
		of: Subscription,
		changes: Changing,
		{ behavior, anchor }: { behavior: Behavior; anchor?: "UNCHANGED" | "NOW" },
	): void {
		const before = of.terms;
		const after = this.#changed(before, changes);
		const isAnew = anchor === "NOW" || after.cycle !== before.cycle;
		const reprices = JSON.stringify(usagePrices(before)) !== JSON.stringify(usagePrices(after));
		const isCharged = of.status === "ACTIVE" && !isFree(before) && after.cycle !== null && of.anchor !== null;
		// At the old prices, before the new terms are there.
		const usage = isCharged && (isAnew || reprices) ? this.#unbilled(of, now) : [];
		of.terms = after;
		if (changes.appliedCoupon) of.coupon = { coupon: this.#coupon(changes.appliedCoupon.couponId), start: now };
		if (!isCharged || after.cycle === null || of.anchor === null) return;
		const isAtRenewal = !isAnew && of.billedUntil !== null && of.billedUntil <= now;
		const anchorAt = isAnew ? now : of.anchor;
		const period = cycleAround(anchorAt, after.cycle, now);
		const [old, items] = [advanceItems(before, period), advanceItems(after, period)];
		const isProrated = isAnew || (!isAtRenewal && behavior !== "NONE" && !areAlike(old, items));
		const terms = this.#conditions(now, of);
		const unchanged = isAnew ? [] : unchangedOf(of.charged, items, terms);
		const given = isProrated && behavior !== "NONE" ? creditOf(of.charged, now, unchanged) : [];
		const left = of.charged && afterCredits(of.charged, given);
		const used = this.#usageSide(now, of, usage, left, !isAnew);
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

	#conditions(now: number, of: Subscription): Pick<Side, "discount" | "tax"> {
		return { discount: this.#discountAt(now, of), tax: of.terms.tax };
	}

	// Usage.

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
		return this.#count(of, windows, { start: earliest.start, end: until });
	}

	/** What lay beyond a limit before is never billed here, though it counts against the limit. */
	#passOver(of: Subscription, until: number): void {
		this.#count(of, [], { start: until - 1, end: until });
	}

	#count(of: Subscription, periods: readonly Span[], reach: Span): Item[] {
		return pricesOf(of.terms)
			.filter(({ listed }) => listed.model === "USAGE_BASED")
			.flatMap(({ listed, charge, addon }) => {
				const { feature = "", beyond } = listed;
				const windows = beyond ? resets(beyond.reset, of.usageAnchor, reach) : periods;
				const limit = beyond && limitOf(of.terms, feature, beyond.limit);
				return windows.flatMap((span): Item[] => {
					const key = `${beyond ? "overage" : "usage"} ${feature} ${span.start}`;
					const quantity = this.#quantity(feature, span);
					const billed = of.counted.get(key) ?? 0n;
					const isMore = quantity > billed;
					of.counted.set(key, isMore ? quantity : billed);
					const { divide, round = "UP" } = features[feature] ?? {};
					const unitTransformation = divide === undefined ? null : { divide, round };
					if (!isMore || (limit !== undefined && !isBeyond(quantity, unitTransformation, limit))) return [];
					return [
						{
							charge,
							addon,
							feature,
							span,
							quantity: decimal(quantity),
							billed: decimal(billed),
							unitTransformation,
							...(limit !== undefined && { limit }),
						},
					];
				});
			});
	}

	#quantity(feature: string, { start, end }: Span): Quantity {
		const values = this.#used
			.filter((used) => used.feature === feature && start <= used.at && used.at < end)
			.map(({ n }) => quantityOf(n));
		if (features[feature]?.counts === "SUM") return values.reduce((sum, value) => sum + value, 0n);
		return values.reduce((most, value) => (value > most ? value : most), values[0] ?? 0n);
	}

	// Documents.

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

// A subscription by itself.

function nextOf(of: Subscription): { at: number; step: Step } | undefined {
	const steps: Array<[Step, number | null]> = [["CANCEL", of.cancelAt]];
	if (of.status === "NOT_STARTED") steps.push(["START", of.startAt]);
	if (of.status === "IN_TRIAL") steps.push(["TRIAL_END", of.trialEnd]);
	if (of.status === "ACTIVE") {
		const times = of.scheduled.map(({ at }) => at);
		steps.push(["UPDATE", times.length === 0 ? null : Math.min(...times)]);
		if (!isFree(of.terms)) steps.push(["BILL_USAGE", of.usageDue], ["RENEW", of.billedUntil]);
	}
	return steps
		.flatMap(([step, at]) => (at === null ? [] : [{ step, at }]))
		.reduce<{ at: number; step: Step } | undefined>(
			(first, one) => (first && first.at <= one.at ? first : one),
			undefined,
		);
}

const isFree = ({ plan }: Terms): boolean => plan.charges.length === 0;
const cycleAround = (anchor: number, cycle: Cycle, at: number): Span =>
	monthsAround(anchor, cycle === "MONTHLY" ? 1 : 12, at);
export const periodOf = ({ status, anchor, terms }: Subscription, at: number): Span | undefined =>
	(status !== "ACTIVE" && status !== "NOT_STARTED" && status !== "IN_TRIAL") || anchor === null || terms.cycle === null
		? undefined
		: cycleAround(anchor, terms.cycle, at);

/** When overage is billed by the month though the period is a year. */
function usageDueAfter({ terms, anchor, billedUntil }: Subscription, now: number): number | null {
	const { plan, cycle } = terms;
	const hasOverage = plan.charges.some(
		({ beyond, prices }) => beyond !== undefined && prices.some((price) => price.cycle === cycle),
	);
	if (cycle !== "ANNUALLY" || !plan.isOverageMonthly || !hasOverage || anchor === null || billedUntil === null)
		return null;
	const { end } = monthsAround(anchor, 1, now);
	return end < billedUntil ? end : null;
}

// Prices.

interface Held {
	readonly listed: ListedCharge;
	readonly charge: ExactCharge;
	readonly addon: string | null;
	readonly count: number;
}

/** The prices of plan and addons for the billing period, with the subscription's own in their place. */
function pricesOf({ plan, addons, cycle, overrides }: Terms): Held[] {
	if (cycle === null) return [];
	return [{ package: plan, quantity: 1 }, ...addons].flatMap(({ package: sold, quantity: count }) =>
		sold.charges.flatMap((listed): Held[] => {
			const price = listed.prices.find((one) => one.cycle === cycle);
			if (!price) return [];
			const addon = sold.isAddon ? sold.id : null;
			const own = overrides.find((override) => isFor(override, listed, addon));
			const amount = own ? plain(own.amount) : price.amount;
			const money = (value: string | null) => (value === null ? null : { amount: value, currency: sold.currency });
			return [
				{
					listed,
					addon,
					count,
					charge: {
						billingModel: listed.model,
						billingCadence: listed.isOnce ? "ONE_OFF" : "RECURRING",
						isOverage: listed.beyond !== undefined,
						price: amount === undefined ? null : money(amount),
						tiersMode: own ? null : (listed.mode ?? null),
						tiers:
							own || !price.tiers
								? null
								: price.tiers.map(({ upTo, unit, flat }) => ({
										upTo,
										unitPrice: money(unit),
										flatPrice: money(flat),
									})),
						blockSize: listed.block ?? null,
					},
				},
			];
		}),
	);
}

/** Overage has no price of a subscription's own. */
function isFor(
	{ baseCharge, featureId, addonId }: Override,
	{ model, feature, beyond }: ListedCharge,
	addon: string | null,
) {
	if (beyond || (addonId ?? null) !== addon) return false;
	if (featureId !== undefined) return feature === featureId;
	return baseCharge ? model === "FLAT_FEE" : addon !== null;
}

/** What a period costs in advance: fees and units, and at last the minimum. */
function advanceItems(terms: Terms, span: Span): Item[] {
	const { plan, cycle, units, minimum } = terms;
	const items = pricesOf(terms)
		.filter(({ listed }) => listed.model !== "USAGE_BASED")
		.map(({ listed, charge, addon, count }): Item => {
			const { model, feature = null, isOnce: once } = listed;
			const ofPlan = addon === null && model === "PER_UNIT" ? (units[feature ?? ""] ?? 1) : undefined;
			return { charge, addon, feature, quantity: String(ofPlan ?? count), span: once ? null : span };
		});
	const ofPlan = plan.minimums.find((one) => one.cycle === cycle);
	const least = minimum ?? (ofPlan && { amount: ofPlan.amount, currency: plan.currency });
	if (!least || cycle === null) return items;
	const charge: ExactCharge = {
		billingModel: "MINIMUM_SPEND",
		billingCadence: "RECURRING",
		isOverage: false,
		price: least,
		tiersMode: null,
		tiers: null,
		blockSize: null,
	};
	return [...items, { charge, addon: null, feature: null, quantity: "1", span }];
}

const subjectOf = ({ addon, feature, charge }: Item): string => JSON.stringify([addon, feature, charge.billingModel]);

const usagePrices = (terms: Terms) =>
	pricesOf(terms)
		.filter(({ listed }) => listed.model === "USAGE_BASED")
		.map(({ charge, listed, addon }) => [charge, listed.feature, addon]);

function priceOf(terms: Terms): { amount: bigint; currency: string | undefined } {
	const items = advanceItems(terms, { start: 0, end: 1 }).filter((item) => !isOnce(item));
	const [rated] = rate([{ items, discount: null, tax: null }]);
	return { amount: rated?.total ?? 0n, currency: rated?.currency };
}

function areAlike(one: readonly Item[], other: readonly Item[]): boolean {
	const keys = (items: readonly Item[]) =>
		items
			.filter((item) => !isOnce(item))
			.map(alikeKey)
			.sort();
	return JSON.stringify(keys(one)) === JSON.stringify(keys(other));
}

// What was charged.

function chargedFor(items: readonly Item[], period: Span, side: Side, isElsewhere: boolean): Charged | null {
	const recurring = items.filter((item) => !isOnce(item));
	const [rated] = rate([{ ...side, items: recurring }]);
	if (!rated) return null;
	const own = rate([side]).find(({ currency }) => currency === rated.currency);
	const lines = own?.lines.filter(({ kind }) => kind === "minimum") ?? [];
	const paid = lines.reduce((sum, { amount }) => sum + amount, 0n);
	return {
		period,
		currency: rated.currency,
		items: recurring,
		discount: side.discount,
		tax: side.tax,
		minimum: lines.length === 0 ? null : { paid, drawn: 0n },
		isElsewhere,
	};
}

/** After a change in mid-period: the minimum is what was paid for it in all, less what was given back. */
function rechargedFor(
	before: Charged | null,
	items: readonly Item[],
	period: Span,
	terms: Pick<Side, "discount" | "tax">,
	rated: readonly Rated[],
): Charged | null {
	const charged = chargedFor(items, period, { ...terms, items }, false);
	if (!charged) return null;
	const former = before?.currency === charged.currency ? before.minimum : null;
	const own = rated.find(({ currency }) => currency === charged.currency);
	const lines = own?.lines.filter(({ kind }) => kind === "minimum") ?? [];
	if (lines.length === 0 && former === null) return { ...charged, minimum: null };
	const paid = lines.reduce((sum, { amount }) => sum + amount, former?.paid ?? 0n);
	return { ...charged, minimum: { paid, drawn: (former?.drawn ?? 0n) + (own?.drawn ?? 0n) } };
}

function creditOf(charged: Charged | null, now: number, except: readonly Item[]): Side[] {
	if (!charged || now >= charged.period.end) return [];
	const items = charged.items
		.filter((item) => !except.some((one) => isAlike(one, item)))
		.map((item) => ({
			...item,
			isCredit: true,
			span: { start: Math.max(now, charged.period.start), end: charged.period.end },
			of: charged.period,
		}));
	return [{ items, discount: charged.discount, tax: charged.tax }];
}

function afterCredits(charged: Charged, given: readonly Side[]): Charged {
	if (!charged.minimum) return charged;
	const own = rate(given).find(({ currency }) => currency === charged.currency);
	const back = own?.lines.filter(({ kind }) => kind === "minimum") ?? [];
	const { paid, drawn } = charged.minimum;
	return { ...charged, minimum: { paid: back.reduce((sum, { amount }) => sum + amount, paid), drawn } };
}

function drawnFrom(charged: Charged, used: Side | undefined): Charged {
	const drawn = used ? (rate([used])[0]?.drawn ?? 0n) : 0n;
	if (!charged.minimum) return charged;
	return { ...charged, minimum: { paid: charged.minimum.paid, drawn: charged.minimum.drawn + drawn } };
}

/** What is charged after a change as it was before needs no line; a fixed discount is spread over all, so with it all do. */
function unchangedOf(
	charged: Charged | null,
	items: readonly Item[],
	{ discount, tax }: Pick<Side, "discount" | "tax">,
): Item[] {
	if (!charged || discount?.amounts != null || charged.tax !== tax) return [];
	if (JSON.stringify(charged.discount) !== JSON.stringify(discount)) return [];
	return items.filter((item) => charged.items.some((before) => isAlike(before, item)));
}

// Usage.

function resets(reset: Reset, anchor: number, { start, end }: Span): Span[] {
	const windowAt = (at: number): Span => {
		switch (reset) {
			case "MONTH from the start":
				return monthsAround(anchor, 1, at);
			case "MONTH from the first":
				return monthsAround(firstOfMonth(anchor), 1, at);
			case "YEAR":
				return monthsAround(anchor, 12, at);
			case "WEEK":
				return lengthsAround(anchor, 7 * dayMs, at);
			case "DAY":
				return lengthsAround(0, dayMs, at);
		}
	};
	const windows: Span[] = [];
	for (let at = start; at < end; ) {
		const window = windowAt(at);
		windows.push({ start: window.start, end: Math.min(window.end, end) });
		at = window.end;
	}
	return windows;
}

/** Of the plan, with what addons add to it, times how many are held. */
const limitOf = ({ addons }: Terms, feature: string, limit: string): string =>
	decimal(
		addons.reduce(
			(sum, { package: sold, quantity }) =>
				sold.adds
					.filter((one) => one.feature === feature)
					.reduce((more, one) => more + quantityOf(one.limit) * BigInt(quantity), sum),
			quantityOf(limit),
		),
	);

function isBeyond(
	quantity: Quantity,
	transformation: { divide: string; round: "UP" | "DOWN" } | null,
	limit: string,
): boolean {
	if (!transformation) return quantity > quantityOf(limit);
	const by = quantityOf(transformation.divide);
	const isPart = quantity % by !== 0n && quantity > 0n;
	const units = quantity / by + (transformation.round === "UP" && isPart ? 1n : 0n);
	return units * millionth > quantityOf(limit);
}

// The words of a call.

interface Part {
	readonly type: string;
	readonly changes: Changing;
}

/** The kinds of change that one update makes; each is scheduled by itself. */
function partsOf(changes: Changing): Part[] {
	const { billingPeriod, addons, charges, priceOverrides, minimumSpend, appliedCoupon, billingInformation, metadata } =
		changes;
	const part = (type: string, some: Changing): Part[] =>
		Object.keys(some).length === 0 ? [] : [{ type, changes: some }];
	return [
		...part("BILLING_PERIOD", billingPeriod ? { billingPeriod } : {}),
		...part("ADDON", addons ? { addons } : {}),
		...part("UNIT_AMOUNT", charges && charges.length > 0 ? { charges } : {}),
		...part("PRICE_OVERRIDE", {
			...(priceOverrides && { priceOverrides }),
			...(minimumSpend !== undefined && { minimumSpend }),
		}),
		...part("COUPON", appliedCoupon ? { appliedCoupon } : {}),
		...part("METADATA", metadata ? { metadata } : {}),
		...part(
			"BILLING_INFO",
			billingInformation && Object.keys(billingInformation).length > 0 ? { billingInformation } : {},
		),
	];
}

const isTerm = (type: string): boolean => type !== "COUPON" && type !== "METADATA" && type !== "BILLING_INFO";

/** Of several scheduled at one time. */
const mergedParts = (due: readonly Scheduled[]): Changing => {
	const charges = due.flatMap(({ changes }) => changes.charges ?? []);
	const billingInformation = Object.assign({}, ...due.map(({ changes }) => changes.billingInformation));
	return {
		...(charges.length > 0 && { charges }),
		...(Object.keys(billingInformation).length > 0 && { billingInformation }),
	};
};

/** A number of the wire in plain digits. */
const plain = (value: number): string => {
	const text = String(value);
	if (!/^-?\d+(\.\d+)?$/.test(text)) throw new Error(`${text} has no plain digits.`);
	return text;
};

/** Usage, in millionths. */
type Quantity = bigint;
const millionth = 1_000_000n;

function quantityOf(text: string): Quantity {
	const [, minus, whole = "0", fraction = ""] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(text) ?? [];
	const size = BigInt(whole) * millionth + BigInt(fraction.padEnd(6, "0"));
	return minus ? -size : size;
}

/** In plain digits. */
function decimal(quantity: Quantity): string {
	const size = quantity < 0n ? -quantity : quantity;
	const fraction = String(size % millionth)
		.padStart(6, "0")
		.replace(/0+$/, "");
	return `${quantity < 0n ? "-" : ""}${size / millionth}${fraction ? `.${fraction}` : ""}`;
}
