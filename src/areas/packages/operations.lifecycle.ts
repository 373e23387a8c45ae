import { assert, fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { getProduct, productsByIds } from "../products/operations";
import { assertProductActive } from "../products/rules";
import { getPackage, getVersionById, packagesByRefs } from "./operations";
import { assertPriced, kindName, nextState, type PackageAction, stateOf } from "./rules";
import type { PackageKind, PackagePublish } from "./schema";
import {
	deletePackage,
	deleteVersion,
	findDraft,
	findLatest,
	insertDraft,
	insertPackage,
	saveVersion,
	selectChildren,
	stepBack,
	type VersionTerms,
} from "./store";
import { copyCharges, deleteCharges, selectCharges } from "./store.charges";
import { copyEntitlements, deleteEntitlements } from "./store.entitlements";
import type { PackageRow, VersionRow } from "./table";

/** The terms of a version as the caller knows them: the base plan by its own id. */
export type TermsInput = Partial<Omit<VersionTerms, "parentId"> & { readonly parentRef: string | null }>;

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
	return getVersionById(work, id);
}

/** Changes what is sent, on the draft. Throws CannotEditPackageInNonDraftMode when there is none. */
export function updateDraft(work: Work, kind: PackageKind, refId: string, terms: TermsInput): VersionRow {
	const owner = getPackage(work, kind, refId);
	const parent = terms.parentRef == null ? undefined : getPackage(work, "PLAN", terms.parentRef);
	const addons = [...(terms.compatibleAddonRefs ?? []), ...(terms.dependencyRefs ?? [])];
	assertAddons(work, owner, addons);
	const draft = openDraft(work, owner, "update");
	if (parent) {
		assertSameProduct(owner.productId, parent);
		assertNoCircle(work, owner, parent);
	}
	const { parentRef, ...rest } = terms;
	saveVersion(work, draft.id, { ...rest, ...(parentRef !== undefined && { parentId: parent?.id ?? null }) });
	return getVersionById(work, draft.id);
}

/** The draft to change; throws what the table of transitions says when there is none. */
export function openDraft(work: Work, owner: PackageRow, action: PackageAction): VersionRow {
	const draft = findDraft(work, owner.id);
	nextState(owner, stateOf(findLatest(work, owner.id), draft !== undefined), action);
	assert(draft, "the table of transitions lets only drafts be edited");
	return draft;
}

function assertSameProduct(productId: string, other: PackageRow): void {
	if (other.productId !== productId)
		throw fail(
			"BadUserInput",
			`The ${kindName[other.kind]} '${other.refId}' belongs to another product; choose one of the same.`,
		);
}

/** Addons that are named must exist, belong to the product, and be others than the addon itself. */
function assertAddons(work: Work, owner: PackageRow, refs: readonly string[]): void {
	const found = packagesByRefs(work, "ADDON", refs);
	const missing = refs.filter((ref) => !found.has(ref));
	if (missing.length > 0)
		throw fail("AddonsNotFound", `There is no addon '${missing.join("', '")}' in this environment.`);
	for (const addon of found.values()) {
		assertSameProduct(owner.productId, addon);
		if (addon.id === owner.id) throw fail("BadUserInput", `The addon '${addon.refId}' cannot depend on itself.`);
	}
}

/**
 * A plan must not become its own base. Drafts and published versions are both followed, so that no later publish of any
 * of them can close a circle; that is why publishing need not look again.
 */
function assertNoCircle(work: Work, owner: PackageRow, parent: PackageRow): void {
	const seen = new Set<string>();
	const toVisit = [parent.id];
	for (let id = toVisit.pop(); id !== undefined; id = toVisit.pop()) {
		if (id === owner.id)
			throw fail(
				"PlansCircularDependencyError",
				`The plan '${owner.refId}' is a base of '${parent.refId}'; it cannot inherit from it.`,
			);
		if (seen.has(id)) continue;
		seen.add(id);
		for (const version of [findLatest(work, id), findDraft(work, id)])
			if (version?.parentId) toVisit.push(version.parentId);
	}
}

/**
 * Makes the draft the version that is sold. Answers the task that moves existing subscriptions; null when nothing has to
 * be moved: with NEW_CUSTOMERS, or when there is no former version that anyone could be on.
 */
