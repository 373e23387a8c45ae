import { toWire, toWireOrNull } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { writeEvent } from "../outbox/operations";
import { viewBillingPeriod } from "../pricing/rules.billing-period";
import { productsByIds } from "../products/operations";
import { chargesOf, entitlementsOf } from "./operations";
import { refsOfCharges, refsOfEntitlements } from "./operations.details";
import type { VersionRow } from "./table";

const types = {
	PLAN: { created: "plan.created", published: "plan.published", archived: "plan.archived" },
	ADDON: { created: "addon.created", published: "addon.published", archived: "addon.archived" },
} as const;

/** Emits a change of a plan or an addon, with the version that it concerns. */
export function emitPackageEvent(work: Work, what: keyof (typeof types)["PLAN"], version: VersionRow): void {
	const entitlements = entitlementsOf(work, version.id);
	const charges = chargesOf(work, version.id);
	const refs = new Map([...refsOfEntitlements(work, entitlements), ...refsOfCharges(work, charges)]);
	const product = productsByIds(work, [version.productId]).get(version.productId);
	writeEvent(work, types[version.kind][what], version.packageId, {
		id: version.refId,
		entityId: version.packageId,
		name: version.displayName,
		description: version.description,
		productId: product?.refId ?? "",
		status: version.status,
		isLatest: version.isLatest,
		version: version.versionNumber,
		pricingType: version.pricingType,
		packageEntitlements: entitlements.map(({ type, featureId, currencyId, usageLimit, hasUnlimitedUsage, amount }) => ({
			id: refs.get(featureId ?? currencyId ?? "") ?? "",
			type,
			usageLimit: toWireOrNull(usageLimit),
			hasUnlimitedUsage: hasUnlimitedUsage ?? false,
			amount: toWireOrNull(amount),
		})),
		prices: charges.map(({ id, billingModel, billingPeriod, featureId, price }) => ({
			id,
			billingModel,
			...viewBillingPeriod(billingPeriod),
			featureId: featureId === null ? null : (refs.get(featureId) ?? null),
			price: price && { amount: toWire(price.amount), currency: price.currency },
		})),
		metadata: version.metadata,
	});
}
