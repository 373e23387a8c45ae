import { assert, fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { createAddon, updateAddon } from "../addons/operations";
import { createEntitlements, removeEntitlement } from "../packages/entitlements/operations";
import { entitlementsOf, getShownVersion, packagesByRefs } from "../packages/operations";
import { refsOfEntitlements } from "../packages/operations.details";
import { kindName } from "../packages/rules";
import type { PackageKind, PackagePublish } from "../packages/schema";
import type { VersionRow } from "../packages/table";
import { createDraft } from "../packages/versions/operations";
import { createPlan, updatePlan } from "../plans/operations";
import { publishPackage } from "../subscriptions/versions/operations.publish";
import { within } from "./rules.check";
import type { Change } from "./rules.diff";
import type { CatalogueFile } from "./rules.file";
import { neededFirst } from "./rules.order";
import type { CatalogueAddon, CatalogueList, CataloguePlan } from "./schema";

export type Migration = PackagePublish["migrationType"];

interface Step<Entry> {
	readonly id: string;
	readonly place: string;
	readonly entry: Entry;
	readonly change: Change;
}

/** Returns the entries that change, each with its place in the file. */
const stepsOf = <Entry extends { readonly id: string }>(
	{ at }: CatalogueFile,
	list: CatalogueList,
	entries: readonly Entry[],
	changed: (id: string) => Change | undefined,
): Step<Entry>[] =>
	entries.flatMap((entry, index) => {
		const change = changed(entry.id);
		return change ? { id: entry.id, place: `${at([list, index])}, '${entry.id}'`, entry, change } : [];
	});

/** Publishes new versions of addons. Returns the tasks that move subscriptions. */
export function applyAddons(
	work: Work,
	file: CatalogueFile,
	changed: (id: string) => Change | undefined,
	migration: Migration,
): string[] {
	const steps = stepsOf(file, "addons", file.catalogue.addons ?? [], changed);
	const drafts = openDrafts(work, "ADDON", steps, (entry) => createAddon(work, startOf(entry)));
	return neededFirst(steps, ({ entry }) => entry.dependencies ?? []).flatMap(({ place, entry, change }) =>
		within(place, () => {
			setEntitlements(work, drafts.get(entry.id), entry, change);
			updateAddon(work, entry.id, {
				...termsOf(entry),
				maxQuantity: entry.maxQuantity ?? null,
				dependencies: entry.dependencies ?? null,
			});
			return publish(work, "ADDON", entry.id, migration);
		}),
	);
}

/** Publishes new versions of plans, base plans first. Returns the tasks that move subscriptions. */
export function applyPlans(
	work: Work,
	file: CatalogueFile,
	changed: (id: string) => Change | undefined,
	migration: Migration,
): string[] {
	const steps = stepsOf(file, "plans", file.catalogue.plans ?? [], changed);
	const drafts = openDrafts(work, "PLAN", steps, (entry) => createPlan(work, startOf(entry)));
	return neededFirst(steps, ({ entry }) => (entry.parentPlanId ? [entry.parentPlanId] : [])).flatMap(
		({ place, entry, change }) =>
			within(place, () => {
				setEntitlements(work, drafts.get(entry.id), entry, change);
				updatePlan(work, entry.id, {
					...termsOf(entry),
					parentPlanId: entry.parentPlanId ?? null,
					compatibleAddonIds: entry.compatibleAddonIds ?? null,
					defaultTrialConfig: entry.defaultTrialConfig ?? null,
				});
				return publish(work, "PLAN", entry.id, migration);
			}),
	);
}

type Package = CataloguePlan | CatalogueAddon;

const startOf = ({ id, productId, displayName }: Package) => ({ id, productId, displayName });

const termsOf = ({ displayName, description = null, billingId = null, metadata = {}, charges }: Package) => ({
	displayName,
	description: description || null,
	billingId: billingId || null,
	metadata,
	charges,
});

/** Creates all drafts before filling the first, because they may refer to each other. */
const openDrafts = <Entry extends Package>(
	work: Work,
	kind: PackageKind,
	steps: readonly Step<Entry>[],
	create: (entry: Entry) => VersionRow,
): Map<string, VersionRow> =>
	new Map(
		steps.map(({ place, entry, change }) => [
			entry.id,
			within(place, () => {
				if (change.action === "change") return createDraft(work, kind, entry.id);
				assertIdFree(work, kind, entry.id);
				return create(entry);
			}),
		]),
	);

/** Throws if the id belongs to an open draft or an archived package. An apply never publishes another person's draft. */
function assertIdFree(work: Work, kind: PackageKind, id: string): void {
	if (packagesByRefs(work, kind, [id]).size === 0) return;
	if (getShownVersion(work, kind, id).status === "DRAFT")
		throw fail(
			"DraftAlreadyExists",
			`The ${kindName[kind]} '${id}' is a draft that was never published; publish or remove it, then apply the file.`,
		);
	throw fail("EntityIsArchivedError", `The ${kindName[kind]} '${id}' is archived for good; choose another id.`);
}

/** Replaces all entitlements if any has changed, so that the draft has the order of the file. */
function setEntitlements(
	work: Work,
	draft: VersionRow | undefined,
	{ id, entitlements = [] }: Package,
	{ action, fields }: Change,
): void {
	assert(draft, "every step has a draft");
	if (action === "change" && fields.every(({ path }) => !path.startsWith("entitlements"))) return;
	const rows = entitlementsOf(work, draft.id);
	const refs = refsOfEntitlements(work, rows);
	for (const row of rows)
		removeEntitlement(work, draft.kind, id, refs.get(row.featureId ?? row.currencyId ?? "") ?? "");
	if (entitlements.length > 0) createEntitlements(work, draft.kind, id, { entitlements });
}

function publish(work: Work, kind: PackageKind, id: string, migrationType: Migration): string[] {
	const { taskId } = publishPackage(work, kind, id, { migrationType });
	return taskId === null ? [] : [taskId];
}
