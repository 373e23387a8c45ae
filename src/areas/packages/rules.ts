import type { ErrorCode } from "../../kernel/error-codes";
import { fail } from "../../kernel/errors";
import { notBilledWithin, type OfferedCharge, offeredPeriods } from "../pricing/choice/price";
import {
	type PackageKind,
	type PackageStatus,
	type PricingType,
	type ResetAnchor,
	type ResetConfigurations,
	type ResetPeriod,
	versionNumberMax,
} from "./schema";

export const kindName: Readonly<Record<PackageKind, "plan" | "addon">> = { PLAN: "plan", ADDON: "addon" };
export const notFoundCode = { PLAN: "PlanNotFound", ADDON: "AddonNotFound" } as const;

/** The state of a package. PUBLISHED_WITH_DRAFT: the published version is for sale while a draft of the next one exists. */
export type PackageState = "DRAFT" | "PUBLISHED" | "PUBLISHED_WITH_DRAFT" | "ARCHIVED";
export type PackageAction = "update" | "entitle" | "publish" | "createDraft" | "removeDraft" | "archive";

interface Refusal {
	readonly code: ErrorCode | Readonly<Record<PackageKind, ErrorCode>>;
	readonly because: string;
}

const archived: Refusal = { code: "EntityIsArchivedError", because: "is archived; make a new one" };
const noDraft = (code: ErrorCode): Refusal => ({
	code,
	because: "is published and has no draft; open one with POST …/draft and change that",
});
const secondDraft: Refusal = {
	code: "DraftAlreadyExists",
	because: "has a draft already; change that one, publish it, or remove it",
};

/** The state that each action leads to, or the error (docs/interface/catalogue.md). GONE: the package is deleted. */
export const transitions: Readonly<
	Record<PackageState, Readonly<Record<PackageAction, PackageState | "GONE" | Refusal>>>
> = {
	DRAFT: {
		update: "DRAFT",
		entitle: "DRAFT",
		publish: "PUBLISHED",
		createDraft: secondDraft,
		removeDraft: "GONE",
		archive: {
			code: { PLAN: "DraftPlanCantBeArchived", ADDON: "DraftAddonCantBeArchived" },
			because: "was never published; remove the draft instead",
		},
	},
	PUBLISHED: {
		update: noDraft("CannotEditPackageInNonDraftMode"),
		entitle: noDraft("EditAllowedOnDraftPackageOnlyError"),
		publish: { code: "PackageAlreadyPublished", because: "is published and has no draft to publish" },
		createDraft: "PUBLISHED_WITH_DRAFT",
		removeDraft: { code: "EditAllowedOnDraftPackageOnlyError", because: "has no draft to remove" },
		archive: "ARCHIVED",
	},
	PUBLISHED_WITH_DRAFT: {
		update: "PUBLISHED_WITH_DRAFT",
		entitle: "PUBLISHED_WITH_DRAFT",
		publish: "PUBLISHED",
		createDraft: secondDraft,
		removeDraft: "PUBLISHED",
		archive: {
			code: { PLAN: "DraftPlanCantBeArchived", ADDON: "AddonWithDraftCannotBeDeletedError" },
			because: "has an open draft; publish or remove it first",
		},
	},
	ARCHIVED: {
		update: archived,
		entitle: { code: "EditAllowedOnDraftPackageOnlyError", because: archived.because },
		publish: archived,
		createDraft: archived,
		removeDraft: archived,
		// Our choice (docs/interface/catalogue.md#plans-and-addons): archiving twice is not an error.
		archive: "ARCHIVED",
	},
};

export function stateOf(latest: { readonly status: PackageStatus } | undefined, hasDraft: boolean): PackageState {
	if (!latest) return "DRAFT";
	if (latest.status === "ARCHIVED") return "ARCHIVED";
	return hasDraft ? "PUBLISHED_WITH_DRAFT" : "PUBLISHED";
}

/** Returns the next state. Throws the error that the table names. */
export function nextState(
	{ kind, refId }: { readonly kind: PackageKind; readonly refId: string },
	state: PackageState,
	action: PackageAction,
): PackageState | "GONE" {
	const next = transitions[state][action];
	if (typeof next === "string") return next;
	const { code, because } = next;
	throw fail(typeof code === "string" ? code : code[kind], `The ${kindName[kind]} '${refId}' ${because}.`);
}

