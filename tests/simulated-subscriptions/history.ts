import type { Act, Call, History } from "./acts";
import { addMonths, dayMs, firstOfMonth, hourMs } from "./calendar";
import {
	type Buying,
	type Cancelling,
	type Changing,
	type Migrating,
	migration,
	type Pausing,
	partsOf,
	type Resuming,
	type TakingOver,
	type Used,
} from "./calls";
import { repricedOthers } from "./currencies.random";
import type { Oracle } from "./oracle";
import { cyclesOf, features, type ListedPackage, type PriceList } from "./price-list";
import { packageInArrears, repricedCharges } from "./price-list.random";
import type { Random } from "./random";
import { periodOf, type Subscription } from "./subscription";

const start = addMonths(0, 12 * 53);
const yearsMax = 3;

/** The grace periods of the legal entities; in the longest, two renewals can be drafts at once. */
export const gracePeriods = [2, 10, 40] as const;

export function randomSetup(random: Random, list: PriceList): Omit<History, "acts"> {
	const graceDays = random.chance(0.08) ? random.oneOf(gracePeriods) : null;
	const day = addMonths(start, random.whole(0, 36)) + random.whole(0, 30) * dayMs;
	return {
		list,
		hasContract: !list.isByResource && graceDays === null && random.chance(0.5),
		graceDays,
		couponId: random.chance(0.2) ? random.oneOf(list.coupons).id : null,
		currency: list.second !== null && random.chance(0.35) ? random.oneOf([list.second, list.second, "usd"]) : null,
		startAt: day + (random.chance(0.5) ? 0 : random.whole(0, dayMs - 1)),
	};
}

/** Yields the acts of a history. Each is chosen after the oracle has played those before it. */
export function* actsOf(
	random: Random,
	{ list, startAt, graceDays }: Omit<History, "acts">,
	oracle: Oracle,
): Generator<Act> {
	const end = addMonths(startAt, 12 * yearsMax);
	const isUsed = !list.isByResource || list.isUsedByResource;
	const calls = random.whole(1, 12);
	let now = startAt;
	let bought = 0;
	for (let call = 0; call < calls && now < end; call += 1) {
		if (call > 0) now = Math.min(end, timeAfter(random, now, oracle));
		// A call runs the due steps of subscriptions, but issues no draft.
		const isLate = graceDays === null && random.chance(0.3);
		if (!isLate) yield { do: "wait", at: now };
		if (isUsed && random.chance(0.5)) yield { do: "use", at: now, used: usage(random, list, now, oracle) };
		if (random.chance(0.25)) yield publication(random, list, now, oracle);
		const act = callOf(random, list, now, oracle, `s${bought}`);
		if (act.do === "buy" || act.do === "take over") bought += 1;
		yield { ...act, at: now, isLate };
	}
	const last = Math.min(end, now + random.whole(0, random.chance(0.1) ? 420 : 40) * dayMs);
	if (isUsed && random.chance(0.5)) yield { do: "use", at: last, used: usage(random, list, last, oracle) };
	yield { do: "wait", at: last };
}

/** Mostly at difficult times: a millisecond around due steps and the ends of months. */
function timeAfter(random: Random, now: number, oracle: Oracle): number {
	const due = oracle.nextDue();
	const near = (at: number) => Math.max(now, at + random.oneOf([-1, 0, 0, 1]));
	const isAwaited = oracle.running.some(({ status, toPay }) => status === "AWAITING" || toPay !== null);
	if (isAwaited && random.chance(0.7)) {
		const isSoon = due !== undefined && due < now + 22 * hourMs;
		return isSoon && random.chance(0.4) ? near(due) : now + random.whole(0, 22 * hourMs);
	}
	const choice = random.whole(1, 100);
	if (choice <= 8) return now;
	// A day before a due step, so that a pending payment may arrive after it.
	if (choice <= 14 && due !== undefined) return near(due - random.whole(0, 20 * hourMs));
	if (choice <= 35 && due !== undefined) return near(due);
	if (choice <= 50 && due !== undefined) return near(addMonths(due, random.whole(1, random.chance(0.2) ? 13 : 2)));
	if (choice <= 62) return near(firstOfMonth(addMonths(now, random.whole(1, 2))));
	if (choice <= 70) return now + random.whole(1, 3) * dayMs;
	return now + random.whole(1, 50) * dayMs + random.whole(0, dayMs - 1);
}

