import { toIso, toIsoOrNull } from "../../kernel/clock";
import type { Work } from "../../kernel/work";
import type { EntitlementPart } from "../entitlement-sources/schema.explanation";
import { packagesByIds, versionsByIds } from "../packages/operations";
import type { SubscriptionRow } from "../subscriptions/table";

/** A subscription as a source of access. */
export const subscriptionOf = ({ refId, status, startAt, effectiveEndAt }: SubscriptionRow) => ({
	kind: status === "IN_TRIAL" ? ("TRIAL" as const) : ("SUBSCRIPTION" as const),
	id: refId,
	startDate: toIso(startAt),
	endDate: toIsoOrNull(effectiveEndAt),
});

/** Returns the name of the plan or addon of a version, and its part in the subscription. */
export type NamePackage = (
	versionId: string,
	subscription: SubscriptionRow,
) => Pick<EntitlementPart, "kind" | "id" | "version">;

export function packageNames(work: Work, versionIds: readonly string[]): NamePackage {
	const versions = versionsByIds(work, [...new Set(versionIds)]);
	const packages = packagesByIds(work, [...new Set([...versions.values()].map(({ packageId }) => packageId))]);
	return (versionId, subscription) => {
		const version = versions.get(versionId);
		const found = version && packages.get(version.packageId);
		const isOwn = versionId === subscription.versionId;
		return {
			kind: found?.kind === "ADDON" ? "ADDON" : isOwn ? "PLAN" : "BASE_PLAN",
			id: found?.refId ?? versionId,
			version: version?.versionNumber ?? null,
		};
	};
}
