import { fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { productsByIds } from "../products/operations";
import { packagesByRefs } from "./operations";
import { kindName } from "./rules";
import { findDraft, findLatest, selectChildren, selectNamingAddon } from "./store";
import type { PackageRow, VersionRow } from "./table";

// Checks the references of packages: base plans, compatible addons, dependencies. A reference must not be dangling or circular.

/** Throws unless the other package belongs to the same product. */
export function assertSameProduct(productId: string, other: PackageRow): void {
	if (other.productId !== productId)
		throw fail(
			"BadUserInput",
			`The ${kindName[other.kind]} '${other.refId}' belongs to another product; choose one of the same.`,
		);
}

/** Returns the named addons by id. Throws unless they exist, belong to the product, and exclude the addon itself. */
export function assertAddons(work: Work, owner: PackageRow, refs: readonly string[]): Map<string, PackageRow> {
	const found = packagesByRefs(work, "ADDON", refs);
	const missing = refs.filter((ref) => !found.has(ref));
	if (missing.length > 0)
		throw fail("AddonsNotFound", `There is no addon '${missing.join("', '")}' in this environment.`);
	for (const addon of found.values()) {
		assertSameProduct(owner.productId, addon);
		if (addon.id === owner.id) throw fail("BadUserInput", `The addon '${addon.refId}' cannot depend on itself.`);
	}
	return found;
}

/**
 * Throws if a plan would become its own base. Follows drafts and published versions, so that no later publication can close a
 * circle. Publishing therefore does not check again.
 */
export function assertNoCircle(work: Work, owner: PackageRow, parent: PackageRow): void {
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
 * Throws IntegrityViolation if an addon would depend on itself, directly or through others. Our choice
 * (docs/interface/catalogue.md#plans-and-addons): the interface's code for circles concerns plans. Follows drafts and
 * published versions, so publishing does not check again.
 */
export function assertNoDependencyCircle(
	work: Work,
	owner: PackageRow,
	dependencies: ReadonlyMap<string, PackageRow>,
): void {
	const seen = new Set<string>();
	const toVisit = [...dependencies.values()];
	for (let addon = toVisit.pop(); addon !== undefined; addon = toVisit.pop()) {
		if (seen.has(addon.id)) continue;
		seen.add(addon.id);
		const needed = [findLatest(work, addon.id), findDraft(work, addon.id)].flatMap((one) => one?.dependencyRefs ?? []);
		if (needed.includes(owner.refId))
			throw fail(
				"IntegrityViolation",
				`The addon '${addon.refId}' needs '${owner.refId}'; the two cannot depend on each other. Take the one or the other out of 'dependencies'.`,
			);
		toVisit.push(...packagesByRefs(work, "ADDON", needed).values());
	}
}

/** Throws unless all dependencies are published (docs/interface/catalogue.md). */
export function assertDependenciesPublished(work: Work, draft: VersionRow): void {
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

/**
 * Throws if a published version or a draft refers to the package that is to be removed. Throws PlanWithChildCantBeDeleted for a base plan;
 * AddonIsCompatibleWithPlan for an addon that a plan lists; IntegrityViolation for an addon that another addon needs.
 */
export function assertNotReferredTo(work: Work, owner: PackageRow): void {
	const [child] = selectChildren(work, owner.id);
	if (child)
		throw fail(
			"PlanWithChildCantBeDeleted",
			`The plan '${child.refId}' is based on '${owner.refId}'; give that another base first.`,
		);
	if (owner.kind === "PLAN") return;
	const naming = selectNamingAddon(work, owner);
	const plan = naming.find(({ kind }) => kind === "PLAN");
	if (plan)
		throw fail(
			"AddonIsCompatibleWithPlan",
			`The plan '${plan.refId}' lists the addon '${owner.refId}' among its compatible addons; take it out there first.`,
		);
	const [needing] = naming;
	if (needing)
		throw fail(
			"IntegrityViolation",
			`The addon '${needing.refId}' needs the addon '${owner.refId}'; take it out of its dependencies first.`,
		);
}

/** Throws if the product's settings name the plan as a start or fallback plan. */
export function assertNotStartOrFallbackPlan(work: Work, { productId, refId }: PackageRow): void {
	const settings = productsByIds(work, [productId]).get(productId)?.settings;
	const remedy = "name another plan in the product's settings first";
	if (settings?.subscriptionStartPlanId === refId)
		throw fail("PlanIsUsedAsDefaultStartPlan", `The plan '${refId}' is where new customers start; ${remedy}.`);
	if (settings?.downgradePlanId === refId)
		throw fail("PlanIsUsedAsDowngradePlan", `The plan '${refId}' is where ended subscriptions fall to; ${remedy}.`);
}