function usage(random: Random, { isByResource }: PriceList, now: number, oracle: Oracle): Used[] {
	const counted = Object.entries(features).filter(([, { counts }]) => counts !== null);
	const [running] = oracle.running.filter(({ status }) => status === "ACTIVE");
	const current = running && periodOf(running, now);
	const moments = [now, now - 1, now - random.whole(0, 40 * dayMs), now - random.whole(0, 3 * hourMs)];
	// Months late, for any former plan, within a period or at its edge.
	if (random.chance(0.35)) {
		const past = random.oneOf(
			oracle.subscriptions.length === 0 ? [now] : oracle.subscriptions.map(({ startAt }) => Math.min(startAt, now)),
		);
		const at = past + random.whole(0, Math.max(0, now - past));
		moments.push(at, at, now - random.whole(40 * dayMs, 400 * dayMs));
	}
	if (current) {
		const { start: from } = current;
		moments.push(from, from - 1, from + random.whole(0, now - from), from - random.whole(0, 30 * dayMs));
	}
	return Array.from({ length: random.whole(1, 5) }, () => {
		const [feature, { divide }] = random.oneOf(counted);
		const n = random.decimal(divide === "1000" ? 30_000 : 60, random.oneOf([0, 0, 2]));
		const resource = isByResource ? { resource: random.oneOf(resources) } : {};
		return { feature, n: random.chance(0.08) ? `-${n}` : n, at: random.oneOf(moments), ...resource };
	});
}

function callOf(random: Random, list: PriceList, now: number, oracle: Oracle, nextId: string): Call {
	const { running, invoices } = oracle;
	const awaiting = running.find(({ status }) => status === "AWAITING");
	if (awaiting) return awaitedCallOf(random, list, now, oracle, { nextId, awaiting });
	const changing = running.find(({ toPay }) => toPay !== null);
	if (changing && random.chance(0.8)) return callOfToPay(random, now, oracle, changing);
	if (oracle.drafts.length > 0 && random.chance(0.35)) return callOfDraft(random, oracle);
	const open = invoices.flatMap(({ state }, nth) => (state === "OPEN" ? [nth] : []));
	if (open.length > 0 && random.chance(0.12)) return { do: "pay", invoice: random.oneOf(open) };
	const creditable = creditableOf(oracle);
	if (creditable.length > 0 && random.chance(0.05)) return { do: "credit", invoice: random.oneOf(creditable) };
	const paused = running.find(({ status }) => status === "PAUSED");
	if (paused && random.chance(0.8)) return callOfPaused(random, list, now, paused);
	if (!paused && random.chance(0.05)) return { do: "take over", body: takingOver(random, list, now, nextId) };
	if (running.length === 0 || random.chance(0.15))
		return { do: "buy", body: buying(random, list, now, oracle, nextId) };
	return callOfOne(random, list, now, oracle, random.oneOf(running));
}

/** A trial, or another plan that begins by itself, would meet the paused subscription. */
const isPausable = (of: Subscription, { running }: Oracle): boolean =>
	of.status === "ACTIVE" &&
	running.every(
		(one) => one === of || one.resource !== of.resource || one.status === "AWAITING" || one.supersedes === of,
	);

