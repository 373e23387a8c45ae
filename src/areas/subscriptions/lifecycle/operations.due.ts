import { HttpRefusal } from "../../../http/refusal";
import type { Instant } from "../../../kernel/clock";
import { attemptStep, type DueSource, type DueStep } from "../../../kernel/due";
import { assert, DomainError } from "../../../kernel/errors";
import { type Due, problemOf, stillBlocks } from "../../../kernel/problem";
import { type Work, workAt } from "../../../kernel/work";
import { dueTimesOf } from "../../access/environments/operations.due";
import { billLateUsage, billUsage, renew } from "../billing/renewal";
import { grantRecurringCredits } from "../credits/hand-out";
import { type DueKind, isBilledHere, nextDue } from "../rules.due";
import { type SubscriptionRow, subscriptions } from "../table";
import { applySale } from "../terms/apply-sale";
import { decideSale, type SaleRequest } from "../terms/decide-sale";
import { loadSaleContext } from "../terms/load-sale-context";
import type { Sale } from "../terms/sale";
import { saleOf, subscribedItems } from "../terms/subscription-sale";
import { applyDueUpdates } from "./apply-update";
import { currentSubscriptionsOf, excluding } from "./current";
import { markEnded } from "./end";
import { endSubscription, startFallbackPlan } from "./fallback-plan";
import { startSubscription } from "./start";
import { keepProblem, selectDueAt, selectDueOfCustomer } from "./store.due";

/** What is due of subscriptions, for the sweep. At one time starts come first, since what starts ends what it replaces. */
export const dueSubscriptions: DueSource = {
	...dueTimesOf(subscriptions),
	carryOutFirst: (work, dueAt) => {
		const row = selectDueAt(work, dueAt);
		assert(row, "what is due is there");
		return attempt(work, row);
	},
};

/**
 * Carries out what is due of a subscription. What fails is written on the subscription, until the step is carried out or is no
 * longer due; the pauses are counted from the attempt, not from when it was due.
 */
function attempt(work: Work, row: SubscriptionRow): DueStep {
	const due = dueOf(row);
	work.cause.operation ??= `scheduler.${due.kind}`;
	const step = { at: later(due.at, row.nextDueAt), subject: { subscriptionId: row.refId } };
	const failed = attemptStep(work, () => carryOut(work, row, due));
	if (!failed) return step;
	const { failure } = failed;
	const before = stillBlocks(row.problem, due);
	const problem = problemOf(due, failure, { before, refId: row.refId, now: later(step.at, work.now) });
	keepProblem(work, row, problem);
	return { ...step, failure, retry: { ...problem, step: problem.kind } };
}

const later = (one: Instant, other: Instant | null): Instant => (other !== null && other > one ? other : one);

/**
 * Our choice: as many steps as a call carries out before its own business. Nearly always there is none, or one that is a
 * moment late; a longer backlog is that of a downtime, and is carried out by the sweep, which lets others have their turns.
 */
const stepsPerCallMax = 100;

/**
 * Carries out everything that is due for a customer (its row id) by now, in the caller's transaction: so that a call never
 * meets a subscription whose renewal, say, is a moment late. What is refused by a rule does not keep the call from being
 * made: it may be the one that mends it. 503 for a longer backlog: nothing of the call is kept, and it can be repeated.
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

function dueOf(row: SubscriptionRow): Due<DueKind> {
	const due = nextDue(row);
	assert(due, "what is due has something to be done");
	return due;
}

/** At the time at which it was due: what it writes is dated so, whenever it is done. */
export function carryOut(work: Work, row: SubscriptionRow, { kind, at }: Due<DueKind>): void {
	const then = workAt(work, at);
	switch (kind) {
		case "CANCEL":
			endSubscription(then, row, { reason: "ScheduledCancellation", prorate: row.cancelProrates });
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

/**
 * A trial goes on as what was tried, and is charged from here on, or it ends. A customer who has chosen a paid
 * or custom plan of the product by then keeps it: that trial ends too. Source: docs/interface/subscriptions.md.
 */
function endTrial(work: Work, row: SubscriptionRow): void {
	const sale = saleOf(work, row);
	const current = excluding(currentSubscriptionsOf(work, row, sale), row);
	const hasChosen = current.active !== undefined && current.active.pricingType !== "FREE";
	if (row.trialEndBehavior === "CANCEL_SUBSCRIPTION" || hasChosen) {
		const ended = markEnded(work, row, { reason: "TRIAL_ENDED", status: "EXPIRED" });
		if (!current.active) startFallbackPlan(work, ended, null);
		return;
	}
	startSubscription(work, row, sale, { current });
}

/** What was sold for later begins on the versions that are sold by then (docs/interface/subscriptions.md). */
function startScheduled(work: Work, row: SubscriptionRow): void {
	const sale = soldByNow(work, row);
	const started = applySale(work, row, sale, { supersedesId: null, supersedesAs: null });
	startSubscription(work, started, sale, { current: excluding(currentSubscriptionsOf(work, row, sale), row) });
}

/** Where the newest versions cannot be sold so (a period that is no longer priced, say), what was agreed holds. */
function soldByNow(work: Work, row: SubscriptionRow): Sale {
	const { addons, charges, versions } = subscribedItems(work, row);
	const plan = versions.find(({ kind }) => kind === "PLAN");
	assert(plan, "a subscription has a plan");
	const requested: SaleRequest = {
		planId: plan.refId,
		addons,
		charges,
		billingPeriod: row.billingPeriod ?? undefined,
		prices: { country: row.billingCountryCode },
		priceOverrides: row.priceOverrides,
	};
	try {
		return decideSale(loadSaleContext(work, requested), requested);
	} catch (refusal) {
		if (refusal instanceof DomainError) return saleOf(work, row);
		throw refusal;
	}
}
