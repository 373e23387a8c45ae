import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { recordAgreedPrices } from "../../packages/operations.agreed-prices";
import { type Changes, changeSubscription, insertSubscription, type NewSubscription } from "../store";
import type { SubscriptionRow } from "../table";
import type { Sale } from "./sale";
import { insertAddons, insertQuantities, replaceAddons, replaceQuantities } from "./store";

/** Creates a subscription for a sale. `terms` are the columns that the sale does not decide. */
export function insertSale(
	work: Work,
	sale: Sale,
	terms: Omit<NewSubscription, keyof ReturnType<typeof soldColumns>>,
): SubscriptionRow {
	recordAgreedPrices(work, ownPricesOf(sale));
	const inserted = insertSubscription(work, { ...terms, ...soldColumns(sale) });
	insertAddons(work, inserted.id, addonsOf(sale));
	insertQuantities(work, inserted.id, sale.purchased);
	return inserted;
}

/** Changes a subscription to a sale: its version, prices, addons and units. `changes` are further columns to write. */
export function applySale(work: Work, { id }: SubscriptionRow, sale: Sale, changes: Changes = {}): SubscriptionRow {
	recordAgreedPrices(work, ownPricesOf(sale));
	replaceAddons(work, id, addonsOf(sale));
	replaceQuantities(work, id, sale.purchased);
	return changeSubscription(work, { id }, { ...soldColumns(sale), ...changes });
}

/** The columns of a subscription that its sale decides. */
function soldColumns({ product, plan, billingPeriod, billingCountryCode, billingCurrency }: Sale) {
	assert(plan.pricingType, "a published plan has a pricing type");
	return {
		productId: product.id,
		planId: plan.packageId,
		versionId: plan.id,
		pricingType: plan.pricingType,
		billingPeriod,
		billingCountryCode,
		billingCurrency,
	};
}

/** Returns the subscription's own prices, which no plan or addon has. */
export const ownPricesOf = ({ prices }: Pick<Sale, "prices">) =>
	prices.flatMap(({ charge, isOwn }) => (isOwn ? [charge] : []));

const addonsOf = ({ addons }: Sale) =>
	addons.map(({ version, quantity }) => ({ addonId: version.packageId, versionId: version.id, quantity }));
