import { type Static, Type } from "@sinclair/typebox";
import { CustomerRefId, literals, nullable } from "../../../kernel/schema";
import { stepNames } from "../../pricing/explain/steps";
import { rowModels } from "../../pricing/models/contract-rows";
import { LineItemDiscount, LineItemTax, lineOfCharge } from "../schema";

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

/** Our own: the calculation of an invoice line. */
export const LineExplanation = Type.Object(
	{
		invoiceId: Type.String(),
		invoiceNumber: Type.String(),
		line: Type.Integer(),
		description: Type.String(),
		currency: Type.String(),
		periodStart: nullableText,
		periodEnd: nullableText,
		/** Null if the line was not calculated from a price of a plan or an addon, or is older than the stored terms. */
		price: nullable(
			Type.Object(
				{
					packageId: nullableText,
					version: nullableNumber,
					/** The phase whose percentage has lowered the price. */
					phase: Type.Optional(
						Type.Object(
							{ id: Type.String(), percentOff: Type.Optional(Type.Number()) },
							{ additionalProperties: false },
						),
					),
					/** The percentage by which renewals of the term have increased the price. */
					upliftPercentage: Type.Optional(Type.Number()),
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
		/** A contract's line: the pricing of its item. The cycle is the period of the line. */
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
		/**
		 * Usage-based lines: the totals of the window. For a contract, `billedBefore` is in priced units. `included` is null without a
		 * limit.
		 */
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
		/** The charged or credited part of the period, with its start and end. */
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
		...lineOfCharge,
		discountLabel: nullableText,
		taxPercentage: nullableNumber,
		/** Present if the line has taxes. */
		taxes: Type.Optional(Type.Array(LineItemTax)),
		/** Present if several coupons can apply. */
		discounts: Type.Optional(Type.Array(LineItemDiscount)),
		amount: Type.Number(),
		discount: Type.Number(),
		tax: Type.Number(),
		total: Type.Number(),
		/** The steps in order. `arithmetic` has numbers, + - * / ( ), round(x, digits) half up, ceil, floor, min and max. */
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
