import { toIso, toIsoOrNull } from "../../kernel/clock";
import { toWire } from "../../kernel/decimal";
import { viewLatestInvoice } from "../invoices/schema.latest-invoice";
import type { Issuer } from "../legal-entities/operations";
import { viewProblem } from "../subscriptions/schema.problem";
import type { PlannedInvoice } from "./billing/rules.schedule";
import type { ContractSurroundings } from "./operations";
import type { BilledContract } from "./operations.billing";
import type { PricingModel } from "./rules.models";
import type { Contract, ContractTotals, LegalEntity } from "./schema.shown";
import type { StatedContract } from "./store";

/** Tollgate is its own billing provider, so a contract's billing id is its row id. */
export const viewContract = (
	contract: StatedContract,
	{ customerRefId, subscriptions, latestInvoice, amountDue, nextInvoice }: ContractSurroundings,
): Contract => ({
	id: contract.id,
	contractId: contract.refId,
	externalId: contract.refId,
	refId: contract.refId,
	customerExternalId: customerRefId,
	name: contract.name,
	poNumber: contract.poNumber,
	state: contract.state,
	billingState: contract.billingState,
	billingId: contract.billingState === null ? null : contract.id,
	activationStartDate: toIsoOrNull(contract.activationStartAt),
	activationEndDate: toIsoOrNull(contract.activationEndAt),
	createdAt: toIso(contract.createdAt),
	latestInvoice: latestInvoice ? viewLatestInvoice(latestInvoice, amountDue) : null,
	nextInvoice: nextInvoice ? viewNextInvoice(nextInvoice) : null,
	subscriptions: subscriptions.map(({ refId, planDisplayName, productDisplayName }) => ({
		subscriptionId: refId,
		planDisplayName,
		productDisplayName,
	})),
	...(contract.renewal && {
		renewal: { ...contract.renewal, upliftPercentage: toWire(contract.renewal.upliftPercentage) },
	}),
	...(contract.problem && { problem: viewProblem(contract.problem) }),
});

const viewNextInvoice = ({ total, currency, payableAt, period }: PlannedInvoice) => ({
	amount: { amount: toWire(total), currency },
	dueDate: toIso(payableAt),
	periodStart: toIso(period.start),
	periodEnd: toIso(period.end),
});

export const viewTotals = ({ contract, totals }: BilledContract): ContractTotals => ({
	contractId: contract.refId,
	externalId: contract.refId,
	subTotal: toWire(totals.subTotal),
	totalDiscount: toWire(totals.discount),
	totalTax: toWire(totals.tax),
	total: toWire(totals.total),
	items: totals.items.map(({ itemId, name, subTotal, discount, tax, total }) => ({
		itemId,
		name,
		subTotal: toWire(subTotal),
		discount: toWire(discount),
		tax: toWire(tax),
		total: toWire(total),
	})),
	currency: totals.currency,
	activationStartDate: toIsoOrNull(totals.activationStartAt),
	activationEndDate: toIsoOrNull(totals.activationEndAt),
	netTerms: totals.netTerms,
	legalEntityId: totals.legalEntityId,
	paymentAccountId: totals.paymentAccountId,
});

export const viewPricingModel = ({ id, name, categoryName, isPayAsYouGo, editableInputs }: PricingModel) => ({
	id,
	name,
	categoryName,
	isPayAsYouGo,
	editableInputs: [...editableInputs],
});

export const viewLegalEntity = ({ entity, accounts }: Issuer): LegalEntity => ({
	id: entity.id,
	name: entity.name,
	isDefault: entity.isDefault,
	paymentAccounts: accounts.map(({ id, name, isDefault }) => ({ id, name, isDefault })),
});
