import type { Work } from "../../../kernel/work";
import { customersByIds } from "../../customers/operations";
import type { PackageEntitlementTerms } from "../../packages/entitlements/schema";
import { versionsByIds } from "../../packages/operations";
import { viewPhases } from "../../packages/rules.phases";
import type { PackageKind, PackagePublish } from "../../packages/schema";
import type { VersionRow } from "../../packages/table";
import { preparePublication } from "../../packages/versions/operations";
import { grantsOf, pricesOfBoth } from "../../packages/versions/operations.impact";
import { differences, isLoss } from "../../packages/versions/rules.impact";
import { customersLosingCountMax, customersLosingMax, type PublishImpact } from "../../packages/versions/schema.impact";
import { viewCommitments } from "../../pricing/commitments/rules.spend-commitment";
import { viewThresholds } from "../../pricing/rules.spend-thresholds";
import { viewTerm } from "../../pricing/rules.terms";
import { countBehind, selectHolders, selectVersionsBehind } from "./store";

/**
 * Returns the effect of publishing a draft, without publishing it: the differences of entitlements and prices to the
 * current version; with ALL_CUSTOMERS also the number of moved subscriptions and the customers that lose entitlements.
 * Throws the codes of the publication.
 */
export function impactOfPublication(
	work: Work,
	kind: PackageKind,
	refId: string,
	{ migrationType }: PackagePublish,
): PublishImpact {
	const { draft, former } = preparePublication(work, kind, refId);
	const grants = grantsOf(work, draft);
	const entitlements = differences(former ? grantsOf(work, former) : new Map(), grants);
	const charges = differences(...pricesOfBoth(work, former, draft));
	const moves = migrationType === "ALL_CUSTOMERS";
	return {
		entitlements: entitlements.flatMap(({ change, before, after }) => {
			const named = after ?? before;
			return named ? [{ id: named.id, type: named.type, change, before, after }] : [];
		}),
		charges: charges.map(({ change, before, after }) => ({
			isOverage: (after ?? before)?.isOverage ?? false,
			change,
			before: before?.terms ?? null,
			after: after?.terms ?? null,
		})),
		...phasesImpact(former, draft),
		...termChange(former, draft),
		...thresholdsChange(former, draft),
		...commitmentsChange(former, draft),
		subscriptionsCount: moves ? countBehind(work, draft) : 0,
		...(moves ? customersLosing(work, draft, grants) : { customersLosing: [], customersLosingCount: 0 }),
	};
}

function phasesImpact(former: VersionRow | undefined, draft: VersionRow): Pick<PublishImpact, "phases"> {
	const [before, after] = [former, draft].map((version) => viewPhases(version?.phases ?? []));
	return before && after && !Bun.deepEquals(before, after) ? { phases: { before, after } } : {};
}

function termChange(former: VersionRow | undefined, draft: VersionRow): Pick<PublishImpact, "term"> {
	const [before, after] = [former, draft].map((version) => (version?.term ? viewTerm(version.term) : null));
	if (before === undefined || after === undefined || Bun.deepEquals(before, after)) return {};
	return { term: { change: before ? (after ? "CHANGED" : "REMOVED") : "ADDED", before, after } };
}

/** Returns the change of the cost of usage that is invoiced at once, if there is one. */
function thresholdsChange(former: VersionRow | undefined, draft: VersionRow): Pick<PublishImpact, "spendThresholds"> {
	const [before, after] = [former, draft].map((version) => version?.spendThresholds ?? null);
	if (Bun.deepEquals(before, after)) return {};
	const change = before ? (after ? "CHANGED" : "REMOVED") : "ADDED";
	return {
		spendThresholds: {
			change,
			before: before ? viewThresholds(before) : null,
			after: after ? viewThresholds(after) : null,
		},
	};
}

/** Returns the change of the commitments, if there is one. */
function commitmentsChange(former: VersionRow | undefined, draft: VersionRow): Pick<PublishImpact, "commitments"> {
	const [before, after] = [former, draft].map((version) => version?.commitments ?? null);
	if (Bun.deepEquals(before, after)) return {};
	return {
		commitments: {
			change: before ? (after ? "CHANGED" : "REMOVED") : "ADDED",
			before: before ? viewCommitments(before) : null,
			after: after ? viewCommitments(after) : null,
		},
	};
}

/**
 * Compares the draft with the version that each customer has, which may be older than the current one. Only the package
 * counts, even if another subscription or addon grants the same.
 */
function customersLosing(
	work: Work,
	draft: VersionRow,
	grants: ReadonlyMap<string, PackageEntitlementTerms>,
): Pick<PublishImpact, "customersLosing" | "customersLosingCount"> {
	const losses = new Map<string, string[]>();
	for (const version of versionsByIds(work, selectVersionsBehind(work, draft)).values()) {
		const lost = [...grantsOf(work, version)].flatMap(([target, held]) =>
			isLoss(held, grants.get(target) ?? null) ? held.id : [],
		);
		if (lost.length > 0) losses.set(version.id, lost);
	}
	if (losses.size === 0) return { customersLosing: [], customersLosingCount: 0 };
	const byCustomer = Map.groupBy(
		selectHolders(work, draft, [...losses.keys()], customersLosingCountMax),
		({ customerId }) => customerId,
	);
	const first = [...byCustomer].sort(([one], [other]) => (one < other ? -1 : 1)).slice(0, customersLosingMax);
	const customers = customersByIds(
		work,
		first.map(([customerId]) => customerId),
	);
	return {
		customersLosing: first.map(([customerId, held]) => ({
			customerId: customers.get(customerId)?.refId ?? "",
			loses: [...new Set(held.flatMap(({ versionId }) => losses.get(versionId) ?? []))],
		})),
		customersLosingCount: Math.min(byCustomer.size, customersLosingCountMax),
	};
}
