import { HttpRefusal } from "../../../http/refusal";
import { type Instant, instantOf } from "../../../kernel/clock";
import { type Decimal, exact, toDecimal, toWire, zero } from "../../../kernel/decimal";
import { assert, fail } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import { queryValues } from "../../../kernel/query";
import type { Work } from "../../../kernel/work";
import { recordAndCharge } from "../../credits/charging/reports/operations";
import { getCustomer, getCustomerById } from "../../customers/operations";
import { featuresByIds, findFeature } from "../../features/operations";
import { assertAttributable } from "../../governance/operations.attribution";
import { holdAtBudgets, releaseAtBudgets } from "../../governance/operations.count";
import type { Reported } from "../../usage/reports/operations";
import { reportedMax } from "../../usage/reports/rules";
import { type Resolve, viewFeatureAccess } from "../operations";
import { resolveEntitlements } from "../operations.resolve";
import { nextState, stateAt } from "../reservations/rules";
import {
	endReservation,
	insertReservation,
	pageReservations,
	selectByKey,
	selectReservation,
	selectReserved,
} from "../reservations/store";
import type { UsageReservationRow } from "../reservations/table";
import { prepareDecision, viewAfter } from "./operations";
import { noticeDeniedUse } from "./operations.denied";
import {
	type CommitBody,
	type Reservation,
	type ReservationAnswer,
	type ReservationBody,
	type ReservationListQuery,
	reservationSecondsDefault,
	reservationSecondsMax,
} from "./schema";
import { viewReservation } from "./view";

/** The reservations of one customer and feature at a time. Each check sums them. */
export const reservationsMax = 1000;

/**
 * Reserves an amount of a feature if the customer has access. It counts against the limit until it is committed, released or
 * expired. A denied request is an answer, and reserves nothing. A repeated key returns the first reservation.
 */
export function reserve(
	work: Work,
	customerRef: string,
	featureRef: string,
	input: ReservationBody,
	resolve: Resolve = resolveEntitlements,
): ReservationAnswer {
	const resourceRef = input.resourceId ?? null;
	const asked = prepareDecision(work, { customerRef, featureRef, resourceRef }, resolve);
	if ("denied" in asked) return notReserved(asked.denied);
	const { found, of } = asked;
	const subject = { customerId: of.customerId, featureId: found.feature.id, resourceRef: resourceRef ?? "" };
	const repeated = input.idempotencyKey && selectByKey(work, subject, input.idempotencyKey);
	if (repeated) {
		const entitlement = viewAfter(work, found, of);
		return reserved(entitlement, viewOf(work, repeated, customerRef, featureRef));
	}
	assertAttributable(work, input.dimensions, "body");
	const expiresAt = expiryOf(work, input);
	const amount = toDecimal(input.amount ?? 1);
	if (exact(amount).gt(reportedMax))
		throw fail("UsageMeasurementDiffOutOfRangeError", `body/amount: at most ${reportedMax} can be reserved at once.`);
	const decided = asked.decide(amount, work.now, input.dimensions);
	if (!decided.decision.isGranted) {
		noticeDeniedUse(work, decided);
		return notReserved(viewFeatureAccess(work, decided));
	}
	if (selectReserved(work, subject).length >= reservationsMax)
		throw fail(
			"EntitlementLimitExceededError",
			`${reservationsMax} reservations of feature '${featureRef}' exist for customer '${customerRef}'; commit or release some first.`,
		);
	const row: UsageReservationRow = {
		...subject,
		id: work.newId(),
		environmentId: work.actor.environmentId,
		amount,
		state: "HELD",
		expiresAt,
		idempotencyKey: input.idempotencyKey ?? null,
		committedAmount: null,
		reportId: null,
		dimensions: input.dimensions ?? null,
		createdAt: work.now,
		endedAt: null,
	};
	insertReservation(work, row);
	for (const demand of decided.budgets?.demands ?? [])
		holdAtBudgets(work, { ...row, ...demand, reservationId: row.id, at: work.now });
	return reserved(viewAfter(work, found, of), viewOf(work, row, customerRef, featureRef));
}

const notReserved = (entitlement: ReservationAnswer["entitlement"]): ReservationAnswer => ({
	isGranted: false,
	accessDeniedReason: entitlement.accessDeniedReason,
	entitlement,
	reservation: null,
});

const reserved = (entitlement: ReservationAnswer["entitlement"], reservation: Reservation): ReservationAnswer => ({
	isGranted: true,
	accessDeniedReason: null,
	entitlement,
	reservation,
});

function expiryOf(work: Work, { expiresIn, expiresAt }: ReservationBody): Instant {
	if (expiresIn !== undefined && expiresAt !== undefined)
		throw fail("BadUserInput", "body: send only one of 'expiresIn' and 'expiresAt'.");
	if (expiresAt === undefined) return (work.now + (expiresIn ?? reservationSecondsDefault) * 1000) as Instant;
	const at = instantOf(expiresAt);
	if (at <= work.now || at > work.now + reservationSecondsMax * 1000)
		throw fail("BadUserInput", "body/expiresAt: must be in the future, by at most 24 hours.");
	return at;
}

