import { toIso } from "../../kernel/clock";
import { toWire, toWireOrNull } from "../../kernel/decimal";
import type { Money } from "../../kernel/money";
import { viewBillingPeriod } from "../pricing/rules.billing-period";
import { viewPriceTerms } from "./charges/rules.price-terms";
import type { Charge } from "./charges/schema";
import type { PackageEntitlement } from "./entitlements/schema";
import type { Refs } from "./operations.details";
import type { ChargeRow, PackageEntitlementRow } from "./table";

const viewAmount = (amount: Money | null) => amount && { amount: toWire(amount.amount), currency: amount.currency };
const refOrNull = (refs: Refs, id: string | null): string | null => (id === null ? null : (refs.get(id) ?? null));

/** Returns a charge as the API shows it. `used` contains the row ids of charges that bill running subscriptions. */
export const viewCharge =
	(refs: Refs, used: ReadonlySet<string>) =>
	(row: ChargeRow): Charge => ({
		id: row.id,
		billingModel: row.billingModel,
		billingCadence: row.billingCadence,
		...viewBillingPeriod(row.billingPeriod),
		billingCountryCode: row.billingCountryCode,
		featureId: refOrNull(refs, row.featureId),
		price: viewAmount(row.price),
		tiersMode: row.tiersMode,
		tiers:
			row.tiers?.map(({ upTo, unitPrice, flatPrice }) => ({
				upTo: toWireOrNull(upTo),
				unitPrice: viewAmount(unitPrice),
				flatPrice: viewAmount(flatPrice),
			})) ?? null,
		blockSize: toWireOrNull(row.blockSize),
		minUnitQuantity: row.minUnitQuantity,
		maxUnitQuantity: row.maxUnitQuantity,
		creditRate:
			row.creditAmount === null || row.creditCurrencyId === null
				? null
				: {
						amount: toWire(row.creditAmount),
						currencyId: refs.get(row.creditCurrencyId) ?? "",
						costFormula: row.creditCostFormula,
					},
		creditGrantCadence: row.creditGrantCadence,
		topUpCustomCurrencyId: refOrNull(refs, row.topUpCurrencyId),
		...(row.prorationMode && { prorationMode: row.prorationMode }),
		...(!row.refundsUnusedTime && { refundsUnusedTime: false }),
		...(row.paymentTime && { paymentTime: row.paymentTime }),
		...(row.key !== null && { key: row.key }),
		...viewPriceTerms(row.priceTerms),
		...(row.taxes && { taxes: row.taxes }),
		// No integration assigns these to a single price.
		billingId: null,
		crmId: null,
		crmLinkUrl: null,
		usedInSubscriptions: used.has(row.id),
		createdAt: toIso(row.createdAt),
	});

export const viewEntitlement =
	(refs: Refs) =>
	(row: PackageEntitlementRow): PackageEntitlement => {
		const shown = {
			id: refs.get(row.featureId ?? row.currencyId ?? "") ?? "",
			description: row.description,
			displayNameOverride: row.displayNameOverride,
			isGranted: row.isGranted,
			isCustom: row.isCustom,
			order: row.displayOrder,
			hiddenFromWidgets: row.hiddenFromWidgets,
			behavior: row.behavior,
			hasSoftLimit: row.hasSoftLimit,
			createdAt: toIso(row.createdAt),
			updatedAt: toIso(row.updatedAt),
		};
		if (row.type === "CREDIT")
			return {
				type: "CREDIT",
				...shown,
				amount: toWireOrNull(row.amount),
				cadence: row.cadence,
				dependencyFeatureId: refOrNull(refs, row.dependencyFeatureId),
			};
		return {
			type: "FEATURE",
			...shown,
			usageLimit: toWireOrNull(row.usageLimit),
			hasUnlimitedUsage: row.hasUnlimitedUsage,
			enumValues: row.enumValues,
			resetPeriod: row.resetPeriod,
			resetPeriodConfiguration: row.resetAnchor && { accordingTo: row.resetAnchor },
		};
	};
