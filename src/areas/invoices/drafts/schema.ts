import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../../kernel/number-schema";
import { nullable } from "../../../kernel/schema";
import { InvoicePath } from "../schema";

// All of this file is our own.

/** A manual line. Price times quantity is rounded once, as for every line. A negative price reduces the total. */
export const ManualLine = Type.Object(
	{
		description: Type.String({ minLength: 1, maxLength: 500 }),
		/** Missing: 1. */
		quantity: Type.Optional(ExactNumber({ minimum: 0, maximum: 1e9 })),
		unit: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 50 }))),
		/** In major units of the invoice's currency, without tax. */
		unitPrice: ExactNumber({ minimum: -1e9, maximum: 1e9 }),
		/** Missing: the rate of the other lines. */
		taxPercentage: Type.Optional(nullable(ExactNumber({ minimum: 0, maximum: 100 }))),
	},
	{ additionalProperties: false },
);
export type ManualLine = Static<typeof ManualLine>;

export const DraftLinePath = Type.Object(
	{ ...InvoicePath.properties, line: Type.String({ pattern: "^[1-9][0-9]{0,3}$", description: "a number from 1" }) },
	{ additionalProperties: false },
);
