/** What a life's customer can buy: plain data, from which the system's catalogue is made and the oracle reckons. */

export type Cycle = "MONTHLY" | "ANNUALLY";
export type Behavior = "INVOICE_IMMEDIATELY" | "CREATE_PRORATIONS" | "NONE";

/** Amounts and quantities are decimals in plain digits. */
export interface ListedTier {
	readonly upTo: string | null;
	readonly unit: string | null;
	readonly flat: string | null;
}

export interface ListedPrice {
	readonly cycle: Cycle;
	readonly amount?: string;
	readonly tiers?: readonly ListedTier[];
}

export interface ListedCharge {
	readonly model: "FLAT_FEE" | "PER_UNIT" | "USAGE_BASED";
	readonly prices: readonly ListedPrice[];
	readonly feature?: string;
	readonly isOnce?: true;
	readonly block?: string;
	readonly mode?: "VOLUME" | "GRADUATED";
	/** The least that is sold. */
	readonly least?: number;
	/** What lies beyond this limit is charged. */
	readonly beyond?: { readonly limit: string; readonly reset: Reset };
}

export type Reset = "MONTH from the start" | "MONTH from the first" | "WEEK" | "DAY" | "YEAR";

export interface ListedPackage {
	readonly id: string;
	readonly isAddon: boolean;
	readonly currency: string;
	/** None: it is free. */
	readonly charges: readonly ListedCharge[];
	/** The same charges at other prices, for the country of the list. */
	readonly abroad?: readonly ListedCharge[];
	readonly minimums: readonly { readonly cycle: Cycle; readonly amount: string }[];
	readonly isOverageMonthly: boolean;
	/** What an addon adds to the limits of a plan. */
	readonly adds: readonly { readonly feature: string; readonly limit: string }[];
}

export interface ListedCoupon {
	readonly id: string;
	readonly percent: string | null;
	readonly amounts: readonly { readonly amount: string; readonly currency: string }[] | null;
	readonly months: number | null;
}

export interface PriceList {
	readonly plans: readonly ListedPackage[];
	readonly addons: readonly ListedPackage[];
	readonly coupons: readonly ListedCoupon[];
	/** Billing periods begin with the first of the month. */
	readonly isFromTheFirst: boolean;
	/** It has prices of its own. */
	readonly country: string | null;
	/** A customer has one subscription for each resource, rather than one. */
	readonly isByResource: boolean;
	/** Then usage is reported by resource, and no subscription is transferred; else nothing is used. */
	readonly isUsedByResource: boolean;
	/** Downgrades wait for the end of the period. */
	readonly waits: boolean;
	readonly usageReset: "ALWAYS_RESET" | "NEVER_RESET" | "BILLING_PERIOD_CHANGE";
}

/** The billing periods that it can be had by: what is used is billed by the month within a year. */
export function cyclesOf({ charges }: ListedPackage): Cycle[] {
	const inAdvance = charges.filter(({ model }) => model !== "USAGE_BASED");
	const deciding = inAdvance.length > 0 ? inAdvance : charges;
	return [...new Set(deciding.flatMap(({ prices }) => prices.map(({ cycle }) => cycle)))];
}

/** How the features are counted: what was used is summed, or its peak counts; tokens are priced by the thousand. */
export const features: Readonly<
	Record<string, { readonly counts: "SUM" | "MAX" | null; readonly divide?: string; readonly round?: "UP" | "DOWN" }>
> = {
	seats: { counts: null },
	storage: { counts: null },
	calls: { counts: "SUM" },
	tokens: { counts: "SUM", divide: "1000", round: "UP" },
	jobs: { counts: "SUM", divide: "3", round: "DOWN" },
	peak: { counts: "MAX" },
};

/** The plan whose price a contract says. */
export const negotiated = "negotiated";