function pausing(random: Random, now: number, of: Subscription): Pausing {
	const choice = random.whole(1, 10);
	const date = now + (random.chance(0.3) ? random.whole(0, dayMs) : random.whole(1, 40 * dayMs));
	const from = choice <= 6 || !periodOf(of, now) ? now : choice === 7 ? (periodOf(of, now)?.end ?? now) : date;
	return {
		...(from !== now && (choice === 7 ? { at: "END_OF_BILLING_PERIOD" } : { at: "SPECIFIC_DATE", date: iso(date) })),
		...(random.chance(0.35) && { resumeAt: iso(from + lengthOfPause(random)) }),
		...(random.chance(0.3) && { prorate: random.chance(0.3) }),
	};
}

/** Within a date, within a period, or longer. */
const lengthOfPause = (random: Random): number =>
	random.oneOf([0, random.whole(1, dayMs), random.whole(1, 20) * dayMs, random.whole(1, 80 * dayMs)]);

function resuming(random: Random, now: number, of: Subscription): Resuming {
	const choice = random.whole(1, 10);
	const from = Math.max(now, of.pause?.at ?? now);
	return {
		...(choice === 1 && of.terms.cycle !== null && { at: "END_OF_BILLING_PERIOD" as const }),
		...(choice === 2 && { at: "SPECIFIC_DATE" as const, date: iso(from + lengthOfPause(random)) }),
		...(!of.moved && random.chance(0.25) && { billingCycleAnchor: "NOW" as const }),
	};
}

function callOfPaused(random: Random, list: PriceList, now: number, of: Subscription): Call {
	const { id } = of;
	const choice = random.whole(1, 20);
	if (choice === 1) return { do: "cancel", id, body: { cancellationTime: "IMMEDIATE" } };
	if (choice <= 5) {
		const { scheduleStrategy: _, billingCycleAnchor: __, ...body } = changing(random, list, now, of);
		return { do: "change", id, body: Object.keys(body).length === 0 ? { metadata: { a: "b" } } : body };
	}
	return { do: "resume", id, body: resuming(random, now, of) };
}

function callOfDraft(random: Random, { drafts }: Oracle): Call {
	const draft = random.whole(0, drafts.length - 1);
	if (random.chance(0.4)) return { do: "finalize", draft };
	const unitPrice = Number(random.decimal(40, random.oneOf([0, 2, 4]))) * (random.chance(0.3) ? -1 : 1);
	return {
		do: "add line",
		draft,
		body: {
			description: "By hand",
			quantity: Number(random.decimal(5, random.oneOf([0, 0, 2]))),
			unitPrice,
			...(random.chance(0.4) && { taxPercentage: random.oneOf([null, Number(random.decimal(25, 2))]) }),
		},
	};
}

const creditableOf = ({ invoices }: Oracle): number[] =>
	invoices.flatMap(({ state, lines }, nth) =>
		state !== "CANCELED" && lines.some(({ kind, total }) => kind !== "usage" && kind !== "true-up" && total > 0n)
			? [nth]
			: [],
	);

/** A change that waits for its payment is usually paid; or it is canceled, or an invoice is credited. */
function callOfToPay(random: Random, now: number, oracle: Oracle, { id, toPay }: Subscription): Call {
	const invoices = oracle.issued.filter(({ kind }) => kind === "invoice");
	const invoice = toPay ? invoices.indexOf(toPay.invoice) : -1;
	const choice = random.whole(1, 10);
	const creditable = creditableOf(oracle);
	if (choice === 1) return { do: "drop what is to be paid", id };
	if (choice === 2) return { do: "change", id, body: { metadata: { a: String(now) } } };
	if (choice === 3 && creditable.length > 0) return { do: "credit", invoice: random.oneOf(creditable) };
	return { do: "pay", invoice };
}

