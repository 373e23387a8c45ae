import { HttpRefusal } from "../../../http/refusal";
import type { Instant } from "../../../kernel/clock";
import { attemptStep, type DueSource, type DueStep } from "../../../kernel/due";
import { assert, DomainError } from "../../../kernel/errors";
import { type Due, problemOf, stillBlocks } from "../../../kernel/problem";
import { type Work, workAt } from "../../../kernel/work";
import { dueTimesOf } from "../../access/environments/operations.due";
import { planOf } from "../billing/cycle";
import { billLateUsage, billUsage, renew } from "../billing/renewal";
import { grantRecurringCredits } from "../credits/grant-recurring";
import { type DueKind, isBilledHere, nextDue } from "../rules.due";
import { changeSubscription, selectByIds } from "../store";
import { type SubscriptionRow, subscriptions } from "../table";
import { applySale } from "../terms/apply-sale";
import { decideSale, type SaleRequest } from "../terms/decide-sale";
import { keptCurrency } from "../terms/held-currency";
import { loadSaleContext } from "../terms/load-sale-context";
import type { Sale } from "../terms/sale";
import { saleOf, subscribedItems } from "../terms/subscription-sale";
import { renewedTerm, runningTermOf } from "../terms/term";
import { applyDueUpdates } from "./apply-update";
import { currentSubscriptionsOf, excluding } from "./current";
import { markEnded } from "./end";
import { endTrial } from "./end-trial";
import { endSubscription } from "./fallback-plan";
import { pauseNow } from "./pause";
import { resumeNow } from "./resume";
import { startSubscription } from "./start";
import { selectDueAt, selectDueOfCustomer, selectDueOfPayer, storeProblem } from "./store.due";

/**
 * The due steps of subscriptions, for the scheduler. At one instant starts come first, since a start ends the
 * subscription that it replaces.
 */
export const dueSubscriptions: DueSource = {
	...dueTimesOf(subscriptions),
	carryOutFirst: (work, dueAt) => {
		const row = selectDueAt(work, dueAt);
		assert(row, "what is due is there");
		return attempt(work, row);
	},
};

/**
 * Runs the due step of a subscription. A failure is stored as its `problem` until the step succeeds or is no longer
 * due. Pauses are counted from the attempt, not from the due time.
 */
function attempt(work: Work, row: SubscriptionRow): DueStep {
	const due = dueOf(row);
	work.cause.operation ??= `scheduler.${due.kind}`;
	const step = { at: later(due.at, row.nextDueAt), subject: { subscriptionId: row.refId } };
	const failed = attemptStep(work, () => runStep(work, row, due));
	if (!failed) return step;
	const { failure } = failed;
	const before = stillBlocks(row.problem, due);
	const problem = problemOf(due, failure, { before, refId: row.refId, now: later(step.at, work.now) });
	storeProblem(work, row, problem);
	return { ...step, failure, retry: { ...problem, step: problem.kind } };
}

const later = (one: Instant, other: Instant | null): Instant => (other !== null && other > one ? other : one);

/**
 * The most steps that a call runs before its own work. Usually there is none, or one that is slightly late. After a
 * downtime the scheduler works off a longer backlog in time slices.
 */
const stepsPerCallMax = 100;

/**
 * Runs all due steps of a customer (its row id) in the caller's transaction, so that a call never meets a subscription
 * whose renewal is late. A step that a rule rejects does not reject the call, which may remove the cause. Responds 503
 * to a longer backlog; nothing is stored, and the call can be repeated.
 */
export function runDueSteps(work: Work, customerId: string): void {
	for (let steps = 0; steps < stepsPerCallMax; steps += 1) {
		const row = selectDueOfCustomer(work, customerId);
		if (!row) return;
		const { failure } = attempt(work, row);
		if (failure !== undefined && !(failure instanceof DomainError)) throw failure;
	}
	if (!selectDueOfCustomer(work, customerId)) return;
	throw new HttpRefusal(
		503,
		"Much has fallen due for this customer and is being carried out; repeat the call shortly.",
		{ "Retry-After": "1" },
	);
}

/** Our bound: the steps of a payer's subscriptions that a preview runs. They block the writer for some 30 ms. */
const stepsOfPayerMax = 60;

/**
 * Runs the steps of all subscriptions that a customer pays (its row id) up to a time, in the order of the scheduler. A preview calls it and rolls
 * them back. A subscription whose step fails is left out, as in a sweep. Steps beyond the bound are not run.
 */
