/**
 * An independent calculation of a subscription's invoices, from the areas' READMEs and the specification, with its own
 * calendar and arithmetic. It imports nothing of `src`. It covers one customer of one product, gets the same calls at
 * the same times as Tollgate, and records the documents that it would issue.
 */

import type { Act, History } from "./acts";
import { boundEnd, endOfTerm, renewed, upliftOf } from "./agreements/term";
import type { Issued } from "./bill";
import { addMonths, hourMs, monthsAround } from "./calendar";
import {
	type Buying,
	type Cancelling,
	type Changing,
	isTerm,
	type Migrating,
	mergedParts,
	migration,
	type Pausing,
	partsOf,
	type Resuming,
	type TakingOver,
	type Transferring,
	type Used,
} from "./calls";
import { type Draft, manualLine } from "./drafts";
import { couponOf, Invoicing } from "./invoicing";
import type { Owed } from "./ledger";
import { type ListedPackage, monthsOf, type PriceList } from "./price-list";
import { Refused } from "./refused";
import {
	type ChangeToPay,
	type Event,
	nextLateUsageCheck,
	nextOf,
	type Pause,
	periodOf,
	type Subscription,
} from "./subscription";
import { changedTerms, cycleAround, directionOf, isFree, soldByThen, termsOf } from "./terms";

type Units = Subscription["terms"]["units"];

/** Returns the units of a scheduled plan, at least those of the current one. */
const mostUnits = (planned: Units, held: Units): Units =>
	Object.fromEntries(
		Object.entries(planned).map(([feature, quantity]) => [feature, Math.max(quantity, held[feature] ?? 0)]),
	);

/** Returns the changed terms that a scheduled plan was not sold with by name. */
const changedWith = (
	next: Subscription["terms"],
	before: Subscription["terms"],
	after: Subscription["terms"],
	{ prorationBehavior }: NonNullable<Changing["billingInformation"]>,
): Subscription["terms"] => ({
	...next,
	tax: next.tax === before.tax ? after.tax : next.tax,
	daysDue: next.daysDue === before.daysDue ? after.daysDue : next.daysDue,
	behavior: prorationBehavior ?? next.behavior,
});

/** Returns a coupon if it still lasts when the scheduled plan starts. */
function lastingAt(startAt: number, applied: Subscription["coupon"]): Subscription["coupon"] {
	const months = applied?.coupon.months ?? null;
	return applied && (months === null || addMonths(applied.start, months) > startAt) ? applied : null;
}

/** Whether the scheduled plan has the other's coupon, as far as it lasts until then. */
function isSameCoupon({ coupon: own, startAt }: Subscription, other: Subscription["coupon"]): boolean {
	const [one, two] = [own, other].map((applied) => lastingAt(startAt, applied));
	return one?.coupon.id === two?.coupon.id && one?.start === two?.start;
}

export class Oracle {
	readonly #books: Invoicing;
	/** In the order of their calls. */
	readonly subscriptions: Subscription[] = [];
	/** The current price list. */
	#list: PriceList;
	readonly #currency: string | null;

	constructor(
		list: PriceList,
		customer: Pick<History, "couponId" | "currency" | "graceDays"> & { readonly at: number },
	) {
		this.#list = list;
		this.#currency = customer.currency;
		this.#books = new Invoicing(list, customer, (of) => this.#chain(of));
	}

	get issued(): readonly Issued[] {
		return this.#books.issued;
	}

	/** Balances by currency. */
	get balances() {
		return this.#books.ledger.balances;
	}