function callOfOne(random: Random, list: PriceList, now: number, oracle: Oracle, of: Subscription): Call {
	const { running } = oracle;
	const { id } = of;
	const choice = random.whole(1, 100);
	if (choice <= 12) return { do: "cancel", id, body: cancelling(random, now, of) };
	if (choice <= 24 && isPausable(of, oracle)) return { do: "pause", id, body: pausing(random, now, of) };
	if (choice <= 28 && of.pause && of.status === "ACTIVE") return { do: "resume", id, body: resuming(random, now, of) };
	if (choice <= 36 && of.status === "ACTIVE" && of.terms.cycle !== null) {
		const from = of.usageUntil ?? of.usageFrom ?? of.startAt;
		const until = random.chance(0.6) || from > now ? now : random.whole(from, now);
		// There is no time to bill yet right after its start.
		const hasBegun = until !== periodOf(of, now)?.start && until !== of.usageFrom;
		return { do: "charge", id, until: hasBegun ? until : until - 1 };
	}
	if (of.status === "ACTIVE" && of.terms.cycle !== null && isMovable(of, oracle) && random.chance(0.6)) {
		const times = [
			{},
			{ subscriptionMigrationTime: "IMMEDIATE" },
			{ subscriptionMigrationTime: "END_OF_BILLING_PERIOD" },
		];
		return { do: "migrate", id, body: random.oneOf<Migrating>(times as Migrating[]) };
	}
	if (list.isByResource && !list.isUsedByResource && choice > 60 && choice <= 75) {
		const free = resources.filter((name) => !running.some(({ resource }) => resource === name));
		if (free.length > 0) return { do: "transfer", id, body: { destinationResourceId: random.oneOf(free) } };
	}
	// Other simulated subscriptions cover a change between a publication and the next period.
	if (of.moved) {
		const billedTo = of.usageUntil ?? of.usageFrom ?? of.startAt;
		const hasUnbilled = billedTo < now - 1;
		return hasUnbilled ? { do: "charge", id, until: now - 1 } : { do: "change", id, body: { metadata: { a: "b" } } };
	}
	const hasNext = of.scheduled.length > 0 || running.some(({ supersedes }) => supersedes === of);
	if (choice <= 42 && hasNext) return { do: "drop", id };
	const body = changing(random, list, now, of);
	const isDated = body.effectiveDate !== undefined;
	const isAwaited = !isDated && of.status === "ACTIVE" && of.terms.cycle !== null && random.chance(0.35);
	return { do: "change", id, body: isAwaited ? { ...growing(random, list, of, body), ...awaited } : body };
}

const awaited = { awaitPaymentConfirmation: true } as const;

/** Mostly with an amount to pay at once: more units, another addon, or a new billing cycle. */
function growing(random: Random, list: PriceList, { terms }: Subscription, body: Changing): Changing {
	const { scheduleStrategy: _, ...changes } = body;
	const more = unitsFor(random, terms.plan).map((one) => ({
		...one,
		quantity: (terms.units[one.id] ?? 0) + random.whole(1, 9),
	}));
	const held = terms.addons.map(({ package: { id }, quantity }) => ({ id, quantity: quantity + random.whole(0, 3) }));
	const others = addonsFor(random, list, terms.plan).filter(({ id }) => !held.some((one) => one.id === id));
	return {
		...changes,
		...(more.length > 0 && random.chance(0.7) && { charges: more }),
		...(held.length + others.length > 0 && random.chance(0.7) && { addons: [...held, ...others] }),
		...(random.chance(0.2) && { billingCycleAnchor: "NOW" as const }),
	};
}

const resources = ["r1", "r2", "r3"];

const isMovable = (of: Subscription, oracle: Oracle): boolean =>
	oracle.isBehind(of) && of.moved === null && !of.scheduled.some(({ type }) => type === migration);

/** To all customers only if no call waits for its payment. */
function publication(random: Random, list: PriceList, now: number, oracle: Oracle): Act {
	const plan = paidOtherwise(random, repriced(random, planOf(random, list, oracle)));
	const isFree = oracle.running.every(
		({ status, toPay, moved, scheduled }) => status !== "AWAITING" && !toPay && !moved && scheduled.length === 0,
	);
	const toAll = isFree && random.chance(0.4) ? { toAll: true as const } : {};
	return { do: "publish", at: now, plan, ...toAll };
}

