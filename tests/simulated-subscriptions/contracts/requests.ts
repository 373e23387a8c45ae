import type { Cycle } from "../price-list";

// The requests of a contract's history, in the terms of the wire, with the fields that histories use.

export const rowModels = ["flat", "package", "tiered", "volume", "stairstep"] as const;
export type RowModel = (typeof rowModels)[number];
export type Unit = "weekly" | "monthly" | "quarterly" | "yearly" | "one_time";

export interface Row {
	readonly quantity?: number;
	readonly price?: number;
	readonly from?: number;
	readonly to?: number | null;
	readonly packageSize?: number;
}

export interface Window {
	readonly activationStartDate?: string;
	readonly activationEndDate?: string;
}

export interface ItemRequest extends Window {
	readonly name: string;
	readonly externalId: string;
	/** The counted feature of a pay-as-you-go item. */
	readonly itemName?: string;
	readonly pricingModelId: RowModel | `usage-${RowModel}`;
	readonly rows: readonly Row[];
	readonly billingCycleUnit: Unit;
	readonly billingCycleCount?: number;
	readonly paymentTime?: "IN_ADVANCE" | "IN_ARREARS";
	readonly discount?: number;
	readonly tax?: number;
	readonly netTerms: number;
	readonly separateInvoice?: boolean;
	readonly prorateCutCycles?: boolean;
}

export interface Adding extends Window {
	readonly items: readonly ItemRequest[];
	readonly currency: string;
}

export interface Renewing {
	readonly autoRenew: boolean;
	readonly months?: number;
	readonly noticePeriodDays?: number;
	readonly upliftPercentage?: number;
}

export interface TermsRequest {
	readonly activationStartDate?: string;
	readonly activationEndDate?: string;
	readonly netTerms?: number;
}

/** The credited part of an invoice: its rest, an amount, or lines by their numbers from 1. */
export interface Crediting {
	readonly amount?: number;
	readonly lines?: ReadonlyArray<{ readonly line: number; readonly amount?: number }>;
}

export type ContractAct =
	| {
			readonly do: "draft";
			readonly body: Window & {
				readonly planId: string;
				readonly billingPeriod?: Cycle;
				readonly isUnpaid: boolean;
				readonly renewal?: Renewing;
			};
	  }
	| { readonly do: "add items"; readonly body: Adding }
	| { readonly do: "replace rows"; readonly item: string; readonly rows: readonly Row[] }
	| { readonly do: "remove row"; readonly item: string; readonly row: number }
	| { readonly do: "remove item"; readonly item: string }
	| { readonly do: "change terms"; readonly body: TermsRequest }
	| { readonly do: "set renewal"; readonly body: Renewing }
	| { readonly do: "publish contract" | "discard" | "cancel billing" | "archive" }
	| { readonly do: "amend"; readonly includeCurrentInvoice: boolean }
	/** The nth issued invoice, from 0; amounts in major units. */
	| { readonly do: "pay part" | "refund"; readonly invoice: number; readonly amount: number }
	| { readonly do: "credit part"; readonly invoice: number; readonly body: Crediting };

export const iso = (at: number): string => new Date(at).toISOString();
