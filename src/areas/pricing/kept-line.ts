import type { Decimal } from "../../kernel/decimal";
import type { LineBasis } from "./basis";
import type { ExplainedLine } from "./explain/steps";

/** An issued line with the terms that it was calculated from. */
export interface KeptLine extends Omit<ExplainedLine, "quantity" | "unitPrice"> {
	readonly basis: LineBasis | null;
}

/** A figure of a line that differs from the figure that its basis yields. */
export interface RatedOtherwise {
	/** The position of the line. */
	readonly at: number;
	readonly figure: "amount" | "discount" | "tax" | "total";
	readonly expected: Decimal;
	readonly found: Decimal;
}
