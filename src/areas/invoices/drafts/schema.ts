import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../../kernel/number-schema";
import { nullable } from "../../../kernel/schema";
import { InvoicePath } from "../schema";

// Everything here is ours.

/** Its price times its quantity is rounded once, as every line. Below zero it takes something off. */
export const ManualLine = Type.Object(
	{
		description: Type.String({ minLength: 1, maxLength: 500 }),
		/** Left out: 1. */
		quantity: Type.Optional(ExactNumber({ minimum: 0, maximum: 1e9 })),
		unit: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 50 }))),
		/** In major units of the invoice's currency, without tax. */
		unitPrice: ExactNumber({ minimum: -1e9, maximum: 1e9 }),
		/** Left out: as the other lines. */
		taxPercentage: Type.Optional(nullable(ExactNumber({ minimum: 0, maximum: 100 }))),
	},
	{ additionalProperties: false },
);
export type ManualLine = Static<typeof ManualLine>;

export const DraftLinePath = Type.Object(
	{ ...InvoicePath.properties, line: Type.String({ pattern: "^[1-9][0-9]{0,3}$", description: "a number from 1" }) },
	{ additionalProperties: false },
);
