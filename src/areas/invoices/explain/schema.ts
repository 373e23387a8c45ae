import { type Static, Type } from "@sinclair/typebox";
import { CustomerRefId, literals, nullable } from "../../../kernel/schema";
import { stepNames } from "../../pricing/explain/steps";
import { rowModels } from "../../pricing/models/contract-rows";

export const LinePath = Type.Object(
	{
		id: CustomerRefId,
		invoiceRef: Type.String({ minLength: 1, maxLength: 255 }),
		/** The number of the line in `lineItems`, from 1. */
		line: Type.String({ pattern: "^[1-9][0-9]{0,3}$", maxLength: 4 }),
	},
	{ additionalProperties: false },
);

const nullableText = nullable(Type.String());
const nullableNumber = nullable(Type.Number());

/** Our own: how a line of an invoice came about. */
export const LineExplanation = Type.Object(
	{
		invoiceId: Type.String(),
		invoiceNumber: Type.String(),
		line: Type.Integer(),
		description: Type.String(),
		currency: Type.String(),
		periodStart: nullableText,
		periodEnd: nullableText,
		/** Null where it was not calculated from a price of a plan or an addon, or before that was kept. */
		price: nullable(
			Type.Object(
				{
					packageId: nullableText,
					version: nullableNumber,
					billingModel: Type.String(),
					isOverage: Type.Boolean(),
					price: nullableNumber,
					blockSize: nullableNumber,
					tiersMode: nullableText,
					tiers: Type.Array(
						Type.Object(
							{ upTo: nullableNumber, unitPrice: nullableNumber, flatPrice: nullableNumber },
							{ additionalProperties: false },
						),
					),
				},
				{ additionalProperties: false },
			),
		),
		/** Of a contract's line: how its item prices; the cycle is the period of the line. */
		contractItem: nullable(
			Type.Object(
				{
					itemId: Type.String(),
					pricingModel: literals(...rowModels),
					isPayAsYouGo: Type.Boolean(),
					rows: Type.Array(
						Type.Object(
							{
								quantity: nullableNumber,
								price: nullableNumber,
								from: nullableNumber,
								to: nullableNumber,
								packageSize: nullableNumber,
							},
							{ additionalProperties: false },
						),
					),
				},
				{ additionalProperties: false },
			),
		),
		/** Of what is priced by use: the totals of its window. `billedBefore` is, of a contract, in the units that are priced. `included` is null where there is no limit to go beyond. */
		usage: nullable(
			Type.Object(
				{
					featureId: nullableText,
					used: Type.Number(),
					billedBefore: Type.Number(),
					included: nullableNumber,
					unitTransformation: nullable(Type.Object({ divide: Type.Number(), round: literals("UP", "DOWN") })),
				},
				{ additionalProperties: false },
			),
		),
		/** The part of the period that is charged or given back, from an instant to another. */
		proration: nullable(
			Type.Object(
				{
					from: nullableText,
					to: nullableText,
					partMs: Type.Number(),
					wholeMs: Type.Number(),
					fraction: Type.Number(),
				},
				{ additionalProperties: false },
			),
		),
		discountLabel: nullableText,
		taxPercentage: nullableNumber,
		amount: Type.Number(),
		discount: Type.Number(),
		tax: Type.Number(),
		total: Type.Number(),
		/** In order; `arithmetic` has numbers, + - * / ( ), round(x, digits) half up, ceil, floor, min and max. */
		steps: Type.Array(
			Type.Object(
				{ of: literals(...stepNames), text: Type.String(), arithmetic: Type.String(), value: Type.Number() },
				{ additionalProperties: false },
			),
		),
	},
	{ $id: "LineExplanation", additionalProperties: false },
);
export type LineExplanation = Static<typeof LineExplanation>;