/** Mostly a plan with a subscription. */
function planOf(random: Random, list: PriceList, { running }: Oracle): ListedPackage {
	const held = running.map(({ terms }) => terms.plan).filter(({ charges }) => charges.length > 0);
	return held.length > 0 && random.chance(0.8) ? random.oneOf(held) : random.oneOf(list.plans);
}

/** The same plan at other prices. */
const repriced = (random: Random, plan: ListedPackage): ListedPackage => ({
	...plan,
	charges: repricedCharges(random, plan.charges),
	...(plan.abroad && { abroad: repricedCharges(random, plan.abroad) }),
	...(plan.others && { others: repricedOthers(random, plan.others) }),
});

/** Where a list has charges in arrears, they move to in advance now and then, and the other way round. */
const paidOtherwise = (random: Random, plan: ListedPackage): ListedPackage =>
	plan.charges.some(({ inArrears }) => inArrears) && random.chance(0.4) ? packageInArrears(random, plan, 0.5) : plan;

/**
 * While a first payment is pending it usually arrives; or the subscription is canceled, another plan is bought, or the
 * active one is changed.
 */
function awaitedCallOf(
	random: Random,
	list: PriceList,
	now: number,
	oracle: Oracle,
	{ nextId, awaiting }: { readonly nextId: string; readonly awaiting: Subscription },
): Call {
	const invoice = oracle.invoices.findIndex(
		({ subscription, state }) => subscription === awaiting.id && state === "OPEN",
	);
	const choice = random.whole(1, 12);
	if (choice <= 2) return { do: "cancel", id: awaiting.id, body: { cancellationTime: "IMMEDIATE" } };
	const creditable = creditableOf(oracle);
	if (choice === 8 && creditable.length > 0) return { do: "credit", invoice: random.oneOf(creditable) };
	if (choice <= 3 || invoice === -1) return { do: "buy", body: buying(random, list, now, oracle, nextId) };
	if (choice <= 7) return callOfOne(random, list, now, oracle, random.oneOf(oracle.running));
	return { do: "pay", invoice };
}

const iso = (at: number): string => new Date(at).toISOString();

/** Addons in the plan's currency. */
function addonsFor(random: Random, list: PriceList, plan: ListedPackage) {
	const fitting = list.addons.filter(({ currency }) => currency === plan.currency);
	return random.some(fitting, 0.3).map(({ id, charges }) => ({
		id,
		quantity: random.whole(Math.max(1, ...charges.map(({ least = 1 }) => least)), 4),
	}));
}

function unitsFor(random: Random, plan: ListedPackage) {
	return plan.charges
		.filter(({ model }) => model === "PER_UNIT")
		.map(({ feature = "", least = 1 }) => ({
			id: feature,
			quantity: random.whole(Math.max(1, least), 9),
			type: "FEATURE" as const,
		}));
}

/** Only features that are priced for every billing period, so that an override always has a price to replace. */
function overridesFor(random: Random, plan: ListedPackage) {
	const cycles = cyclesOf(plan).length;
	const everywhere = plan.charges.filter(({ prices, beyond }) => prices.length === cycles && !beyond);
	const fees = everywhere.filter(({ model }) => model === "FLAT_FEE").slice(0, 1);
	const counted = everywhere.filter(({ feature }) => feature !== undefined);
	const amount = () => Number(random.decimal(50, random.oneOf([0, 2, 4])));
	return [
		...random.some(fees, 0.5).map(() => ({ baseCharge: true, amount: amount() })),
		...random.some(counted, 0.4).map(({ feature = "" }) => ({ featureId: feature, amount: amount() })),
	];
}

const minimumFor = (random: Random, currency: string) => ({
	amount: Number(random.decimal(200, currency === "jpy" ? 0 : 2)),
	currency,
});

