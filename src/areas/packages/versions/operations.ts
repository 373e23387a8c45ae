import { assert, fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { getProduct, productsByIds } from "../../products/operations";
import { assertProductActive } from "../../products/rules";
import { copyCharges, deleteCharges, selectCharges } from "../charges/store";
import { copyEntitlements, deleteEntitlements } from "../entitlements/store";
import { emitPackageEvent } from "../events";
import { getPackage, getVersionById, packagesByRefs } from "../operations";
import { openDraft, type TermsInput } from "../operations.drafts";
import {
	assertDependenciesPublished,
	assertNotReferredTo,
	assertNotStartOrFallbackPlan,
	assertSameProduct,
} from "../operations.references";
import { assertPriced, assertSoldByAPeriod, assertVersionNumber, kindName, nextState, stateOf } from "../rules";
import type { PackageKind, PackagePublish } from "../schema";
import {
	deletePackage,
	deleteVersion,
	findDraft,
	findLatest,
	insertDraft,
	insertPackage,
	saveVersion,
	selectLatestOfAll,
	stepBack,
	type VersionTerms,
} from "../store";
import type { PackageRow, VersionRow } from "../table";
import type { PublishImpact } from "./schema.impact";

interface NewPackage {
	readonly kind: PackageKind;
	readonly refId: string;
	readonly productRef: string;
	readonly terms: TermsInput & Pick<VersionTerms, "displayName">;
}

/**
 * Creates a package with draft number 1. Throws ProductNotFoundError, PlanNotFound for the base, EntityIsArchivedError for the
 * product, or DuplicatedEntityNotAllowed.
 */
export function createPackage(work: Work, { kind, refId, productRef, terms }: NewPackage): VersionRow {
	const product = getProduct(work, productRef);
	const parent = terms.parentRef == null ? undefined : getPackage(work, "PLAN", terms.parentRef);
	assertProductActive(product);
	if (packagesByRefs(work, kind, [refId]).size > 0)
		throw fail("DuplicatedEntityNotAllowed", `There is a ${kindName[kind]} '${refId}' already; choose another id.`);
	if (parent) assertSameProduct(product.id, parent);
	const created = insertPackage(work, { kind, refId, productId: product.id });
	const { parentRef: _, ...rest } = terms;
	const id = insertDraft(work, created.id, 1, {
		description: null,
		billingId: null,
		metadata: {},
		pricingType: null,
		overageBillingPeriod: null,
		prorationMode: null,
		taxes: null,
		billingAnchor: null,
		phases: null,
		term: null,
		spendThresholds: null,
		commitments: null,
		compatibleAddonRefs: null,
		defaultTrial: null,
		dependencyRefs: null,
		maxQuantity: null,
		...rest,
		parentId: parent?.id ?? null,
	});
	const version = getVersionById(work, id);
	emitPackageEvent(work, "created", version);
	return version;
}

/** The draft to publish, and the version that it replaces, if there is one. */
export interface Publication {
	readonly draft: VersionRow;
	readonly former: VersionRow | undefined;
}

/**
 * Checks that the draft can be published, without changes. Throws PlanNotFound or AddonNotFound, the error of the table of
 * transitions, EntityIsArchivedError for the product, PackagePricingTypeNotSet, AddonHasToHavePriceError, and the errors for
 * references that are not published.
 */
export function preparePublication(work: Work, kind: PackageKind, refId: string): Publication {
	const owner = getPackage(work, kind, refId);
	const draft = openDraft(work, owner, "publish");
	const product = productsByIds(work, [owner.productId]).get(owner.productId);
	assert(product, "a package has a product");
	assertProductActive(product);
	const charges = selectCharges(work, draft.id);
	assertPriced(draft, charges.length);
	if (draft.pricingType === "PAID") assertSoldByAPeriod(owner, charges);
	assertDependenciesPublished(work, draft);
	return { draft, former: findLatest(work, owner.id) };
}

/** Publishes the draft and returns it. Subscriptions to former versions stay there; `publishPackage` of `subscriptions` moves them. */
export function publishDraft(
	work: Work,
	{ draft, former }: Publication,
	publishedFor: PackagePublish["migrationType"],
): VersionRow {
	if (former) stepBack(work, former.id);
	saveVersion(work, draft.id, { status: "PUBLISHED", isLatest: true, publishedAt: work.now, publishedFor });
	const published = getVersionById(work, draft.id);
	emitPackageEvent(work, "published", published);
	return published;
}

/** Returns the row id of the latest version of each package, and the customers for whom it was published. */
export const latestPublications = (work: Work) => selectLatestOfAll(work);

/**
 * Creates the next version as a copy of the published one. Throws DraftAlreadyExists, EntityIsArchivedError or
 * VersionExceedsMaxValueError.
 */
export function createDraft(work: Work, kind: PackageKind, refId: string): VersionRow {
	const owner = getPackage(work, kind, refId);
	const latest = findLatest(work, owner.id);
	nextState(owner, stateOf(latest, findDraft(work, owner.id) !== undefined), "createDraft");
	assert(latest, "only a published package gets a new draft");
	assertVersionNumber(owner, latest.versionNumber + 1);
	const id = insertDraft(work, owner.id, latest.versionNumber + 1, termsOf(latest));
	copyCharges(work, latest.id, id);
	copyEntitlements(work, latest.id, id);
	return getVersionById(work, id);
}

/** Returns the terms of a version, from which another version can begin. */
export const termsOf = (version: VersionRow): VersionTerms => ({
	displayName: version.displayName,
	description: version.description,
	billingId: version.billingId,
	metadata: version.metadata,
	pricingType: version.pricingType,
	overageBillingPeriod: version.overageBillingPeriod,
	prorationMode: version.prorationMode,
	taxes: version.taxes,
	billingAnchor: version.billingAnchor,
	phases: version.phases,
	term: version.term,
	spendThresholds: version.spendThresholds,
	commitments: version.commitments,
	parentId: version.parentId,
	compatibleAddonRefs: version.compatibleAddonRefs,
	defaultTrial: version.defaultTrial,
	dependencyRefs: version.dependencyRefs,
	maxQuantity: version.maxQuantity,
});

/** Deletes the draft. Also deletes a package that was never published, unless another one refers to it. */
export function removeDraft(work: Work, kind: PackageKind, refId: string): PackageRow {
	const owner = getPackage(work, kind, refId);
	const draft = findDraft(work, owner.id);
	const next = nextState(owner, stateOf(findLatest(work, owner.id), draft !== undefined), "removeDraft");
	assert(draft, "the table of transitions removes only drafts");
	if (next === "GONE") assertNotReferredTo(work, owner);
	deleteCharges(work, draft.id);
	deleteEntitlements(work, draft.id);
	deleteVersion(work, draft.id);
	if (next === "GONE") deletePackage(work, owner.id);
	return owner;
}

/**
 * Ends the sale of a package; running subscriptions continue. Throws DraftPlanCantBeArchived or a similar error of the state, or an
 * error if the product names the plan.
 */
export function archivePackage(work: Work, kind: PackageKind, refId: string): VersionRow {
	const owner = getPackage(work, kind, refId);
	const latest = findLatest(work, owner.id);
	nextState(owner, stateOf(latest, findDraft(work, owner.id) !== undefined), "archive");
	assert(latest, "only a published package is archived");
	if (latest.status === "ARCHIVED") return latest;
	assertNotReferredTo(work, owner);
	if (kind === "PLAN") assertNotStartOrFallbackPlan(work, owner);
	saveVersion(work, latest.id, { status: "ARCHIVED" });
	const archived = getVersionById(work, latest.id);
	emitPackageEvent(work, "archived", archived);
	return archived;
}

/**
 * The part of publishing that needs subscriptions. `subscriptions/versions` implements it, because that area may depend on this one
 * but not the reverse.
 */
export interface Publishing {
	/** Publishes and returns the task that moves subscriptions; null if there are none to move. */
	publish(work: Work, kind: PackageKind, refId: string, input: PackagePublish): { taskId: string | null };
	/** Returns the changes that a publication would make, without making them. */
	impactOf(work: Work, kind: PackageKind, refId: string, input: PackagePublish): PublishImpact;
	/** Returns the row ids of the version's charges that bill running subscriptions. */
	chargesInUse(work: Work, version: Pick<VersionRow, "id" | "kind">): ReadonlySet<string>;
}
