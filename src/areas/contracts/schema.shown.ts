import { type Static, Type } from "@sinclair/typebox";
import { Money, nullable } from "../../kernel/schema";
import { LatestInvoice } from "../invoices/schema.latest-invoice";
import { Problem } from "../subscriptions/schema.problem";
import { ContractState } from "./schema";

export const Contract = Type.Object(
	{
		id: nullable(Type.String()),
		contractId: Type.String(),
		externalId: Type.String(),
		refId: nullable(Type.String()),
		customerExternalId: nullable(Type.String()),
		name: nullable(Type.String()),
		poNumber: nullable(Type.String()),
		state: ContractState,
		billingState: nullable(ContractState),
		billingId: nullable(Type.String()),
		activationStartDate: nullable(Type.String()),
		activationEndDate: nullable(Type.String()),
		createdAt: nullable(Type.String()),
		latestInvoice: nullable(LatestInvoice),
		nextInvoice: nullable(
			Type.Object({
				amount: Money,
				dueDate: nullable(Type.String()),
				periodStart: nullable(Type.String()),
				periodEnd: nullable(Type.String()),
			}),
		),
		subscriptions: Type.Array(
			Type.Object({
				subscriptionId: Type.String(),
				planDisplayName: nullable(Type.String()),
				productDisplayName: nullable(Type.String()),
			}),
		),
		/** An addition to the reference service's schema, absent if the contract ends with its term. */
		renewal: Type.Optional(
			Type.Object({ months: Type.Integer(), noticePeriodDays: Type.Integer(), upliftPercentage: Type.Number() }),
		),
		/**
		 * An addition to the reference service's schema, present only after a due step failed: the reason and the next
		 * attempt.
		 */
		problem: Type.Optional(Problem),
	},
	{ $id: "Contract" },
);
export type Contract = Static<typeof Contract>;

const figures = { subTotal: Type.Number(), discount: Type.Number(), tax: Type.Number(), total: Type.Number() };

/** The totals of a contract, in major units. A term on which lines differ is null (docs/interface/contracts.md). */
export const ContractTotals = Type.Object(
	{
		contractId: Type.String(),
		externalId: Type.String(),
		subTotal: Type.Number(),
		totalDiscount: Type.Number(),
		totalTax: Type.Number(),
		total: Type.Number(),
		items: Type.Array(Type.Object({ itemId: Type.String(), name: Type.String(), ...figures })),
		currency: Type.String(),
		activationStartDate: nullable(Type.String()),
		activationEndDate: nullable(Type.String()),
		netTerms: nullable(Type.Integer()),
		legalEntityId: Type.String(),
		paymentAccountId: Type.String(),
	},
	{ $id: "ContractTotals" },
);
export type ContractTotals = Static<typeof ContractTotals>;

export const PricingModelView = Type.Object(
	{
		id: Type.String(),
		name: Type.String(),
		categoryName: Type.String(),
		isPayAsYouGo: Type.Boolean(),
		editableInputs: Type.Array(Type.String()),
	},
	{ $id: "PricingModel" },
);

export const LegalEntity = Type.Object(
	{
		id: Type.String(),
		name: Type.String(),
		isDefault: Type.Boolean(),
		paymentAccounts: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), isDefault: Type.Boolean() })),
	},
	{ $id: "LegalEntity" },
);
export type LegalEntity = Static<typeof LegalEntity>;
