import type { Decimal } from "../../../kernel/decimal";
import type { Money } from "../../../kernel/money";

/** A price of units. */
export interface UnitPrice {
	/** The flat amount, or the amount for each unit or block; null if tiers or credits set the price. */
	readonly price: Money | null;
	readonly tiersMode: "VOLUME" | "GRADUATED" | null;
	readonly tiers:
		| readonly { readonly upTo: Decimal | null; readonly unitPrice: Money | null; readonly flatPrice: Money | null }[]
		| null;
	readonly blockSize: Decimal | null;
}