function informationFor(random: Random) {
	return {
		...(random.chance(0.5) && {
			prorationBehavior: random.oneOf([
				"INVOICE_IMMEDIATELY",
				"CREATE_PRORATIONS",
				"CREATE_PRORATIONS",
				"NONE",
			] as const),
		}),
		...(random.chance(0.3) && { taxPercentage: Number(random.decimal(25, 2)) }),
		...(random.chance(0.2) && { invoiceDaysUntilDue: random.whole(0, 60) }),
	};
}

function buying(random: Random, list: PriceList, now: number, oracle: Oracle, id: string): Buying {
	const plan = random.oneOf(random.chance(0.08) ? list.plans : list.plans.filter(({ charges }) => charges.length > 0));
	const cycles = cyclesOf(plan);
	const addons = cycles.length === 0 ? [] : addonsFor(random, list, plan);
	const units = unitsFor(random, plan);
	const resourceId = list.isByResource ? random.oneOf(resources) : undefined;
	const active = oracle.running.find(
		({ status, resource }) => status === "ACTIVE" && resource === (resourceId ?? null),
	);
	const hasPeriod = active !== undefined && active.terms.cycle !== null;
	const isTrial = cycles.length > 0 && random.chance(0.12);
	const choice = random.whole(1, 100);
	const isAwaited = cycles.length > 0 && !isTrial && choice > 50 && random.chance(0.5);
	return {
		id,
		...(resourceId !== undefined && { resourceId }),
		planId: plan.id,
		...(list.country !== null && random.chance(0.5) && { billingCountryCode: list.country }),
		...(list.second !== null &&
			random.chance(0.3) && { billingCurrency: random.oneOf([list.second, list.second, plan.currency]) }),
		...(cycles.length > 0 && { billingPeriod: random.oneOf(cycles) }),
		...(addons.length > 0 && { addons }),
		...(units.length > 0 && random.chance(0.7) && { charges: units }),
		...(cycles.length > 0 && random.chance(0.25) && { appliedCoupon: { couponId: random.oneOf(list.coupons).id } }),
		...(random.chance(0.25) && { billingCycleAnchor: random.oneOf(["UNCHANGED", "NOW"] as const) }),
		...(cycles.length > 0 && {
			billingInformation: {
				...informationFor(random),
				...(random.chance(0.3) && { isBackdated: true }),
				...(isAwaited && { prorationBehavior: "INVOICE_IMMEDIATELY" as const }),
			},
		}),
		...(isAwaited && { awaitPaymentConfirmation: true as const }),
		...(cycles.length > 0 && random.chance(0.12) && { minimumSpend: minimumFor(random, plan.currency) }),
		...(cycles.length > 0 && random.chance(0.15) && { priceOverrides: overridesFor(random, plan) }),
		...(choice <= 10 && { startDate: iso(now + random.whole(1, 60) * dayMs) }),
		...(choice > 10 && choice <= 20 && { startDate: iso(now - random.whole(0, 70) * dayMs - random.whole(0, 1)) }),
		...(choice > 20 &&
			choice <= 35 &&
			hasPeriod && {
				scheduleStrategy: random.oneOf([
					"END_OF_BILLING_PERIOD",
					"END_OF_BILLING_PERIOD",
					"END_OF_BILLING_MONTH",
				] as const),
			}),
		...(choice > 35 && choice <= 50 && { scheduleStrategy: "IMMEDIATE" as const }),
		...(isTrial && {
			trialOverrideConfiguration: {
				isTrial: true,
				trialEndDate: iso(now + random.whole(61, 90) * dayMs),
				...(random.chance(0.3) && { trialEndBehavior: "CANCEL_SUBSCRIPTION" as const }),
			},
		}),
	};
}