/** Lists a customer's reservations, the newest first. Throws CustomerNotFound. */
export function listReservations(work: Work, customerRef: string, query: ReservationListQuery): Page<Reservation> {
	const { id: customerId } = getCustomer(work, customerRef);
	const page = pageReservations(work, query, {
		customerId,
		featureId: query.featureId && (findFeature(work, query.featureId)?.id ?? ""),
		resourceRef: query.resourceId,
		states: queryValues(query.status),
	});
	const features = featuresByIds(work, [...new Set(page.rows.map(({ featureId }) => featureId))]);
	const refOf = (featureId: string): string => features.get(featureId)?.refId ?? "";
	return { ...page, rows: page.rows.map((row) => viewOf(work, row, customerRef, refOf(row.featureId))) };
}

/** 404 for an unknown id. */
export function getReservation(work: Work, id: string): Reservation {
	const row = findRow(work, id);
	return viewOf(work, row, ...refsOf(work, row));
}

/**
 * Records the actual usage of a reservation. Up to the reserved amount it is granted. A larger amount, or an expired reservation, is
 * decided again: EntitlementLimitExceededError where the limit does not allow it, and the reservation stays unchanged.
 */
export function commitReservation(work: Work, id: string, input: CommitBody): Reservation {
	const row = findRow(work, id);
	const [customerRef, featureRef] = refsOf(work, row);
	const state = stateAt(row, work.now);
	nextState(id, state, "commit");
	const amount = input.amount === undefined ? row.amount : toDecimal(input.amount);
	if (state === "COMMITTED") {
		if (input.amount !== undefined && row.committedAmount !== null && !exact(amount).eq(exact(row.committedAmount)))
			throw fail(
				"InvalidArgumentError",
				`Reservation '${id}' is committed with ${row.committedAmount}; report the difference as usage.`,
			);
		return viewOf(work, row, customerRef, featureRef);
	}
	const held = state === "HELD" ? row.amount : zero;
	const dimensions = dimensionsOfCommit(work, row, input);
	if (exact(amount).gt(exact(held)))
		assertWithinLimit(work, row, [customerRef, featureRef], { amount, held, dimensions });
	const feature = featuresByIds(work, [row.featureId]).get(row.featureId);
	assert(feature, "features are never deleted");
	const resourceRef = row.resourceRef === "" ? null : row.resourceRef;
	const { report } = recordAndCharge(
		work,
		{
			feature,
			customerId: row.customerId,
			resourceRef,
			value: amount,
			behavior: "DELTA",
			at: work.now,
			period: null,
			idempotencyKey: null,
			dimensions,
			reservationId: id,
			where: "body",
		},
		resolveEntitlements(work, customerRef, resourceRef),
	);
	const ended = endReservation(work, row, { state: "COMMITTED", committedAmount: amount, reportId: report.id });
	releaseAtBudgets(work, id);
	return viewOf(work, ended, customerRef, featureRef);
}

/** Returns the dimensions of the reservation and of its commit. */
function dimensionsOfCommit(work: Work, row: UsageReservationRow, { dimensions }: CommitBody): Reported["dimensions"] {
	if (!dimensions) return row.dimensions;
	const all = { ...row.dimensions, ...dimensions };
	assertAttributable(work, all, "body");
	return all;
}

/** Checks the part of the amount that the reservation does not cover. */
function assertWithinLimit(
	work: Work,
	row: UsageReservationRow,
	[customerRef, featureRef]: readonly [string, string],
	{ amount, held, dimensions }: Pick<Reported, "dimensions"> & { readonly amount: Decimal; readonly held: Decimal },
): void {
	const resourceRef = row.resourceRef === "" ? null : row.resourceRef;
	const asked = prepareDecision(work, { customerRef, featureRef, resourceRef }, resolveEntitlements);
	const more = toDecimal(exact(amount).minus(exact(held)));
	const decided =
		"denied" in asked ? asked.denied : viewFeatureAccess(work, asked.decide(more, work.now, dimensions ?? {}));
	if (decided.isGranted) return;
	throw fail(
		"EntitlementLimitExceededError",
		`${toWire(amount)} of feature '${featureRef}' exceed the ${toWire(held)} of reservation '${row.id}', and the rest is denied (${decided.accessDeniedReason}); commit the reserved amount, and report the rest as usage.`,
	);
}

/** Releases a reservation. A repeated release changes nothing. InvalidArgumentError after a commit. */
export function releaseReservation(work: Work, id: string): Reservation {
	const row = findRow(work, id);
	const state = stateAt(row, work.now);
	const next = nextState(id, state, "release");
	const ended = next === "RELEASED" && state === "HELD" ? endReservation(work, row, { state: next }) : row;
	releaseAtBudgets(work, id);
	return viewOf(work, ended, ...refsOf(work, row));
}

function findRow(work: Work, id: string): UsageReservationRow {
	const row = selectReservation(work, id);
	// The reference interface has no reservations, so there is no error code.
	if (!row) throw new HttpRefusal(404, `There is no reservation '${id}' in this environment.`);
	return row;
}

function refsOf(work: Work, row: UsageReservationRow): readonly [customerRef: string, featureRef: string] {
	const feature = featuresByIds(work, [row.featureId]).get(row.featureId);
	assert(feature, "features are never deleted");
	return [getCustomerById(work, row.customerId).refId, feature.refId];
}

const viewOf = (work: Work, row: UsageReservationRow, customerRef: string, featureRef: string): Reservation =>
	viewReservation(row, { customerRef, featureRef, state: stateAt(row, work.now) });
