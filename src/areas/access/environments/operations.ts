import { instantOf } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import { queryValues } from "../../../kernel/query";
import type { Work } from "../../../kernel/work";
import { type KeyGrant, mayGrant } from "../keys/rules";
import { myStanding, rightsOfRole } from "../members/operations.rights";
import { roleIn } from "../members/rules";
import { addEnvironment, getOwnEnvironment } from "../operations";
import { allows, assertAllowed, assertPerson, isPerson } from "../rules";
import type { Scope } from "../rules.actors";
import { listEnvironmentsOf, pageEnvironments, updateEnvironment } from "../store";
import type { EnvironmentRow } from "../table";
import type { EnvironmentCreate, EnvironmentListQuery, EnvironmentUpdate } from "./schema";

/** Lists active environments, or archived ones with `status`. */
export function listOwnEnvironments(work: Work, { status, ...page }: EnvironmentListQuery): Page<EnvironmentRow> {
	const asked = new Set(queryValues(status) ?? ["ACTIVE"]);
	return pageEnvironments(work, page, {
		ids: environmentsSeenBy(work).map(({ id }) => id),
		isArchived: asked.size === 2 ? undefined : asked.has("ARCHIVED"),
	});
}

/** Returns those environments that the caller may see. */
export const environmentsByIds = (work: Work, ids: readonly string[]): EnvironmentRow[] =>
	environmentsSeenBy(work).filter(({ id }) => ids.includes(id));

/**
 * Returns all environments that the caller may see: a key sees its own; a user sees those of the account in which the
 * role has this scope.
 */
export function environmentsSeenBy(work: Work, scope: Scope = "ENVIRONMENT:READ"): EnvironmentRow[] {
	if (!isPerson(work.actor)) return [getOwnEnvironment(work)];
	const standing = myStanding(work);
	return listEnvironmentsOf(work, work.actor.accountId).filter(({ id, accountId }) =>
		allows(rightsOfRole(work, accountId, roleIn(standing, id)), scope),
	);
}

const scope = "ENVIRONMENT:WRITE";

/** The full-access key that every environment has. */
const fullAccess: KeyGrant = { kind: "FULL_ACCESS", scopes: null, expiresAt: null, allowedAddresses: [] };

/**
 * Creates an environment in the account of a person. A key cannot create one, because it belongs to one environment. If
 * the caller may not grant a full-access key, that key's secret is null; an owner can rotate the key.
 */
export function createOwnEnvironment(work: Work, { name, type = "SANDBOX", ...settings }: EnvironmentCreate) {
	assertPerson(work.actor, "create environments");
	// The environment belongs to the account, so only the caller's role in the account counts.
	const { accountId } = work.actor;
	const scopes = rightsOfRole(work, accountId, myStanding(work).role);
	assertAllowed({ ...work.actor, scopes }, { scope });
	const { environment, fullAccessKey, publishableKey } = addEnvironment(work, accountId, name, type);
	return {
		environment: changed(work, environment, settings),
		fullAccessKey: mayGrant({ scopes, expiresAt: null, allowedAddresses: [] }, fullAccess) ? fullAccessKey : null,
		publishableKey,
	};
}

/** Checks the taxes that a request names; a later area has them. `held` were assigned before. */
export type AssertTaxes = (
	work: Work,
	place: string,
	refs: readonly string[] | null | undefined,
	held: readonly string[] | null,
) => void;

/** Changes the sent fields of the caller's environment. */
export function updateOwnEnvironment(
	work: Work,
	{ name, ...settings }: EnvironmentUpdate,
	assertTaxes: AssertTaxes,
): EnvironmentRow {
	const environment = getOwnEnvironment(work);
	assertTaxes(work, "taxes", settings.taxes, environment.taxes);
	if (name !== undefined && name !== environment.name) assertNameIsFree(work, name);
	return changed(work, environment, { ...(name !== undefined && { name }), ...settings });
}

function changed(work: Work, environment: EnvironmentRow, changes: EnvironmentUpdate): EnvironmentRow {
	if (Object.keys(changes).length === 0) return environment;
	const { taxRounding, discountStacking, booksClosedUntil, ...others } = changes;
	return updateEnvironment(work, environment.id, {
		...others,
		...(taxRounding && { taxRounding: taxRounding === "INVOICE" ? taxRounding : null }),
		...(discountStacking && { discountStacking: discountStacking === "ALL" ? discountStacking : null }),
		...(booksClosedUntil !== undefined && {
			booksClosedUntil: booksClosedUntil === null ? null : instantOf(booksClosedUntil),
		}),
	});
}

function assertNameIsFree(work: Work, name: string): void {
	if (listEnvironmentsOf(work, work.actor.accountId).some((one) => one.name === name))
		throw fail("DuplicatedEntityNotAllowed", `There is already an environment '${name}'; choose another name.`);
}

/**
 * Archives the caller's environment. Its keys stop working and nothing becomes due. Its data stays, and its name stays taken.
 * Throws InvalidArgumentError for the last one of an account.
 */
export function archiveOwnEnvironment(work: Work): EnvironmentRow {
	assertPerson(work.actor, "archive environments");
	const environment = getOwnEnvironment(work);
	if (environment.archivedAt !== null) return environment;
	const others = listEnvironmentsOf(work, environment.accountId).filter(
		({ id, archivedAt }) => id !== environment.id && archivedAt === null,
	);
	if (others.length === 0)
		throw fail("InvalidArgumentError", "This is the last environment of its account; create another one first.");
	return updateEnvironment(work, environment.id, { archivedAt: work.machineNow });
}