/** Throws above the limit, which allows a version per minute for two months. */
export function assertVersionNumber(
	{ kind, refId }: { readonly kind: PackageKind; readonly refId: string },
	versionNumber: number,
): void {
	if (versionNumber > versionNumberMax)
		throw fail(
			"VersionExceedsMaxValueError",
			`The ${kindName[kind]} '${refId}' has had ${versionNumberMax} versions, the most it may have; make a new one.`,
		);
}

/** Throws unless the pricing type is set (free packages included) and a paid addon has a price (docs/interface/catalogue.md). */
export function assertPriced(
	{
		kind,
		refId,
		pricingType,
	}: { readonly kind: PackageKind; readonly refId: string; readonly pricingType: string | null },
	chargeCount: number,
): void {
	if (pricingType === null)
		throw fail(
			"PackagePricingTypeNotSet",
			`The ${kindName[kind]} '${refId}' has no pricing yet; set 'charges' with a pricingType (FREE, PAID or CUSTOM) before you publish.`,
		);
	if (kind === "ADDON" && pricingType === "PAID" && chargeCount === 0)
		throw fail(
			"AddonHasToHavePriceError",
			`The addon '${refId}' is PAID and has no price; set 'charges.pricingModels' first.`,
		);
}

/** Throws BillingPeriodMissingError if no billing period has a price for every item. */
export function assertSoldByAPeriod(
	{ kind, refId }: { readonly kind: PackageKind; readonly refId: string },
	charges: readonly OfferedCharge[],
): void {
	const offered = offeredPeriods(charges);
	if (offered.length === 0 || offered.some((period) => notBilledWithin(charges, period) === undefined)) return;
	throw fail(
		"BillingPeriodMissingError",
		`The ${kindName[kind]} '${refId}' can be sold by no billing period: no period has a price of everything that recurs. Give all of it MONTHLY prices, or ANNUALLY ones; usage may stay MONTHLY.`,
	);
}

const configurationByPeriod = {
	YEAR: "yearlyResetPeriodConfiguration",
	MONTH: "monthlyResetPeriodConfiguration",
	WEEK: "weeklyResetPeriodConfiguration",
} as const;

type ResetInput = ResetConfigurations & { readonly resetPeriod?: ResetPeriod | undefined };

export interface Reset {
	readonly resetPeriod: ResetPeriod | null;
	readonly resetAnchor: ResetAnchor | null;
}

/** Returns the anchor that a request names for `resetPeriod`; undefined if it names none. */
export function namedAnchorOf(input: ResetInput): ResetAnchor | undefined {
	const { resetPeriod } = input;
	if (resetPeriod === undefined || resetPeriod === "DAY" || resetPeriod === "HOUR") return;
	return input[configurationByPeriod[resetPeriod]]?.accordingTo;
}

/**
 * Folds the three reset configurations into the anchor of `resetPeriod`; SubscriptionStart when the request names none.
 * Clients send all three configurations, so those of other periods are ignored (docs/interface/catalogue.md).
 */
export function resetOf(input: ResetInput): Reset {
	const { resetPeriod = null } = input;
	if (resetPeriod === null || resetPeriod === "DAY" || resetPeriod === "HOUR")
		return { resetPeriod, resetAnchor: null };
	return { resetPeriod, resetAnchor: namedAnchorOf(input) ?? "SubscriptionStart" };
}

/** Throws if a request sets another status than DRAFT. Publishing and archiving are separate actions (docs/interface/catalogue.md). */
export function assertDraftStatus(status: PackageStatus | undefined): void {
	if (status !== undefined && status !== "DRAFT")
		throw fail("BadUserInput", `'status' can only be DRAFT here, not ${status}; use POST …/publish or POST …/archive.`);
}

/** Returns the common terms of a new plan or addon, with defaults for missing fields. */
export const newTerms = ({ displayName, description, billingId, metadata, pricingType }: NewTerms) => ({
	displayName,
	description: description ?? null,
	billingId: billingId ?? null,
	metadata: metadata ?? {},
	pricingType: pricingType ?? null,
});

interface NewTerms extends CommonTerms {
	readonly displayName: string;
	readonly pricingType?: PricingType | null;
}

/** Returns the common terms that an update of a plan or addon contains. */
export const sentTerms = ({ displayName, description, billingId, metadata }: CommonTerms) => ({
	...(displayName !== undefined && { displayName }),
	...(description !== undefined && { description }),
	...(billingId !== undefined && { billingId }),
	...(metadata && { metadata }),
});

interface CommonTerms {
	readonly displayName?: string;
	readonly description?: string | null;
	readonly billingId?: string | null;
	readonly metadata?: Record<string, string>;
}