	get invoices(): Array<Issued & Owed> {
		return this.issued
			.filter(({ kind }) => kind === "invoice")
			.map((invoice) => ({ ...invoice, ...this.#books.ledger.owed(invoice) }));
	}

	get running(): Subscription[] {
		return this.subscriptions.filter(({ status }) => status !== "ENDED");
	}

	/** The drafts that are not issued yet, in the order in which they were created. */
	get drafts(): readonly Draft[] {
		return this.#books.drafts;
	}

	/** Returns the time of the next due step. */
	nextDue(): number | undefined {
		const times = [this.#next()?.at, this.#books.nextDraft()?.issueAt].filter((at) => at !== undefined);
		return times.length === 0 ? undefined : Math.min(...times);
	}

	report(used: readonly Used[]): void {
		this.#books.meters.report(used);
	}

	/** Runs everything that is due by then, each at its own time. */
	run(until: number): void {
		for (;;) {
			const next = this.#next();
			const draft = this.#books.nextDraft();
			// At one instant a draft is issued first.
			if (draft && draft.issueAt <= Math.min(until, next?.at ?? until)) {
				this.#finalize(draft.issueAt, draft);
				continue;
			}
			if (!next || next.at > until) return;
			this.#happen(next.at, next.of, next.event);
		}
	}

	tell(act: Act): void {
		switch (act.do) {
			case "wait":
				this.run(act.at);
				return;
			case "use":
				this.report(act.used);
				return;
			case "buy":
				this.buy(act.at, act.body);
				return;
			case "take over":
				this.takeOver(act.at, act.body);
				return;
			case "publish":
				this.publish(act.at, act.plan, act.toAll);
				return;
			case "transfer":
				this.transfer(act.at, act.id, act.body);
				return;
			case "migrate":
				this.migrate(act.at, act.id, act.body);
				return;
			case "change":
				this.change(act.at, act.id, act.body);
				return;
			case "cancel":
				this.cancel(act.at, act.id, act.body);
				return;
			case "pause":
				this.pause(act.at, act.id, act.body);
				return;
			case "resume":
				this.resume(act.at, act.id, act.body);
				return;
			case "charge":
				this.chargeUsage(act.at, act.id, act.until);
				return;
			case "pay":
				this.pay(act.at, act.invoice);
				return;
			case "credit":
				this.credit(act.at, act.invoice);
				return;
			case "finalize":
				this.run(act.at);
				this.#finalize(act.at, this.#draft(act.draft));
				return;
			case "add line":
				this.run(act.at);
				this.#draft(act.draft).lines.push(manualLine(this.#draft(act.draft), act.body));
				return;
			case "drop":
				this.dropScheduled(act.at, act.id);
				return;
			case "drop what is to be paid":
				this.dropToPay(act.at, act.id);
				return;
			case "contract":
				throw new Refused("contract");
		}
	}

	// Due steps.

	/**
	 * Returns the first step in time. Starts come before the ends that they cause, and older subscriptions before newer
	 * ones.
	 */
	#next(): { at: number; of: Subscription; event: Event } | undefined {
		const all = this.subscriptions.flatMap((of) => {
			const due = nextOf(of);
			return due ? [{ ...due, of }] : [];
		});
		const order = ["NOT_STARTED", "ACTIVE", "ENDED", "IN_TRIAL", "PAUSED", "AWAITING"];
		const rank = ({ of }: { of: Subscription }) => order.indexOf(of.status);
		return all.sort((a, b) => a.at - b.at || rank(a) - rank(b))[0];
	}

	#happen(now: number, of: Subscription, event: Event): void {
		switch (event) {
			case "ends with its term":
				this.#end(now, of, false, false);
				return;
			case "term is renewed":
				if (of.status === "ACTIVE") this.#applyDue(now, of);
				else of.terms = changedTerms(this.#list, of.terms, this.#renewedBy(now, of));
				return;
			case "ends":
				if (of.status === "NOT_STARTED" || of.status === "AWAITING") this.#markEnded(of, now);
				else this.#end(now, of, of.cancelProrates);
				return;
			case "pauses":
				if (of.pause) this.#pauseNow(now, of, of.pause);
				return;
			case "resumes":
				if (of.pause) this.#resumeNow(now, of, of.pause);
				return;
			case "payment fails":
				if (of.status === "ACTIVE") this.#dropToPay(of);
				else this.#markEnded(of, now);
				return;
			case "trial is over": {
				const { active, paused } = this.#beside(of);
				const chosen = active ?? paused;
				if (of.endsWithTrial || (chosen && !isFree(chosen.terms))) this.#markEnded(of, now);
				else this.#begin(now, of, {});
				return;
			}
			case "begins":
				of.supersedes = null;
				of.terms = soldByThen(this.#list, of.terms);
				this.#begin(now, of, {});
				return;
			case "changes":
				this.#applyDue(now, of);
				return;
			case "usage is billed":
				if (of.status === "ENDED") this.#books.billLate(now, of, this.subscriptions);
				else this.#books.billUsage(now, of, now, "BILLING_CYCLE");
				return;
			case "next period":
				this.#books.renew(now, of);
		}
	}

	// Calls.

	buy(now: number, asked: Buying): void {
		this.run(now);
		const resource = asked.resourceId ?? null;
		const there = this.running.filter((one) => one.resource === resource);
		const active = there.find(({ status }) => status === "ACTIVE");
		const trial = there.find(({ status }) => status === "IN_TRIAL");
		const previous = active ?? trial;
		const terms = termsOf(this.#list, asked, this.#currency, previous?.terms);
		const waiting = there.filter(({ status }) => status === "NOT_STARTED" || status === "AWAITING");
		const isDown = active !== undefined && directionOf({ ...active.terms, phase: null }, terms) < 0;
		const startAt = this.#timeOf(now, asked, active, isDown);
		const { trialOverrideConfiguration: forced, appliedCoupon } = asked;
		const trialEnd = forced?.isTrial && forced.trialEndDate && !isFree(terms) ? Date.parse(forced.trialEndDate) : null;
		const { usageReset } = this.#list;
		const keeps =
			usageReset === "NEVER_RESET" || (usageReset === "BILLING_PERIOD_CHANGE" && previous?.terms.cycle === terms.cycle);
		const coupon = appliedCoupon && couponOf(this.#list, appliedCoupon.couponId);
		const of = this.#sold(asked.id, terms, {
			resource,
			startAt,
			// Terms agreed with the customer stay.
			coupon: coupon ? { coupon, start: startAt } : lastingAt(startAt, previous?.coupon ?? null),
			usageAnchor: previous && keeps ? previous.usageAnchor : startAt,
			trialEnd,
			endsWithTrial: forced?.trialEndBehavior === "CANCEL_SUBSCRIPTION",
			cancelAt: asked.cancellationDate === undefined ? null : Date.parse(asked.cancellationDate),
			supersedes: startAt > now ? (active ?? null) : null,
		});
		this.subscriptions.push(of);
		for (const one of waiting) this.#markEnded(one, now);
		if (startAt <= now)
			this.#begin(now, of, {
				keepsTrial: forced?.isTrial === false,
				...(asked.billingCycleAnchor && { anchor: asked.billingCycleAnchor }),
				isBackdated: asked.billingInformation?.isBackdated ?? false,
				awaits: asked.awaitPaymentConfirmation ?? false,
			});
	}

	/**
	 * Imports from another system: the active subscription ends without a credit, and the other system charged the
	 * running period.
	 */
	takeOver(now: number, { id, startDate, resourceId, ...asked }: TakingOver): void {
		this.run(now);
		const terms = termsOf(this.#list, { id, ...asked }, this.#currency);
		const of = this.#sold(id, terms, { resource: resourceId ?? null, startAt: Date.parse(startDate) });
		for (const one of this.running.filter(({ resource }) => resource === of.resource)) {
			if (one.status === "ACTIVE") of.replaced = one;
			if (one.status === "ACTIVE") this.#end(now, one, false, false);
			else if (one.status === "NOT_STARTED") this.#markEnded(one, now);
		}
		this.subscriptions.push(of);
		this.#books.takeOver(now, of);
		of.status = "ACTIVE";
	}

	/** Publishes another price list of a plan, for later buyers and migrated subscriptions. */
	publish(now: number, plan: ListedPackage, toAll = false): void {
		this.run(now);
		for (const of of toAll ? this.running : []) {
			if (of.terms.plan.id !== plan.id || of.terms.plan === plan) continue;
			const { anchor, status, terms } = of;
			const isCharged = anchor !== null && (status === "ACTIVE" || status === "PAUSED");
			// The price of a period is agreed at its start.
			if (isCharged && terms.cycle) of.moved = { plan, from: cycleAround(anchor, terms.cycle, now).end };
			else of.terms = { ...of.terms, plan };
		}
		const plans = this.#list.plans.map((one) => (one.id === plan.id ? plan : one));
		this.#list = { ...this.#list, plans };
		this.#books.list = this.#list;
	}

	/** Whether the plan has other prices by now. */
	isBehind({ terms, moved }: Subscription): boolean {
		return !this.#list.plans.includes(moved?.plan ?? terms.plan);
	}

	migrate(now: number, id: string, { subscriptionMigrationTime: time }: Migrating): void {
		this.run(now);
		const of = this.#live(id);
		const end = time === "IMMEDIATE" ? undefined : periodOf(of, now)?.end;
		if (end !== undefined) of.scheduled = [...of.scheduled, { type: migration, at: end, changes: { toLatest: true } }];
		else this.#apply(now, of, { toLatest: true }, { behavior: of.terms.behavior });
	}

	/** Moves the subscription to another resource. */
	transfer(now: number, id: string, { destinationResourceId }: Transferring): void {
		this.run(now);
		const of = this.#live(id);
		if (of.resource !== destinationResourceId) this.#dropAwaited(now, of);
		of.resource = destinationResourceId;
	}

	/**
	 * Returns the subscriptions with shared charges: those of the resource, and those that they replaced on any resource.
	 */
	#chain({ resource }: Subscription): Subscription[] {
		const chain = new Set(this.subscriptions.filter((one) => one.resource === resource));
		for (const { replaced } of chain) if (replaced) chain.add(replaced);
		return this.subscriptions.filter((one) => chain.has(one));
	}

	#sold(id: string, terms: Subscription["terms"], some: Partial<Subscription> & { startAt: number }): Subscription {
		return {
			id,
			status: "NOT_STARTED",
			awaited: null,
			pause: null,
			toPay: null,
			moved: null,
			places: [],
			term: null,
			resource: null,
			replaced: null,
			terms,
			coupon: null,
			usageAnchor: some.startAt,
			trialEnd: null,
			endsWithTrial: false,
			cancelAt: null,
			cancelProrates: false,
			supersedes: null,
			anchor: null,
			billedUntil: null,
			usageFrom: null,
			usageUntil: null,
			usageDue: null,
			endedAt: null,
			charged: null,
			arrears: [],
			unspent: [],
			pending: null,
			counted: new Map(),
			countedUntil: new Map(),
			closedUntil: new Map(),
			scheduled: [],
			...some,
		};
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
			this.#endAt(now, of, changes.cancellationDate === null ? null : Date.parse(changes.cancellationDate));
		if (changes.cancellationDate !== undefined) of.cancelProrates = false;
		const parts = partsOf(changes);
		// Nothing is charged during a pause, so a change of terms waits for the resumption.
		const isDated = changes.effectiveDate !== undefined;
		const waits = of.status === "PAUSED" && !isDated && parts.some(({ type }) => isTerm(type));
		const at = waits ? now : this.#changeTime(now, of, changes);
		if (waits || at > now) {
			const types = parts.map(({ type }) => type);
			of.scheduled = [
				...of.scheduled.filter(({ type }) => !types.includes(type)),
				...parts.map((part) => ({ ...part, at })),
			];
			return;
		}
		// A new change cancels scheduled ones; if it changes no terms, only those of its own kind.
		const isOfTerms = parts.some(({ type }) => isTerm(type));
		of.scheduled = of.scheduled.filter((one) => !isOfTerms && !parts.some(({ type }) => type === one.type));
		if (isOfTerms || changes.billingCycleAnchor === "NOW") this.#dropToPay(of);
		const how = {
			behavior: changes.billingInformation?.prorationBehavior ?? of.terms.behavior,
			...(changes.billingCycleAnchor && { anchor: changes.billingCycleAnchor }),
		};
		const invoiced = changes.awaitPaymentConfirmation && this.#books.invoice(now, of, changes, how);
		if (invoiced) of.toPay = { ...invoiced, changes, until: now + 23 * hourMs };
		else this.#apply(now, of, changes, how);
	}

	/** Makes the scheduled changes that are due. */
	#applyDue(now: number, of: Subscription): void {
		const due = of.scheduled.filter(({ at }) => at <= now);
		const begun = this.#begunBy(now, of);
		if (due.length === 0 && Object.keys(begun).length === 0) return;
		of.scheduled = of.scheduled.filter(({ at }) => at > now);
		const isMoved = due.some(({ changes }) => changes.toLatest) && this.isBehind(of);
		this.#apply(now, of, Object.assign({}, ...due.map(({ changes }) => changes), mergedParts(due), begun), {
			behavior: of.terms.behavior,
		});
		// The renewal that puts another version in force ends all windows of usage.
		if (isMoved && of.status === "ACTIVE" && of.billedUntil === now) of.moved = { plan: of.terms.plan, from: now };
	}

	/** Ends the phases and the term that are over, and returns the changes of prices that begin. */
	#begunBy(now: number, of: Subscription): Changing {
		const places = of.places.filter(({ endAt }) => endAt > now);
		const phase = places.length < of.places.length ? { phase: places[0]?.phase ?? null } : {};
		of.places = places;
		return { ...phase, ...this.#renewedBy(now, of) };
	}

	/** Ends the term that is over. A pause does not stop it, unlike phases, which wait for the resumption. */
	#renewedBy(now: number, of: Subscription): Changing {
		const { term } = of;
		if (!term?.agreed.renewal || endOfTerm(term) > now) return {};
		const agreed = (of.moved?.plan ?? of.terms.plan).term;
		of.term = agreed ? renewed(term, agreed) : null;
		const uplifts = upliftOf(term);
		return uplifts.length > 0 ? { uplifts } : {};
	}

	/** Changes of a subscription also apply to its scheduled successor. */
	#apply(now: number, of: Subscription, changes: Changing, how: Parameters<Invoicing["change"]>[3]): void {
		this.#changeWith(now, of, changes, how.anchor, () => this.#books.change(now, of, changes, how));
	}

	#changeWith(now: number, of: Subscription, changes: Changing, anchor: string | undefined, make: () => void): void {
		const { terms, coupon } = of;
		const isOfTerms =
			partsOf(changes).some(({ type }) => isTerm(type)) ||
			(changes.toLatest && this.isBehind(of)) ||
			changes.phase !== undefined ||
			changes.uplifts !== undefined;
		if (isOfTerms || anchor === "NOW") {
			this.#dropAwaited(now, of);
			this.#dropToPay(of);
		}
		make();
		for (const next of this.running.filter(({ supersedes }) => supersedes === of)) {
			if (changes.charges) next.terms = { ...next.terms, units: mostUnits(next.terms.units, of.terms.units) };
			if (changes.billingInformation) next.terms = changedWith(next.terms, terms, of.terms, changes.billingInformation);
			if (changes.appliedCoupon && isSameCoupon(next, coupon)) next.coupon = lastingAt(next.startAt, of.coupon);
		}
	}

	cancel(now: number, id: string, { cancellationTime, endDate, prorate }: Cancelling): void {
		this.run(now);
		const of = this.#live(id);
		// An immediate end credits unused time by default; a later one only if requested.
		of.cancelProrates = prorate ?? false;
		switch (cancellationTime) {
			case "IMMEDIATE":
				this.#endAt(now, of, now);
				if (of.status === "NOT_STARTED" || of.status === "AWAITING") this.#markEnded(of, now);
				else this.#end(now, of, prorate ?? true);
				return;
			case "END_OF_BILLING_PERIOD":
				this.#endAt(now, of, periodOf(of, now)?.end ?? now);
				return;
			case "SPECIFIC_DATE":
				this.#endAt(now, of, Date.parse(endDate ?? ""));
				if (of.status === "IN_TRIAL" && of.trialEnd !== null && of.cancelAt !== null && of.cancelAt > of.trialEnd)
					of.trialEnd = of.cancelAt;
		}
	}

	/** Schedules an end, as the term allows; null revokes it. */
	#endAt(now: number, of: Subscription, at: number | null): void {
		const isRunning = of.status === "ACTIVE" || of.status === "PAUSED";
		const { endAt, owedUntil } =
			at === null ? { endAt: null, owedUntil: null } : boundEnd(isRunning ? of.term : null, at, now);
		of.cancelAt = endAt;
		of.term = of.term && { ...of.term, owedUntil };
	}

	pause(now: number, id: string, { at = "IMMEDIATE", date, resumeAt, prorate = true }: Pausing): void {
		this.run(now);
		const of = this.#live(id);
		const from = this.#timeOfPause(now, of, { at, date }, now);
		const until = resumeAt === undefined ? null : Date.parse(resumeAt);
		of.pause = until === from ? null : { at: from, resumeAt: until, prorates: prorate, anchor: "UNCHANGED" };
		if (of.pause && from <= now) this.#pauseNow(now, of, of.pause);
	}

	resume(now: number, id: string, { at = "IMMEDIATE", date, billingCycleAnchor = "UNCHANGED" }: Resuming): void {
		this.run(now);
		const of = this.#live(id);
		const { pause } = of;
		if (!pause) throw new Refused("pause");
		const until = this.#timeOfPause(now, of, { at, date }, Math.max(pause.at, now));
		const isWithdrawn = of.status !== "PAUSED" && (until === now || until === pause.at);
		of.pause = isWithdrawn ? null : { ...pause, resumeAt: until, anchor: billingCycleAnchor };
		if (of.pause && until <= now) this.#resumeNow(now, of, of.pause);
	}

	/** Returns when a pause or resumption takes effect. The billing period is the one at `within`. */
	#timeOfPause(
		now: number,
		of: Subscription,
		{ at, date }: { at: string; date: string | undefined },
		within: number,
	): number {
		if (at === "SPECIFIC_DATE") return Date.parse(date ?? "");
		if (at !== "END_OF_BILLING_PERIOD") return now;
		if (of.anchor === null || of.terms.cycle === null) throw new Refused("period to wait for");
		return cycleAround(of.anchor, of.terms.cycle, within).end;
	}

	#pauseNow(now: number, of: Subscription, { prorates }: Pause): void {
		this.#dropAwaited(now, of);
		this.#dropToPay(of);
		this.#books.pause(now, of, prorates);
		of.status = "PAUSED";
	}

	/** Charges from now on, then makes the changes that waited. A plan that was to replace it begins now at the earliest. */
	#resumeNow(now: number, of: Subscription, pause: Pause): void {
		this.#books.resume(now, of, pause);
		of.status = "ACTIVE";
		of.pause = null;
		this.#applyDue(now, of);
		for (const next of this.running.filter(({ supersedes }) => supersedes === of))
			next.startAt = Math.max(next.startAt, now);
	}

	chargeUsage(now: number, id: string, until: number): void {
		this.run(now);
		this.#books.billUsage(now, this.#live(id), until, "MANUAL");
	}

	/** Pays the nth issued invoice. */
	pay(now: number, nth: number): void {
		this.run(now);
		const invoice = this.#invoice(nth);
		if (this.#books.ledger.owed(invoice).state !== "OPEN") throw new Refused(`open invoice ${nth}`);
		this.#books.ledger.pay(invoice);
		const of = this.running.find(({ awaited }) => awaited?.invoice === invoice);
		if (of) this.#confirm(now, of);
		for (const one of this.running) if (one.toPay?.invoice === invoice) this.#makePaid(now, one, one.toPay);
	}

	#makePaid(now: number, of: Subscription, { changes, planned }: ChangeToPay): void {
		of.toPay = null;
		this.#changeWith(now, of, changes, planned.anchor, () => this.#books.makePaid(now, of, changes, planned));
	}

	#finalize(now: number, draft: Draft): void {
		const of = this.subscriptions.find(({ id }) => id === draft.subscription);
		if (!of) throw new Error("A draft belongs to a subscription.");
		this.#books.finalize(now, draft, of, this.subscriptions);
	}

	#draft(nth: number): Draft {
		const draft = this.drafts[nth];
		if (!draft) throw new Refused(`draft ${nth}`);
		return draft;
	}

	/** Credits the nth issued invoice manually. */
	credit(now: number, nth: number): void {
		this.run(now);
		const invoice = this.#invoice(nth);
		const ids = new Set(invoice.lines.map(({ charged }) => charged));
		// A subscription that waits for its payment credits the charges of its time of request.
		for (const of of this.running)
			if (of.status === "ACTIVE" && of.charged?.items.some(({ charged = 0 }) => ids.has(charged))) {
				this.#dropAwaited(now, of);
				this.#dropToPay(of);
			}
		if (!this.#books.credit(now, invoice, this.subscriptions))
			throw new Refused(`invoice ${nth} with anything to credit`);
	}

	#invoice(nth: number): Issued {
		const invoice = this.issued.filter(({ kind }) => kind === "invoice")[nth];
		if (!invoice) throw new Refused(`invoice ${nth}`);
		return invoice;
	}

	/** Cancels scheduled updates and the scheduled successor. */
	dropScheduled(now: number, id: string): void {
		this.run(now);
		const of = this.#live(id);
		for (const next of this.running.filter(({ supersedes }) => supersedes === of)) this.#markEnded(next, now);
		of.scheduled = [];
	}

	/** Cancels the change that waits for its payment. */
	dropToPay(now: number, id: string): void {
		this.run(now);
		const of = this.#live(id);
		if (!of.toPay) throw new Refused("change to pay");
		this.#dropToPay(of);
	}

	#live(id: string): Subscription {
		const of = this.running.find((one) => one.id === id);
		if (!of) throw new Refused(id);
		return of;
	}

	/** Changes take effect at once, except for downgrades that the product or the call makes wait. */
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

	/** A change to a shorter billing period waits for the end of the longer one, which is paid. */
	#changeTime(now: number, of: Subscription, changes: Changing): number {
		if (changes.effectiveDate !== undefined) return Date.parse(changes.effectiveDate);
		const period = periodOf(of, now);
		const { billingPeriod: next } = changes;
		const isShorter = of.terms.cycle !== null && next !== undefined && monthsOf[next] < monthsOf[of.terms.cycle];
		if (isShorter && period) return period.end;
		const isDown = directionOf(of.terms, changedTerms(this.#list, of.terms, changes)) < 0;
		const { scheduleStrategy } = changes;
		return this.#timeOf(now, scheduleStrategy ? { scheduleStrategy } : {}, of, isDown);
	}

	// Course of a subscription.

	#beside(of: Subscription): { active?: Subscription; paused?: Subscription; trial?: Subscription } {
		const others = this.running.filter((one) => one !== of && one.resource === of.resource);
		const active = others.find(({ status }) => status === "ACTIVE");
		const trial = others.find(({ status }) => status === "IN_TRIAL");
		const paused = others.find(({ status }) => status === "PAUSED");
		return { ...(active && { active }), ...(paused && { paused }), ...(trial && { trial }) };
	}

	#begin(
		now: number,
		of: Subscription,
		{
			keepsTrial = false,
			anchor,
			isBackdated = false,
			awaits = false,
		}: { keepsTrial?: boolean; anchor?: "UNCHANGED" | "NOW"; isBackdated?: boolean; awaits?: boolean },
	): void {
		const { active, trial } = this.#beside(of);
		if (of.trialEnd !== null && of.trialEnd > now) {
			if (trial) this.#markEnded(trial, now);
			of.status = "IN_TRIAL";
			return;
		}
		const awaited = this.#books.open(now, of, active, { anchor, isBackdated, awaits });
		if (awaited) {
			of.awaited = { invoice: awaited, since: now, until: now + 23 * hourMs };
			of.status = "AWAITING";
			return;
		}
		of.replaced = active ?? null;
		if (active) this.#markEnded(active, now);
		if (trial && !keepsTrial) this.#markEnded(trial, now);
		of.status = "ACTIVE";
	}

	/** Starts a paid subscription, after settling and ending the replaced one. */
	#confirm(now: number, of: Subscription): void {
		const { active, trial } = this.#beside(of);
		this.#books.confirm(now, of, active);
		of.replaced = active ?? null;
		if (active) this.#markEnded(active, now);
		if (trial) this.#markEnded(trial, now);
		of.awaited = null;
		of.status = "ACTIVE";
	}

	/** Cancels subscriptions and changes that wait for their payment, since they credit charges that have changed. */
	#dropAwaited(now: number, of: Subscription): void {
		if (of.status !== "ACTIVE" || of.charged === null) return;
		for (const one of this.running)
			if (one.status === "AWAITING" && one.resource === of.resource) this.#markEnded(one, now);
	}

	#dropToPay(of: Subscription): void {
		if (of.toPay && this.#books.ledger.owed(of.toPay.invoice).state === "OPEN")
			this.#books.ledger.cancel(of.toPay.invoice);
		of.toPay = null;
	}

	/** `owes`: the end is a cancellation, after which the rest of a term may be owed. */
	#end(now: number, of: Subscription, prorate: boolean, owes = true): void {
		if (prorate) this.#dropAwaited(now, of);
		this.#books.settle(now, of, prorate, owes ? (of.term?.owedUntil ?? null) : null);
		for (const next of this.running.filter(({ supersedes }) => supersedes === of)) this.#markEnded(next, now);
		this.#markEnded(of, now);
	}

	#markEnded(of: Subscription, now: number): void {
		of.pause = null;
		if (of.awaited && this.#books.ledger.owed(of.awaited.invoice).state === "OPEN")
			this.#books.ledger.cancel(of.awaited.invoice);
		of.awaited = null;
		this.#dropToPay(of);
		of.usageDue = of.status === "ACTIVE" || of.status === "PAUSED" ? nextLateUsageCheck(now, now) : null;
		of.endedAt = now;
		of.status = "ENDED";
		of.scheduled = [];
		of.pending = null;
		of.arrears = [];
	}
}
