import type { Instant } from "../../../kernel/clock";
import type { ErrorCode } from "../../../kernel/error-codes";
import { fail } from "../../../kernel/errors";
import type { GrantStatus, GrantType } from "../schema.values";

/** `describe` changes name, comment and metadata. */
export type GrantAction = "describe" | "changePriority" | "changeEffectiveAt" | "changeExpireAt" | "void";

interface Refusal {
	readonly code: ErrorCode;
	readonly because: string;
}

const gone: Refusal = {
	code: "InvalidArgumentError",
	because: "is no longer active, so its priority and dates have no effect; create a new grant",
};
const voided: Refusal = { code: "CreditGrantAlreadyVoided", because: "is already voided; create a new grant" };

/**
 * The actions of callers on a grant in each status: the next status, or a refusal. Payment and time move a grant from
 * PAYMENT_PENDING to SCHEDULED to ACTIVE to EXPIRED (docs/interface/credits.md).
 */
export const grantTransitions: Readonly<Record<GrantStatus, Readonly<Record<GrantAction, GrantStatus | Refusal>>>> = {
	PAYMENT_PENDING: {
		describe: "PAYMENT_PENDING",
		changePriority: "PAYMENT_PENDING",
		changeEffectiveAt: "PAYMENT_PENDING",
		changeExpireAt: "PAYMENT_PENDING",
		void: "VOIDED",
	},
	SCHEDULED: {
		describe: "SCHEDULED",
		changePriority: "SCHEDULED",
		// Or ACTIVE, if the new date is past.
		changeEffectiveAt: "SCHEDULED",
		changeExpireAt: "SCHEDULED",
		void: "VOIDED",
	},
	ACTIVE: {
		describe: "ACTIVE",
		changePriority: "ACTIVE",
		// To another past date only: an active grant cannot become scheduled.
		changeEffectiveAt: "ACTIVE",
		changeExpireAt: "ACTIVE",
		void: "VOIDED",
	},
	EXPIRED: {
		describe: "EXPIRED",
		changePriority: gone,
		changeEffectiveAt: gone,
		changeExpireAt: {
			code: "CannotUpdateExpireAtForExpiredCreditGrantError",
			because: "has expired, and its remaining credits are lost; create a new grant",
		},
		void: { code: "CreditGrantCannotBeVoided", because: "has expired, so it has no remaining credits" },
	},
	VOIDED: {
		describe: "VOIDED",
		changePriority: gone,
		changeEffectiveAt: gone,
		changeExpireAt: gone,
		void: voided,
	},
};

const byTypeAlone: Readonly<Partial<Record<GrantType, Readonly<Partial<Record<GrantAction, Refusal>>>>>> = {
	OVERDRAFT: {
		describe: { code: "InvalidArgumentError", because: "is an overdraft, which only Tollgate changes" },
		changePriority: { code: "InvalidArgumentError", because: "is an overdraft, which only Tollgate changes" },
		changeEffectiveAt: { code: "InvalidArgumentError", because: "is an overdraft, which only Tollgate changes" },
		changeExpireAt: { code: "InvalidArgumentError", because: "is an overdraft, which only Tollgate changes" },
		void: { code: "CreditGrantCannotBeVoided", because: "is an overdraft; grant credits to settle it" },
	},
	RECURRING: {
		changeEffectiveAt: { code: "InvalidArgumentError", because: "is recurring, so its period defines its dates" },
		changeExpireAt: { code: "InvalidArgumentError", because: "is recurring, so its period defines its dates" },
	},
};

interface Grant {
	readonly id: string;
	readonly grantType: GrantType;
	readonly status: GrantStatus;
}

/** Returns why a caller may not carry out an action; undefined where it may. */
export function refusalOf({ grantType, status }: Omit<Grant, "id">, action: GrantAction): Refusal | undefined {
	const next = grantTransitions[status][action];
	return byTypeAlone[grantType]?.[action] ?? (typeof next === "string" ? undefined : next);
}

export function assertAllowed(grant: Grant, action: GrantAction): void {
	const refusal = refusalOf(grant, action);
	if (refusal) throw fail(refusal.code, `The credit grant '${grant.id}' ${refusal.because}.`);
}

/** Returns the status at a time, including a due step that is not carried out yet. */
export function statusAt(
	{
		status,
		effectiveAt,
		expireAt,
	}: Pick<Grant, "status"> & {
		readonly effectiveAt: Instant;
		readonly expireAt: Instant | null;
	},
	now: Instant,
): GrantStatus {
	if (status !== "SCHEDULED" && status !== "ACTIVE") return status;
	if (effectiveAt > now && status === "SCHEDULED") return status;
	return expireAt !== null && expireAt <= now ? "EXPIRED" : "ACTIVE";
}
