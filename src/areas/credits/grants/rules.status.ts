import type { Instant } from "../../../kernel/clock";
import type { ErrorCode } from "../../../kernel/error-codes";
import { fail } from "../../../kernel/errors";
import type { GrantStatus, GrantType } from "../schema.values";

/** `describe`: name, comment and metadata. */
export type GrantAction = "describe" | "changePriority" | "changeEffectiveAt" | "changeExpireAt" | "void";

interface Refusal {
	readonly code: ErrorCode;
	readonly because: string;
}

const gone: Refusal = {
	code: "InvalidArgumentError",
	because: "counts no more, so that its priority and its dates mean nothing; make a new grant",
};
const voided: Refusal = { code: "CreditGrantAlreadyVoided", because: "is voided already; make a new grant" };

/**
 * What callers may do to a grant, by its status, and what it leads to at once. Time and payment move it on by themselves:
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
		// Or ACTIVE, where that has come.
		changeEffectiveAt: "SCHEDULED",
		changeExpireAt: "SCHEDULED",
		void: "VOIDED",
	},
	ACTIVE: {
		describe: "ACTIVE",
		changePriority: "ACTIVE",
		// To another time that has been: what counts cannot be made not to have counted.
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
			because: "has expired, and what was left of it is lost; make a new grant",
		},
		void: { code: "CreditGrantCannotBeVoided", because: "has expired: nothing is left of it" },
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
		describe: { code: "InvalidArgumentError", because: "is an overdraft, which is the server's own" },
		changePriority: { code: "InvalidArgumentError", because: "is an overdraft, which is the server's own" },
		changeEffectiveAt: { code: "InvalidArgumentError", because: "is an overdraft, which is the server's own" },
		changeExpireAt: { code: "InvalidArgumentError", because: "is an overdraft, which is the server's own" },
		void: { code: "CreditGrantCannotBeVoided", because: "is an overdraft; grant credits, and they settle it" },
	},
	RECURRING: {
		changeEffectiveAt: { code: "InvalidArgumentError", because: "recurs, and its dates are those of its period" },
		changeExpireAt: { code: "InvalidArgumentError", because: "recurs, and its dates are those of its period" },
	},
};

interface Grant {
	readonly id: string;
	readonly grantType: GrantType;
	readonly status: GrantStatus;
}

/** Why a caller may not do it; undefined where it may. */
export function refusalOf({ grantType, status }: Omit<Grant, "id">, action: GrantAction): Refusal | undefined {
	const next = grantTransitions[status][action];
	return byTypeAlone[grantType]?.[action] ?? (typeof next === "string" ? undefined : next);
}

export function assertMay(grant: Grant, action: GrantAction): void {
	const refusal = refusalOf(grant, action);
	if (refusal) throw fail(refusal.code, `The credit grant '${grant.id}' ${refusal.because}.`);
}

/** The status at a time: what has fallen due a moment ago shows before it is carried out. */
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
