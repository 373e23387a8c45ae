import type { Uplift } from "./agreements/term";
import type { Behavior, Cycle, ListedPhase } from "./price-list";

// The requests of histories, in the terms of the wire.

/** A provision, with the fields that histories use. */
export interface Buying {
	readonly id: string;
	readonly resourceId?: string;
	readonly planId: string;
	readonly billingCountryCode?: string;
	readonly billingCurrency?: string;
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
	readonly awaitPaymentConfirmation?: true;
	readonly trialOverrideConfiguration?: {
		readonly isTrial: boolean;
		readonly trialEndDate?: string;
		readonly trialEndBehavior?: "CONVERT_TO_PAID" | "CANCEL_SUBSCRIPTION";
	};
}

/** An import from another system. */
export interface TakingOver
	extends Pick<Buying, "id" | "resourceId" | "planId" | "billingPeriod" | "addons" | "charges"> {
	readonly startDate: string;
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
	/** In the future: the change is scheduled. */
	readonly effectiveDate?: string;
	readonly cancellationDate?: string | null;
	readonly trialEndDate?: string;
	readonly metadata?: Readonly<Record<string, string>>;
	readonly awaitPaymentConfirmation?: true;
	/** Migrates to the current prices of the plan. */
	readonly toLatest?: true;
	/** The phase that begins; null: the phases are over. No call names it. */
	readonly phase?: ListedPhase | null;
	/** The price increases of a renewed term. No call names them. */
	readonly uplifts?: readonly Uplift[];
}

export interface Transferring {
	readonly destinationResourceId: string;
}

/** A line that a caller adds to a draft. */
export interface ManualLine {
	readonly description: string;
	readonly quantity: number;
	readonly unitPrice: number;
	readonly taxPercentage?: number | null;
}

export interface Migrating {
	readonly subscriptionMigrationTime?: "IMMEDIATE" | "END_OF_BILLING_PERIOD";
}

export interface Cancelling {
	readonly cancellationTime: "IMMEDIATE" | "END_OF_BILLING_PERIOD" | "SPECIFIC_DATE";
	readonly endDate?: string;
	readonly prorate?: boolean;
}

/** A pause; all fields have defaults. */
export interface Pausing {
	readonly at?: "IMMEDIATE" | "END_OF_BILLING_PERIOD" | "SPECIFIC_DATE";
	readonly date?: string;
	readonly resumeAt?: string;
	readonly prorate?: boolean;
}

export interface Resuming extends Pick<Pausing, "at" | "date"> {
	readonly billingCycleAnchor?: "UNCHANGED" | "NOW";
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
export interface Override {
	readonly baseCharge?: boolean;
	readonly featureId?: string;
	readonly addonId?: string;
	readonly amount: number;
}

export interface Used {
	readonly feature: string;
	readonly n: string;
	readonly at: number;
	readonly resource?: string;
}

export interface Part {
	readonly type: string;
	readonly changes: Changing;
}

/** Splits an update into its kinds of change; each can be scheduled. */
export function partsOf(changes: Changing): Part[] {
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

export const migration = "MIGRATE_TO_LATEST";

export const isTerm = (type: string): boolean => type !== "COUPON" && type !== "METADATA" && type !== "BILLING_INFO";

/** Merges several kinds that are scheduled for one time. */
export const mergedParts = (due: readonly Part[]): Changing => {
	const charges = due.flatMap(({ changes }) => changes.charges ?? []);
	const billingInformation = Object.assign({}, ...due.map(({ changes }) => changes.billingInformation));
	return {
		...(charges.length > 0 && { charges }),
		...(Object.keys(billingInformation).length > 0 && { billingInformation }),
	};
};

/** Formats a number of the wire in plain digits. */
export const plain = (value: number): string => {
	const text = String(value);
	if (!/^-?\d+(\.\d+)?$/.test(text)) throw new Error(`${text} has no plain digits.`);
	return text;
};
