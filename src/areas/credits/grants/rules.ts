import { type Instant, instantOf, toIso } from "../../../kernel/clock";
import { exact, toDecimal, zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import { minorDigits } from "../../../kernel/money";
import { neverExpires } from "../burn-down";
import type { Cost } from "../rules.amounts";
import type { GrantStatus, GrantType } from "../schema.values";
import { assertAllowed, type GrantAction } from "./rules.status";
import type { GrantCreate, GrantUpdate } from "./schema";

/** The cost of a grant, and how it is collected: not at all, by a paid invoice, or by an open one. */
export interface GrantTerms {
	readonly cost: Cost;
	readonly collection: "nothing" | "paid invoice" | "open invoice";
}

/** Returns the terms of a new grant. `currency` is the default. Throws BadUserInput for contradictory input; BillingIntegrationMissing. */
export function termsOf(input: GrantCreate, currency: string): GrantTerms {
	const { grantType, paymentCollectionMethod: method, billingInformation = {} } = input;
	const cost = { amount: toDecimal(input.cost?.amount ?? 0), currency: input.cost?.currency ?? currency };
	if (!exact(cost.amount).round(minorDigits(cost.currency)).eq(cost.amount))
		throw fail(
			"BadUserInput",
			`/cost/amount: ${cost.currency} has ${minorDigits(cost.currency)} decimal places; round it.`,
		);
	if (method === "CHARGE")
		throw fail(
			"BillingIntegrationMissing",
			"/paymentCollectionMethod: Tollgate charges subscriptions only, not grants of credits; use INVOICE, and charge the invoice by POST /api/v1/attempts, or mark it as paid.",
		);
	if (grantType === "PROMOTIONAL" && cost.amount !== zero)
		throw fail("BadUserInput", "/cost/amount: a PROMOTIONAL grant costs nothing; omit 'cost', or use PAID.");
	const isInvoiced = grantType === "PAID" && method !== "NONE" && cost.amount !== zero;
	const { billingAddress, invoiceDaysUntilDue } = billingInformation;
	if (!isInvoiced && (method === "INVOICE" || billingAddress || invoiceDaysUntilDue !== undefined))
		throw fail(
			"BadUserInput",
			"This grant is not invoiced, because it is PROMOTIONAL, costs nothing or is collected by NONE; omit the fields about its invoice.",
		);
	if (!isInvoiced) return { cost, collection: "nothing" };
	return { cost, collection: billingInformation.isInvoicePaid ? "paid invoice" : "open invoice" };
}

/** Throws ExpireAtMustBeLaterThanEffectiveAtError. */
export function assertDates(effectiveAt: Instant, expireAt: Instant | null): void {
	if (expireAt !== null && expireAt <= effectiveAt)
		throw fail(
			"ExpireAtMustBeLaterThanEffectiveAtError",
			`'expireAt' (${toIso(expireAt)}) must be later than 'effectiveAt' (${toIso(effectiveAt)}).`,
		);
}

/** The fields of a grant that decide an edit. */
export interface EditedGrant {
	readonly id: string;
	readonly grantType: GrantType;
	readonly status: GrantStatus;
	readonly displayName: string;
	readonly comment: string | null;
	readonly priority: number;
	readonly effectiveAt: Instant;
	readonly expireAt: Instant | null;
	readonly metadata: Readonly<Record<string, string>>;
}

export interface GrantEdit {
	/** The changed columns; empty if none changes. */
	readonly changes: Partial<
		Pick<EditedGrant, "displayName" | "comment" | "priority" | "effectiveAt" | "expireAt" | "metadata"> & {
			readonly expiryRank: number;
			readonly nextDueAt: Instant | null;
		}
	>;
	/** Whether the priority or a date changes, which the ledger records. */
	readonly changesTerms: boolean;
}

/** Returns the changes of an edit, or throws where the grant does not allow one. Unchanged values are ignored. */
export function editOf(grant: EditedGrant, input: GrantUpdate, now: Instant): GrantEdit {
	const { displayName = grant.displayName, comment = grant.comment, priority = grant.priority } = input;
	const metadata = input.metadata === undefined ? grant.metadata : (input.metadata ?? {});
	const effectiveAt = input.effectiveAt === undefined ? grant.effectiveAt : instantOf(input.effectiveAt);
	const expireAt = input.expireAt === undefined ? grant.expireAt : instantOrNull(input.expireAt);
	const describes = displayName !== grant.displayName || comment !== grant.comment || input.metadata !== undefined;
	const differs: Readonly<Record<Exclude<GrantAction, "void">, boolean>> = {
		describe: describes,
		changePriority: priority !== grant.priority,
		changeEffectiveAt: effectiveAt !== grant.effectiveAt,
		changeExpireAt: expireAt !== grant.expireAt,
	};
	for (const action of ["describe", "changePriority", "changeEffectiveAt", "changeExpireAt"] as const)
		if (differs[action]) assertAllowed(grant, action);
	const changesDates = differs.changeEffectiveAt || differs.changeExpireAt;
	if (changesDates) assertNewDates(grant, effectiveAt, expireAt, now);
	return {
		changes: {
			...(describes && { displayName, comment, metadata }),
			...(differs.changePriority && { priority }),
			...(changesDates && {
				effectiveAt,
				expireAt,
				expiryRank: expireAt ?? neverExpires,
				nextDueAt: nextDueOf(grant.status, effectiveAt, expireAt),
			}),
		},
		changesTerms: differs.changePriority || changesDates,
	};
}

function assertNewDates(
	{ id, status }: EditedGrant,
	effectiveAt: Instant,
	expireAt: Instant | null,
	now: Instant,
): void {
	assertDates(effectiveAt, expireAt);
	if (status === "ACTIVE" && effectiveAt > now)
		throw fail(
			"InvalidArgumentError",
			`The credit grant '${id}' is already active and cannot start later; void it, and create a grant that starts then.`,
		);
	if (expireAt !== null && expireAt <= now)
		throw fail(
			"InvalidArgumentError",
			`'expireAt' (${toIso(expireAt)}) is in the past; to end the grant now, void it.`,
		);
}

const instantOrNull = (sent: string | null): Instant | null => (sent === null ? null : instantOf(sent));

function nextDueOf(status: GrantStatus, effectiveAt: Instant, expireAt: Instant | null): Instant | null {
	if (status === "SCHEDULED") return effectiveAt;
	return status === "ACTIVE" ? expireAt : null;
}