export function publishPackage(
	work: Work,
	kind: PackageKind,
	refId: string,
	_: PackagePublish,
): { taskId: string | null } {
	const owner = getPackage(work, kind, refId);
	const draft = openDraft(work, owner, "publish");
	const product = productsByIds(work, [owner.productId]).get(owner.productId);
	assert(product, "a package has a product");
	assertProductActive(product);
	assertPriced(draft, selectCharges(work, draft.id).length);
	assertDependenciesPublished(work, draft);
	const former = findLatest(work, owner.id);
	if (former) stepBack(work, former.id);
	saveVersion(work, draft.id, { status: "PUBLISHED", isLatest: true, publishedAt: work.now });
	return { taskId: null };
}

/** Dependencies first (semantics-extra 4): nothing is sold that leans on what is not. */
function assertDependenciesPublished(work: Work, draft: VersionRow): void {
	if (draft.parentId && !findLatest(work, draft.parentId))
		throw fail(
			"PlanCannotBePublishWhenBasePlanIsDraft",
			`The base plan of '${draft.refId}' is still a draft; publish that first.`,
		);
	const unpublished = (refs: readonly string[] | null): string | undefined => {
		const found = packagesByRefs(work, "ADDON", refs ?? []);
		return refs?.find((ref) => {
			const addon = found.get(ref);
			return !addon || !findLatest(work, addon.id);
		});
	};
	const compatible = unpublished(draft.compatibleAddonRefs);
	if (compatible !== undefined)
		throw fail(
			"PlanCannotBePublishWhenCompatibleAddonIsDraft",
			`The compatible addon '${compatible}' of '${draft.refId}' is still a draft; publish that first.`,
		);
	const needed = unpublished(draft.dependencyRefs);
	if (needed !== undefined)
		throw fail(
			"UnPublishedPackage",
			`The addon '${needed}', which '${draft.refId}' needs, is still a draft; publish that first.`,
		);
}

/** Opens the next version as a copy of the published one. Throws DraftAlreadyExists, EntityIsArchivedError. */
export function createDraft(work: Work, kind: PackageKind, refId: string): VersionRow {
	const owner = getPackage(work, kind, refId);
	const latest = findLatest(work, owner.id);
	nextState(owner, stateOf(latest, findDraft(work, owner.id) !== undefined), "createDraft");
	assert(latest, "only a published package gets a new draft");
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

/** Throws the draft away; a package that was never published goes with it, unless another plan is based on it. */
export function removeDraft(work: Work, kind: PackageKind, refId: string): PackageRow {
	const owner = getPackage(work, kind, refId);
	const draft = findDraft(work, owner.id);
	const next = nextState(owner, stateOf(findLatest(work, owner.id), draft !== undefined), "removeDraft");
	assert(draft, "the table of transitions removes only drafts");
	if (next === "GONE") assertNoChildren(work, owner);
	deleteCharges(work, draft.id);
	deleteEntitlements(work, draft.id);
	deleteVersion(work, draft.id);
	if (next === "GONE") deletePackage(work, owner.id);
	return owner;
}

function assertNoChildren(work: Work, owner: PackageRow): void {
	const [child] = selectChildren(work, owner.id);
	if (child)
		throw fail(
			"PlanWithChildCantBeDeleted",
			`The plan '${child.refId}' is based on '${owner.refId}'; give that another base first.`,
		);
}

/** Ends its sale; running subscriptions go on. Throws DraftPlanCantBeArchived and its kin, and what the product names. */
export function archivePackage(work: Work, kind: PackageKind, refId: string): VersionRow {
	const owner = getPackage(work, kind, refId);
	const latest = findLatest(work, owner.id);
	nextState(owner, stateOf(latest, findDraft(work, owner.id) !== undefined), "archive");
	assert(latest, "only a published package is archived");
	if (latest.status === "ARCHIVED") return latest;
	assertNoChildren(work, owner);
	if (kind === "PLAN") assertNotInJourney(work, owner);
	saveVersion(work, latest.id, { status: "ARCHIVED" });
	return getVersionById(work, latest.id);
}

function assertNotInJourney(work: Work, { productId, refId }: PackageRow): void {
	const settings = productsByIds(work, [productId]).get(productId)?.settings;
	const remedy = "name another plan in the product's settings first";
	if (settings?.subscriptionStartPlanId === refId)
		throw fail("PlanIsUsedAsDefaultStartPlan", `The plan '${refId}' is where new customers start; ${remedy}.`);
	if (settings?.downgradePlanId === refId)
		throw fail("PlanIsUsedAsDowngradePlan", `The plan '${refId}' is where ended subscriptions fall to; ${remedy}.`);
}
