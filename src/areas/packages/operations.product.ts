import { fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import type { ProductSettings } from "../products/schema";
import type { ProductRow } from "../products/table";
import { copyCharges } from "./charges/store";
import { copyEntitlements } from "./entitlements/store";
import { emitPackageEvent } from "./events";
import { getVersionById, packagesByRefs } from "./operations";
import { kindName } from "./rules";
import type { PackageKind } from "./schema";
import { insertDraft, insertPackage, saveVersion, selectVersionsOfProduct, type VersionTerms } from "./store";
import type { VersionRow } from "./table";
import { termsOf } from "./versions/operations";

/** The maximum number of packages that an error message names. */
const namedMax = 10;

/** Source: docs/interface/README.md#the-eight-endpoints. */
const refLengthMax = 255;

/** The plans that a product's settings name must exist and be its own. Throws PlanNotFound. */
export function assertStartAndFallbackPlans(
	work: Work,
	product: { readonly id: string; readonly refId: string },
	settings: ProductSettings | undefined,
): void {
	const refs = [settings?.subscriptionStartPlanId, settings?.downgradePlanId].filter((ref) => ref != null);
	const found = packagesByRefs(work, "PLAN", refs);
	const missing = refs.find((ref) => found.get(ref)?.productId !== product.id);
	if (missing !== undefined)
		throw fail(
			"PlanNotFound",
			`Product '${product.refId}' has no plan '${missing}' for its settings to name; create it first.`,
		);
}

/**
 * Ends the sale of all that a product has. What was never published stays a draft, which can be published once the product
 * is unarchived; an open draft of a published package would be lost for good, so it is refused: CannotArchiveProductError.
 */
export function archivePackagesOf(work: Work, product: ProductRow): void {
	const versions = selectVersionsOfProduct(work, product.id);
	const published = new Map(versions.filter((one) => one.status === "PUBLISHED").map((one) => [one.packageId, one]));
	const open = versions.filter(({ status, packageId }) => status === "DRAFT" && published.has(packageId));
	if (open.length > 0)
		throw fail(
			"CannotArchiveProductError",
			`Product '${product.refId}' cannot be archived while ${listed(open)} ${open.length === 1 ? "has an open draft" : "have open drafts"}; publish or remove it first.`,
		);
	for (const version of published.values()) {
		saveVersion(work, version.id, { status: "ARCHIVED" });
		emitPackageEvent(work, "archived", { ...version, status: "ARCHIVED" });
	}
}

const listed = (versions: readonly VersionRow[]): string =>
	versions
		.slice(0, namedMax)
		.map(({ kind, refId }) => `the ${kindName[kind]} '${refId}'`)
		.join(", ") + (versions.length > namedMax ? ` and ${versions.length - namedMax} more` : "");

/**
 * Copies a product's plans and addons with charges and entitlements: their published versions and their drafts. Leaves
 * out archived packages, and references to them. Our choice (docs/interface/catalogue.md#products): the id of a copy is
 * `<id of the new product>-<id of the original>`. References to a package of the product refer to its copy. Returns the
 * ids of the plans, former → new. Throws DuplicateProductValidationError for an id that is too long, and
 * DuplicatedEntityNotAllowed for an id that exists.
 */
export function copyPackages(work: Work, from: ProductRow, to: ProductRow): Map<string, string> {
	const versions = selectVersionsOfProduct(work, from.id).filter(({ status }) => status !== "ARCHIVED");
	const byPackage = [...Map.groupBy(versions, ({ packageId }) => packageId).values()];
	const owners = byPackage.flatMap(([first]) => first ?? []);
	const refs = { PLAN: newRefs(work, "PLAN", owners, to), ADDON: newRefs(work, "ADDON", owners, to) };
	// Creates all packages first, because a plan may be based on a younger one.
	const ids = new Map(
		owners.map(({ packageId, kind, refId }) => {
			const copy = insertPackage(work, { kind, refId: refs[kind].get(refId) ?? "", productId: to.id });
			return [packageId, copy.id] as const;
		}),
	);
	for (const [packageId, id] of ids)
		versions
			.filter((version) => version.packageId === packageId)
			.forEach((version, at) => {
				copyVersion(work, version, id, at + 1, pointedToCopies(version, ids, refs.ADDON));
			});
	return refs.PLAN;
}

/** Maps former ids to new, unused ids of one kind. */
function newRefs(work: Work, kind: PackageKind, owners: readonly VersionRow[], to: ProductRow): Map<string, string> {
	const refs = new Map(
		owners.filter((one) => one.kind === kind).map(({ refId }) => [refId, `${to.refId}-${refId}`] as const),
	);
	const long = [...refs.values()].find((ref) => ref.length > refLengthMax);
	if (long !== undefined)
		throw fail(
			"DuplicateProductValidationError",
			`The copied ${kindName[kind]} would be called '${long}', longer than ${refLengthMax} characters; choose a shorter 'targetId'.`,
		);
	const [taken] = packagesByRefs(work, kind, [...refs.values()]).keys();
	if (taken !== undefined)
		throw fail(
			"DuplicatedEntityNotAllowed",
			`There is a ${kindName[kind]} '${taken}' already, which a copy would be called; choose another 'targetId'.`,
		);
	return refs;
}

function pointedToCopies(
	version: VersionRow,
	ids: ReadonlyMap<string, string>,
	addonRefs: ReadonlyMap<string, string>,
): VersionTerms {
	const copied = (refs: readonly string[] | null) => refs?.flatMap((ref) => addonRefs.get(ref) ?? []) ?? null;
	return {
		...termsOf(version),
		// The billing provider's id identifies only the original package.
		billingId: null,
		parentId: version.parentId === null ? null : (ids.get(version.parentId) ?? null),
		compatibleAddonRefs: copied(version.compatibleAddonRefs),
		dependencyRefs: copied(version.dependencyRefs),
	};
}

function copyVersion(work: Work, version: VersionRow, packageId: string, number: number, terms: VersionTerms): void {
	const id = insertDraft(work, packageId, number, terms);
	copyCharges(work, version.id, id);
	copyEntitlements(work, version.id, id);
	const isPublished = version.status === "PUBLISHED";
	if (isPublished) saveVersion(work, id, { status: "PUBLISHED", isLatest: true, publishedAt: work.now });
	const copy = getVersionById(work, id);
	if (number === 1) emitPackageEvent(work, "created", copy);
	if (isPublished) emitPackageEvent(work, "published", copy);
}
