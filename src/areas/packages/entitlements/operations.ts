import { assert, fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { currenciesByIds, currenciesByRefs } from "../../currencies/operations";
import { featuresByIds, featuresByRefs, findFeature, getFeature, markFeaturesUsed } from "../../features/operations";
import { assertFeatureUsable } from "../../features/rules";
import type { FeatureRow } from "../../features/table";
import { entitlementsOf, getPackage, getShownVersion } from "../operations";
import { openDraft } from "../operations.drafts";
import { kindName } from "../rules";
import type { PackageKind } from "../schema";
import { findDraft, touchVersion } from "../store";
import type { PackageEntitlementRow, PackageRow } from "../table";
import {
	assertBehaviorFits,
	assertDependencyFits,
	assertTermsFit,
	creditEntitlementChanges,
	creditEntitlementOf,
	featureEntitlementChanges,
	featureEntitlementOf,
} from "./rules";
import type { PackageEntitlementsCreate, PackageEntitlementUpdate } from "./schema";
import { deleteEntitlement, insertEntitlement, type NewEntitlement, saveEntitlement } from "./store";

/**
 * Endpoint 3: creates all entitlements on the draft, or none. Returns them in the order of the input. Throws PlanNotFound,
 * FeatureNotFound, CustomCurrencyNotFound, then EditAllowedOnDraftPackageOnlyError and the errors of the rules. Throws
 * DuplicatedEntityNotAllowed if the batch or the draft names one twice.
 */
export function createEntitlements(
	work: Work,
	kind: PackageKind,
	refId: string,
	{ entitlements }: PackageEntitlementsCreate,
): PackageEntitlementRow[] {
	const owner = getPackage(work, kind, refId);
	const lookedUp = lookUp(work, entitlements);
	const draft = openDraft(work, owner, "entitle");
	const taken = new Set(entitlementsOf(work, draft.id).map(targetOf));
	const rows = entitlements.map((input, at) => {
		const where = `entitlements[${at}] ('${input.id}')`;
		const row = draftEntitlement(where, kind, input, lookedUp);
		if (taken.has(targetOf(row)))
			throw fail(
				"DuplicatedEntityNotAllowed",
				`${where}: the ${kindName[kind]} '${refId}' entitles this already; update that entitlement instead.`,
			);
		taken.add(targetOf(row));
		return row;
	});
	markFeaturesUsed(
		work,
		rows.flatMap(({ featureId, dependencyFeatureId }) => featureId ?? dependencyFeatureId ?? []),
	);
	touchVersion(work, draft.id);
	return rows.map((row) => insertEntitlement(work, draft.id, row));
}

const targetOf = ({ featureId, currencyId }: NewEntitlement): string => featureId ?? `${currencyId}`;

type EntitlementInput = PackageEntitlementsCreate["entitlements"][number];

const lookUp = (work: Work, entitlements: readonly EntitlementInput[]) => ({
	features: featuresByRefs(
		work,
		entitlements.flatMap((input) => (input.type === "FEATURE" ? input.id : (input.dependencyFeatureId ?? []))),
	),
	currencies: currenciesByRefs(
		work,
		entitlements.flatMap((input) => (input.type === "CREDIT" ? input.id : [])),
	),
});

function draftEntitlement(
	where: string,
	kind: PackageKind,
	input: EntitlementInput,
	{ features, currencies }: ReturnType<typeof lookUp>,
): NewEntitlement {
	assertBehaviorFits(where, kind, input.behavior);
	if (input.type === "CREDIT") {
		const currency = currencies.get(input.id);
		assert(currency, "the currency was looked up");
		const dependency = input.dependencyFeatureId === undefined ? undefined : features.get(input.dependencyFeatureId);
		if (dependency) assertDependency(where, dependency);
		return creditEntitlementOf(currency.id, dependency?.id ?? null, input);
	}
	const feature = features.get(input.id);
	assert(feature, "the feature was looked up");
	assertFeatureUsable(feature);
	assertTermsFit(where, feature, input);
	return featureEntitlementOf(feature, input);
}

function assertDependency(where: string, feature: FeatureRow): void {
	assertFeatureUsable(feature);
	assertDependencyFits(where, feature);
}

/** Changes the sent fields. `id` is the id of the feature or the currency. The type cannot change. */
export function updateEntitlement(
	work: Work,
	kind: PackageKind,
	refId: string,
	id: string,
	patch: PackageEntitlementUpdate,
): PackageEntitlementRow {
	const owner = getPackage(work, kind, refId);
	const where = `entitlement '${id}'`;
	const dependency =
		patch.type === "CREDIT" && patch.dependencyFeatureId ? getFeature(work, patch.dependencyFeatureId) : null;
	const { draft, entitlement } = findOnDraft(work, owner, id, patch.type);
	assertBehaviorFits(where, kind, patch.behavior);
	touchVersion(work, draft.id);
	if (patch.type === "CREDIT") {
		if (dependency) {
			assertDependency(where, dependency);
			markFeaturesUsed(work, [dependency.id]);
		}
		const dependencyId = patch.dependencyFeatureId === undefined ? undefined : (dependency?.id ?? null);
		return saveEntitlement(work, entitlement, creditEntitlementChanges(dependencyId, patch));
	}
	assert(entitlement.featureId, "a feature entitlement has a feature");
	const feature = featuresByIds(work, [entitlement.featureId]).get(entitlement.featureId);
	assert(feature, "an entitlement's feature exists");
	assertTermsFit(where, feature, patch);
	return saveEntitlement(work, entitlement, featureEntitlementChanges(entitlement, patch));
}

/** Removes one entitlement from the draft and returns it. If a feature and a currency share the id, removes the feature's. */
export function removeEntitlement(work: Work, kind: PackageKind, refId: string, id: string): PackageEntitlementRow {
	const { draft, entitlement } = findOnDraft(work, getPackage(work, kind, refId), id, undefined);
	deleteEntitlement(work, entitlement);
	touchVersion(work, draft.id);
	return entitlement;
}

/**
 * Returns the draft's entitlement. Throws 404, before any rule, if neither the draft nor the published version has it. Throws
 * another error if only the published version has it, because that cannot be edited.
 */
function findOnDraft(work: Work, owner: PackageRow, id: string, type: "FEATURE" | "CREDIT" | undefined) {
	const edited = findDraft(work, owner.id) ?? getShownVersion(work, owner.kind, owner.refId);
	const entitlement = findByRef(work, entitlementsOf(work, edited.id), id, type);
	if (!entitlement) throw notEntitled(owner, id, type);
	return { draft: openDraft(work, owner, "entitle"), entitlement };
}

/** Returns the entitlement whose feature or currency has this id of the caller. */
function findByRef(
	work: Work,
	rows: readonly PackageEntitlementRow[],
	id: string,
	type: "FEATURE" | "CREDIT" | undefined,
): PackageEntitlementRow | undefined {
	const featureId = type === "CREDIT" ? undefined : findFeature(work, id)?.id;
	const ofFeature = featureId && rows.find((row) => row.featureId === featureId);
	if (ofFeature || type === "FEATURE") return ofFeature || undefined;
	// Looks up by the rows' own currencies, because an entitlement can refer to an archived currency.
	const currencies = currenciesByIds(
		work,
		rows.flatMap(({ currencyId }) => currencyId ?? []),
	);
	return rows.find(({ currencyId }) => currencyId !== null && currencies.get(currencyId)?.refId === id);
}

const notEntitled = ({ kind, refId }: PackageRow, id: string, type: "FEATURE" | "CREDIT" | undefined) =>
	fail(
		type === "CREDIT" ? "CustomCurrencyNotFound" : "FeatureNotFound",
		`The ${kindName[kind]} '${refId}' has no ${type ? `${type} ` : ""}entitlement '${id}'.`,
	);
