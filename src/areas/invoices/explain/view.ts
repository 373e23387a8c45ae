import { toIsoOrNull } from "../../../kernel/clock";
import { type Decimal, toWire, toWireOrNull } from "../../../kernel/decimal";
import type { ContractItemBasis, LineBasis, PricedBy } from "../../pricing/basis";
import { explainLine } from "../../pricing/explain/explain";
import { discountName } from "../rules";
import type { InvoiceLineRow, InvoiceRow } from "../table";
import { viewDiscounts, viewLineOfCharge, viewTaxes } from "../view";
import type { LineExplanation } from "./schema";

export const viewExplanation = (invoice: InvoiceRow, line: InvoiceLineRow): LineExplanation => ({
	invoiceId: invoice.id,
	invoiceNumber: invoice.number,
	line: line.position + 1,
	description: line.description,
	currency: invoice.currency,
	periodStart: toIsoOrNull(line.periodStart),
	periodEnd: toIsoOrNull(line.periodEnd),
	price: line.basis && priceOf(line.basis),
	contractItem: line.basis?.contractItem ? contractItemOf(line.basis.contractItem) : null,
	usage: line.basis && usageOf(line, line.basis),
	proration: line.basis && prorationOf(line, line.basis),
	...viewLineOfCharge(line),
	discountLabel: discountName(invoice),
	taxPercentage: toWireOrNull(line.taxPercentage),
	...(line.taxes && { taxes: viewTaxes(line.taxes) }),
	...(line.discounts && { discounts: viewDiscounts(line.discounts) }),
	amount: toWire(line.amount),
	discount: toWire(line.discount),
	tax: toWire(line.tax),
	total: toWire(line.total),
	steps: explainLine(line, line.basis, invoice.currency).map((step) => ({ ...step, value: toWire(step.value) })),
});

function priceOf({ charge, pricedBy }: LineBasis): LineExplanation["price"] {
	if (!charge) return null;
	const { billingModel, isOverage = false, price, blockSize, tiersMode, tiers } = charge;
	const amountOf = (money: { readonly amount: Decimal } | null) => toWireOrNull(money?.amount ?? null);
	return {
		packageId: pricedBy?.packageRefId ?? null,
		version: pricedBy?.version ?? null,
		...(pricedBy?.phase && { phase: viewPhase(pricedBy.phase) }),
		...(pricedBy?.uplift !== undefined && { upliftPercentage: toWire(pricedBy.uplift) }),
		billingModel,
		isOverage,
		price: amountOf(price),
		blockSize: toWireOrNull(blockSize),
		tiersMode,
		tiers: (tiers ?? []).map(({ upTo, unitPrice, flatPrice }) => ({
			upTo: toWireOrNull(upTo),
			unitPrice: amountOf(unitPrice),
			flatPrice: amountOf(flatPrice),
		})),
	};
}

const viewPhase = ({ id, percentOff }: NonNullable<PricedBy["phase"]>) => ({
	id,
	...(percentOff !== undefined && { percentOff: toWire(percentOff) }),
});

const contractItemOf = ({
	itemId,
	model,
	isPayAsYouGo,
	rows,
}: ContractItemBasis): NonNullable<LineExplanation["contractItem"]> => ({
	itemId,
	pricingModel: model,
	isPayAsYouGo,
	rows: rows.map(({ quantity, price, from, to, packageSize }) => ({
		quantity: toWireOrNull(quantity),
		price: toWireOrNull(price),
		from: toWireOrNull(from),
		to: toWireOrNull(to),
		packageSize: toWireOrNull(packageSize),
	})),
});

function usageOf({ featureRefId }: InvoiceLineRow, basis: LineBasis): LineExplanation["usage"] {
	if (basis.charge?.billingModel !== "USAGE_BASED" && !basis.contractItem?.isPayAsYouGo) return null;
	const { limit, unitTransformation } = basis;
	const { quantity, billed } = shownUsageOf(basis);
	return {
		featureId: featureRefId,
		used: toWire(quantity),
		billedBefore: billed === undefined ? 0 : toWire(billed),
		included: toWireOrNull(limit ?? null),
		unitTransformation: unitTransformation
			? { divide: toWire(unitTransformation.divide), round: unitTransformation.round }
			: null,
	};
}

/** Levels over time and windows of a commitment are charged by their cost, and shown by their average or their units. */
function shownUsageOf({ quantity, billed, levels, commitment }: LineBasis) {
	if (levels) return { quantity: levels.average, billed: levels.billed };
	return commitment ? { quantity: commitment.units, billed: commitment.billed } : { quantity, billed };
}

function prorationOf({ periodStart, periodEnd }: InvoiceLineRow, { share }: LineBasis): LineExplanation["proration"] {
	if (!share) return null;
	const { partMs, wholeMs } = share;
	return { from: toIsoOrNull(periodStart), to: toIsoOrNull(periodEnd), partMs, wholeMs, fraction: partMs / wholeMs };
}
