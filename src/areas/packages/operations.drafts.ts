import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { getPackage, getVersionById } from "./operations";
import { assertAddons, assertNoCircle, assertNoDependencyCircle, assertSameProduct } from "./operations.references";
import { nextState, type PackageAction, stateOf } from "./rules";
import type { PackageKind } from "./schema";
import { findDraft, findLatest, saveVersion, type VersionTerms } from "./store";
import type { PackageRow, VersionRow } from "./table";

/** The terms of a version as a caller sends them. `parentRef` is the caller's id of the base plan. */
export type TermsInput = Partial<Omit<VersionTerms, "parentId"> & { readonly parentRef: string | null }>;

/** Changes the given terms of the draft. Throws CannotEditPackageInNonDraftMode if there is no draft. */
export function updateDraft(work: Work, kind: PackageKind, refId: string, terms: TermsInput): VersionRow {
	const owner = getPackage(work, kind, refId);
	const parent = terms.parentRef == null ? undefined : getPackage(work, "PLAN", terms.parentRef);
	const addons = [...(terms.compatibleAddonRefs ?? []), ...(terms.dependencyRefs ?? [])];
	const found = assertAddons(work, owner, addons);
	const draft = openDraft(work, owner, "update");
	if (parent) {
		assertSameProduct(owner.productId, parent);
		assertNoCircle(work, owner, parent);
	}
	if (terms.dependencyRefs) assertNoDependencyCircle(work, owner, found);
	const { parentRef, ...rest } = terms;
	saveVersion(work, draft.id, { ...rest, ...(parentRef !== undefined && { parentId: parent?.id ?? null }) });
	return getVersionById(work, draft.id);
}

/** Returns the draft to change. Without a draft, throws the error that the table of transitions names. */
export function openDraft(work: Work, owner: PackageRow, action: PackageAction): VersionRow {
	const draft = findDraft(work, owner.id);
	nextState(owner, stateOf(findLatest(work, owner.id), draft !== undefined), action);
	assert(draft, "the table of transitions lets only drafts be edited");
	return draft;
}