function takingOver(random: Random, list: PriceList, now: number, id: string): TakingOver {
	const plan = random.oneOf(list.plans);
	const cycles = cyclesOf(plan);
	const addons = cycles.length === 0 ? [] : addonsFor(random, list, plan);
	const units = unitsFor(random, plan);
	return {
		id,
		...(list.isByResource && { resourceId: random.oneOf(resources) }),
		planId: plan.id,
		startDate: iso(now - random.oneOf([0, random.whole(0, 70), random.whole(0, 800)]) * dayMs - random.whole(0, 1)),
		...(cycles.length > 0 && { billingPeriod: random.oneOf(cycles) }),
		...(addons.length > 0 && { addons }),
		...(units.length > 0 && random.chance(0.7) && { charges: units }),
	};
}

function changing(random: Random, list: PriceList, now: number, of: Subscription): Changing {
	const { plan, cycle } = of.terms;
	if (cycle === null) return { metadata: { a: "b" } };
	const cycles = cyclesOf(plan);
	const units = unitsFor(random, plan);
	const other = cycles.find((one) => one !== cycle);
	const isLater = of.status === "ACTIVE" && random.chance(0.25);
	const shortens = other === "MONTHLY" && of.status === "ACTIVE";
	const changesCycle = other !== undefined && random.chance(0.15);
	const change: Changing = {
		...(units.length > 0 && random.chance(0.45) && { charges: units }),
		...(random.chance(0.4) && { addons: addonsFor(random, list, plan) }),
		...(changesCycle && { billingPeriod: other }),
		...(random.chance(0.12) && { priceOverrides: overridesFor(random, plan) }),
		...(random.chance(0.12) && {
			minimumSpend: random.chance(0.3) ? null : minimumFor(random, of.terms.currency ?? plan.currency),
		}),
		...(random.chance(0.12) && { appliedCoupon: { couponId: random.oneOf(list.coupons).id } }),
		...(random.chance(0.3) && { billingInformation: informationFor(random) }),
		...(random.chance(0.2) && { billingCycleAnchor: random.oneOf(["UNCHANGED", "NOW"] as const) }),
		...(isLater && {
			scheduleStrategy: random.oneOf([
				"END_OF_BILLING_PERIOD",
				"END_OF_BILLING_PERIOD",
				"END_OF_BILLING_MONTH",
			] as const),
		}),
		...(!isLater && !(changesCycle && shortens) && random.chance(0.15) && { scheduleStrategy: "IMMEDIATE" as const }),
		...(random.chance(0.06) && {
			cancellationDate: random.chance(0.5) ? null : iso(Math.max(now, of.startAt) + random.whole(1, 60 * dayMs)),
		}),
		...(of.status === "IN_TRIAL" && random.chance(0.4) && { trialEndDate: iso(now + random.whole(1, 40 * dayMs)) }),
	};
	if (Object.keys(change).length === 0) return { metadata: { a: "b" } };
	return of.status === "ACTIVE" && random.chance(0.12) ? later(random, now, change) : change;
}

/** The same change on a date in the future. */
function later(random: Random, now: number, change: Changing): Changing {
	const {
		scheduleStrategy: _,
		billingCycleAnchor: __,
		cancellationDate: ___,
		trialEndDate: ____,
		...scheduled
	} = change;
	const effectiveDate = iso(now + random.oneOf([1, random.whole(1, 70) * dayMs, random.whole(1, 70 * dayMs)]));
	return partsOf(scheduled).length === 0 ? change : { ...scheduled, effectiveDate };
}

function cancelling(random: Random, now: number, of: Subscription): Cancelling {
	const choice = random.whole(1, 3);
	const prorate = random.chance(0.5) ? { prorate: random.chance(0.6) } : {};
	if (choice === 1 && periodOf(of, now) && of.status === "ACTIVE")
		return { cancellationTime: "END_OF_BILLING_PERIOD", ...prorate };
	if (choice === 2)
		return { cancellationTime: "SPECIFIC_DATE", endDate: iso(now + random.whole(1, 90 * dayMs)), ...prorate };
	return { cancellationTime: "IMMEDIATE", ...prorate };
}
