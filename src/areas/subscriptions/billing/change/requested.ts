import type { Instant } from "../../../../kernel/clock";
import type { LineRow } from "../../../invoices/table";
import type { ProrationBehavior } from "../../schema.provision";
import type { SubscriptionRow } from "../../table";
import type { InvoicedBy } from "../../table.changes";
import type { Sale } from "../../terms/sale";
import type { ChargedSubscription } from "../charged";

/** The choices of the caller about the bill of a change. */
export interface Billing {
	readonly behavior: ProrationBehavior;
	readonly anchor?: "UNCHANGED" | "NOW" | undefined;
	readonly isPaid?: boolean | undefined;
	/**
	 * "terms": without usage, for an invoice that is paid before the change is made. "usage": the terms are paid, and only usage
	 * remains to be billed.
	 */
	readonly part?: "terms" | "usage";
	/** The paid invoice of the terms, where the change waited for its payment. */
	readonly invoiced?: InvoicedTerms;
	/** From when the new terms apply, where that is before now. The lines are dated now. */
	readonly effectiveAt?: Instant | undefined;
}

export interface InvoicedTerms {
	readonly at: Instant;
	/** The former charge is credited from this instant. */
	readonly creditedFrom: Instant;
	readonly by: InvoicedBy | null;
	readonly lines: readonly LineRow[];
}

/** A subscription before and after a change. Its items are stored already; its charges are not. */
export interface ChangeOfTerms {
	readonly before: SubscriptionRow;
	readonly saleBefore: Sale;
	readonly after: SubscriptionRow;
	readonly sale: Sale;
}

/** A change of a subscription whose charge in advance is loaded. */
export interface ChargedChange extends ChangeOfTerms {
	readonly before: ChargedSubscription;
}
