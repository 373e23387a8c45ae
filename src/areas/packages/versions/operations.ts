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
 * Starts a package as draft number 1. Throws ProductNotFoundError, PlanNotFound (the base), EntityIsArchivedError (the
 * product), DuplicatedEntityNotAllowed.
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

/** What a publication is about: the draft that is to be sold, and the version that it follows, if there is one. */
export interface Publication {
	readonly draft: VersionRow;
	readonly former: VersionRow | undefined;
}

/**
 * All that a publication needs to be true, and nothing changed yet. Throws PlanNotFound or AddonNotFound, what the table of
 * transitions says, EntityIsArchivedError (the product), PackagePricingTypeNotSet, AddonHasToHavePriceError, and the codes of
 * what is not published yet.
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

/**
 * Makes the draft the version that is sold; answers it. Whoever runs on former versions stays there: moving them is for
 * subscriptions, which come later (`publishPackage` there).
 */
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

/** Row ids of what is sold now of each package, and for whom it was published. */
export const latestPublications = (work: Work) => selectLatestOfAll(work);

/**
 * Opens the next version as a copy of the published one. Throws DraftAlreadyExists, EntityIsArchivedError,
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

/** The terms of a version, to begin another one with. */
export const termsOf = (version: VersionRow): VersionTerms => ({
	displayName: version.displayName,
	description: version.description,
	billingId: version.billingId,
	metadata: version.metadata,
	pricingType: version.pricingType,
	overageBillingPeriod: version.overageBillingPeriod,
	parentId: version.parentId,
	compatibleAddonRefs: version.compatibleAddonRefs,
	defaultTrial: version.defaultTrial,
	dependencyRefs: version.dependencyRefs,
	maxQuantity: version.maxQuantity,
});

/** Throws the draft away; a package that was never published goes with it, unless another one refers to it. */
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

/** Ends its sale; running subscriptions go on. Throws DraftPlanCantBeArchived and its kin, and what the product names. */
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

/** Publishing as far as subscriptions have a part in it. They come later, so it is handed in (subscriptions/versions). */
export interface Publishing {
	/** Answers the task that moves subscriptions; null when there are none to move. */
	publish(work: Work, kind: PackageKind, refId: string, input: PackagePublish): { taskId: string | null };
	/** What it would change, without changing anything. */
	impactOf(work: Work, kind: PackageKind, refId: string, input: PackagePublish): PublishImpact;
	/** The row ids of a version's charges that running subscriptions are billed by. */
	chargesInUse(work: Work, version: Pick<VersionRow, "id" | "kind">): ReadonlySet<string>;
}
