import type { Work } from "../../kernel/work";
import { currenciesByIds } from "../currencies/operations";
import { featuresByIds } from "../features/operations";
import { productsByIds } from "../products/operations";
import { entitlementsOfVersions, packagesByIds } from "./operations";
import type { EntitlementRef } from "./schema";
import type { ChargeRow, PackageEntitlementRow, VersionRow } from "./table";

/** Maps row ids of features and currencies to the caller's ids. */
export type Refs = ReadonlyMap<string, string>;

function refsOf(work: Work, featureIds: readonly (string | null)[], currencyIds: readonly (string | null)[]): Refs {
	const given = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))];
	const features = featuresByIds(work, given(featureIds));
	const currencies = currenciesByIds(work, given(currencyIds));
	return new Map([...features.values(), ...currencies.values()].map(({ id, refId }) => [id, refId]));
}

export const refsOfEntitlements = (work: Work, rows: readonly PackageEntitlementRow[]): Refs =>
	refsOf(
		work,
		rows.flatMap(({ featureId, dependencyFeatureId }) => [featureId, dependencyFeatureId]),
		rows.map(({ currencyId }) => currencyId),
	);

export const refsOfCharges = (work: Work, rows: readonly ChargeRow[]): Refs =>
	refsOf(
		work,
		rows.map(({ featureId }) => featureId),
		rows.flatMap(({ overageCurrencyId, topUpCurrencyId, creditCurrencyId }) => [
			overageCurrencyId,
			topUpCurrencyId,
			creditCurrencyId,
		]),
	);

/** The parts of a plan or an addon that are not columns of its version. */
export interface VersionDetails {
	readonly productRef: string;
	readonly parentRef: string | null;
	readonly entitlements: EntitlementRef[];
}

/** Reads a whole page in five queries, for any number of versions. */
export function detailsOfVersions(
	work: Work,
	versions: readonly VersionRow[],
): (version: VersionRow) => VersionDetails {
	const products = productsByIds(work, [...new Set(versions.map(({ productId }) => productId))]);
	const parents = packagesByIds(
		work,
		versions.flatMap(({ parentId }) => parentId ?? []),
	);
	const entitlements = entitlementsOfVersions(
		work,
		versions.map(({ id }) => id),
	);
	const refs = refsOfEntitlements(work, [...entitlements.values()].flat());
	return ({ id, productId, parentId }) => ({
		productRef: products.get(productId)?.refId ?? "",
		parentRef: parentId === null ? null : (parents.get(parentId)?.refId ?? null),
		entitlements: (entitlements.get(id) ?? []).map(({ type, featureId, currencyId }) => ({
			id: refs.get(featureId ?? currencyId ?? "") ?? "",
			type,
		})),
	});
}
