/** The price list of a history, as plain data for Tollgate's catalogue and for the oracle. */

/** The length of a billing period, in months. */
export const monthsOf = { MONTHLY: 1, QUARTERLY: 3, HALF_YEARLY: 6, ANNUALLY: 12 } as const;
export type Cycle = keyof typeof monthsOf;
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
	/** The least and the greatest cost of a window of usage. */
	readonly lowest?: string;
	readonly highest?: string;
}

/** The modes that count dates. */
export type DatedMode = "BY_DAY" | "THIRTY_DAY_MONTH";

export interface ListedCharge {
	readonly model: "FLAT_FEE" | "PER_UNIT" | "USAGE_BASED";
	readonly prices: readonly ListedPrice[];
	readonly feature?: string;
	readonly isOnce?: true;
	/** How parts of a period count; missing: by time. */
	readonly prorated?: DatedMode;
	/** Unused time is never credited. */
	readonly keepsPaid?: true;
	/** A part of a period costs the whole, and is never credited. */
	readonly isWhole?: true;
	readonly block?: string;
	readonly mode?: "VOLUME" | "GRADUATED";
	/** The end of a period charges it. */
	readonly inArrears?: true;
	/** The minimum quantity. */
	readonly least?: number;
	/** An unused window costs the flat price of the first tier. */
	readonly chargesUnused?: true;
	/** Usage beyond this limit is charged. */
	readonly beyond?: { readonly limit: string; readonly reset: Reset };
	/** How often usage is charged; missing: by the period of its price. */
	readonly interval?: Cycle;
}

export type Reset = "MONTH from the start" | "MONTH from the first" | "WEEK" | "DAY" | "YEAR";

/** From when the billing periods of a plan count. `month` counts from 1. */
export type ListedAnchor =
	| { readonly type: "SUBSCRIPTION_START" | "START_OF_THE_MONTH" | "CALENDAR" }
	| { readonly type: "DAY"; readonly dayOfMonth: number; readonly month?: number }
	| { readonly type: "DATE"; readonly date: string };

/** Prices of a package in another currency. */
export interface ListedOther {
	readonly currency: string;
	/** The prices are those of the country of the list. */
	readonly isAbroad: boolean;
	/** Those of each charge; null: it has none in this currency. */
	readonly prices: ReadonlyArray<readonly ListedPrice[] | null>;
	readonly minimums: ListedPackage["minimums"];
}

/** A part of a plan's time with other prices. */
export interface ListedPhase {
	readonly id: string;
	readonly duration: { readonly unit: "DAY" | "MONTH"; readonly count: number };
	/** Lowers the prices of the plan. */
	readonly percent?: string;
	/** Replace all prices of the plan. */
	readonly charges?: readonly ListedCharge[];
}

export interface ListedTerm {
	readonly months: number;
	/** Null: the subscription ends with its term. */
	readonly renewal: {
		readonly months: number;
		readonly notice: number;
		readonly percent: string;
		readonly upliftsUsage: boolean;
	} | null;
	readonly early: "AT_TERM_END" | "PAY_REMAINDER" | "ALLOWED";
}

export interface ListedPackage {
	readonly id: string;
	/** The first parts of its time, from the start of billing. */
	readonly phases?: readonly ListedPhase[];
	readonly term?: ListedTerm;
	/** Missing: that of the environment. */
	readonly anchor?: ListedAnchor;
	readonly isAddon: boolean;
	readonly currency: string;
	/** Empty: free. */
	readonly charges: readonly ListedCharge[];
	/** The same charges at other prices, for the country of the list. */
	readonly abroad?: readonly ListedCharge[];
	/** The currency of the prices for the country; missing: that of the others. */
	readonly abroadCurrency?: string;
	readonly others?: readonly ListedOther[];
	readonly minimums: readonly { readonly cycle: Cycle; readonly amount: string }[];
	readonly isOverageMonthly: boolean;
	/** Increases of the plan's limits. */
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
	/** A country with its own prices. */
	readonly country: string | null;
	/** The currency of additional prices. */
	readonly second: string | null;
	/** A customer has one subscription for each resource, rather than one. */
	readonly isByResource: boolean;
	/** Usage is then reported by resource, and no subscription is transferred; otherwise there is no usage. */
	readonly isUsedByResource: boolean;
	/** Downgrades wait for the end of the period. */
	readonly waits: boolean;
	readonly usageReset: "ALWAYS_RESET" | "NEVER_RESET" | "BILLING_PERIOD_CHANGE";
}

/** Returns the billing periods of a plan; usage can be billed monthly within a longer one. */
export function cyclesOf({ charges }: ListedPackage): Cycle[] {
	const inAdvance = charges.filter(({ model }) => model !== "USAGE_BASED");
	const deciding = inAdvance.length > 0 ? inAdvance : charges;
	return [...new Set(deciding.flatMap(({ prices }) => prices.map(({ cycle }) => cycle)))];
}

/** How features are counted: by sum or peak; tokens are priced by the thousand. */
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

/** The plan whose price a contract sets. */
export const negotiated = "negotiated";
