import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { entitlementsOfVersions, inheritedEntitlementsOf, versionsByIds } from "../../packages/operations";
import type { VersionRow } from "../../packages/table";
import type { SubscriptionRow } from "../table";
import { selectAddons, selectEntitlements, selectQuantities } from "../terms/store";
import { saleOf } from "../terms/subscription-sale";
import { boughtCredits, type EntitledPackage, entitledCredits, type RecurringCredits } from "./rules";

/** Returns the credits that a subscription grants each period, by its entitlements and purchased units. */
export function recurringCreditsOf(work: Work, row: SubscriptionRow): RecurringCredits[] {
	const addons = selectAddons(work, [row.id]);
	const quantities = selectQuantities(work, [row.id]);
	const versionIds = [row.versionId, ...addons.map(({ versionId }) => versionId)];
	const versions = versionsByIds(work, versionIds);
	const entitlements = entitlementsOfVersions(work, versionIds);
	const held = (version: VersionRow | undefined, quantity: number): EntitledPackage => {
		assert(version, "a subscription's versions exist");
		const { refId, displayName } = version;
		const inherited = version.parentId === null ? [] : inheritedEntitlementsOf(work, version);
		return { refId, displayName, quantity, entitlements: [...(entitlements.get(version.id) ?? []), ...inherited] };
	};
	const entitled = entitledCredits({
		plan: held(versions.get(row.versionId), 1),
		addons: addons.map(({ versionId, quantity }) => held(versions.get(versionId), quantity)),
		quantities,
		own: selectEntitlements(work, [row.id]),
	});
	if (quantities.every(({ currencyId }) => currencyId === null)) return entitled;
	const { prices, purchased, billingPeriod } = saleOf(work, row);
	return [...entitled, ...boughtCredits(prices, purchased, billingPeriod)];
}