export function runStepsOfPayer(work: Work, payerId: string, until: Instant): { readonly isComplete: boolean } {
	const rows = selectDueOfPayer(work, payerId, until, stepsOfPayerMax);
	let isComplete = rows.length < stepsOfPayerMax;
	const waiting = rows.map((row) => ({ row, due: dueOf(row) })).sort(inTurn);
	for (let steps = 0; waiting.length > 0; steps += 1) {
		if (steps === stepsOfPayerMax) return { isComplete: false };
		const first = waiting.shift();
		assert(first, "a subscription is due");
		const failed = attemptStep(work, () => runStep(work, first.row, first.due));
		if (failed) isComplete = false;
		const [row] = failed ? [] : selectByIds(work, [first.row.id]);
		const due = row && nextDue(row);
		if (!due || due.at > until) continue;
		const next = { row, due };
		const place = waiting.findIndex((other) => inTurn(next, other) < 0);
		waiting.splice(place < 0 ? waiting.length : place, 0, next);
	}
	return { isComplete };
}

interface DueRow {
	readonly row: SubscriptionRow;
	readonly due: Due<DueKind>;
}

/** At one instant, starts come first, as in `selectDueAt`. */
function inTurn(one: DueRow, other: DueRow): number {
	const isLater = ({ row }: DueRow): number => Number(row.status !== "NOT_STARTED");
	return one.due.at - other.due.at || isLater(one) - isLater(other) || (one.row.id < other.row.id ? -1 : 1);
}

function dueOf(row: SubscriptionRow): Due<DueKind> {
	const due = nextDue(row);
	assert(due, "what is due has something to be done");
	return due;
}

/** Runs a step at its due time: all it writes has that date, however late it runs. */
export function runStep(work: Work, row: SubscriptionRow, { kind, at }: Due<DueKind>): void {
	const then = workAt(work, at);
	switch (kind) {
		case "CANCEL":
			endSubscription(then, row, {
				...{ reason: "ScheduledCancellation", prorate: row.cancelProrates },
				owedUntil: runningTermOf(row)?.owedUntil,
			});
			return;
		case "EXPIRE":
			endSubscription(then, row, { reason: "EXPIRED", status: "EXPIRED" });
			return;
		case "PAYMENT_EXPIRE":
			markEnded(then, row, { reason: "PENDING_PAYMENT_EXPIRED", status: "EXPIRED" });
			return;
		case "TRIAL_END":
			endTrial(then, row);
			return;
		case "START":
			startScheduled(then, row);
			return;
		case "PAUSE":
			assert(row.pause, "a pause is scheduled");
			pauseNow(then, row, row.pause);
			return;
		case "RESUME":
			resumeNow(then, row);
			return;
		case "RENEW_TERM":
			renewTerm(then, row);
			return;
		case "UPDATE":
			applyDueUpdates(then, row);
			return;
		case "BILL_USAGE":
			if (row.status === "ACTIVE" && isBilledHere(row)) billUsage(then, row, at, "BILLING_CYCLE");
			else billLateUsage(then, row);
			return;
		case "RENEW":
			renew(then, row);
			return;
		case "GRANT_CREDITS":
			grantRecurringCredits(then, row);
	}
}

/** A pause does not stop the terms. Nothing is billed in it, so its renewals only change the prices of the resumption. */
function renewTerm(work: Work, row: SubscriptionRow): void {
	if (row.status === "PAUSED") changeSubscription(work, row, renewedTerm(row, planOf(work, row), work.now));
	else applyDueUpdates(work, row);
}

/** Starts a scheduled subscription on the versions that are published by then (docs/interface/subscriptions.md). */
function startScheduled(work: Work, row: SubscriptionRow): void {
	const sale = saleAtStart(work, row);
	const started = applySale(work, row, sale, { supersedesId: null, supersedesAs: null });
	startSubscription(work, started, sale, {
		current: excluding(currentSubscriptionsOf(work, row, sale), row),
		fallsDue: true,
	});
}

/** If the newest versions cannot be sold, for example without a price for the period, the agreed ones apply. */
function saleAtStart(work: Work, row: SubscriptionRow): Sale {
	const { addons, charges, versions } = subscribedItems(work, row);
	const plan = versions.find(({ kind }) => kind === "PLAN");
	assert(plan, "a subscription has a plan");
	const requested: SaleRequest = {
		planId: plan.refId,
		addons,
		charges,
		billingPeriod: row.billingPeriod ?? undefined,
		prices: { country: row.billingCountryCode, currency: keptCurrency(work, row) },
		priceOverrides: row.priceOverrides,
		phases: { stored: row.phases },
	};
	try {
		return decideSale(loadSaleContext(work, requested), requested);
	} catch (refusal) {
		if (refusal instanceof DomainError) return saleOf(work, row);
		throw refusal;
	}
}
