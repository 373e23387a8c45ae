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

/** Archived ones where they are asked for. */
export function listOwnEnvironments(work: Work, { status, ...page }: EnvironmentListQuery): Page<EnvironmentRow> {
	const asked = new Set(queryValues(status) ?? ["ACTIVE"]);
	return pageEnvironments(work, page, {
		ids: environmentsSeenBy(work).map(({ id }) => id),
		isArchived: asked.size === 2 ? undefined : asked.has("ARCHIVED"),
	});
}

/** Those among them that the caller may see. */
export const environmentsByIds = (work: Work, ids: readonly string[]): EnvironmentRow[] =>
	environmentsSeenBy(work).filter(({ id }) => ids.includes(id));

/** All that the caller may see: a key its own, users those of their account where their role has this scope. */
export function environmentsSeenBy(work: Work, scope: Scope = "ENVIRONMENT:READ"): EnvironmentRow[] {
	if (!isPerson(work.actor)) return [getOwnEnvironment(work)];
	const standing = myStanding(work);
	return listEnvironmentsOf(work, work.actor.accountId).filter(({ id, accountId }) =>
		allows(rightsOfRole(work, accountId, roleIn(standing, id)), scope),
	);
}

const scope = "ENVIRONMENT:WRITE";

/** A full-access key as every environment has one. */
const fullAccess: KeyGrant = { kind: "FULL_ACCESS", scopes: null, expiresAt: null, allowedAddresses: [] };

/**
 * Creates an environment in the account of a person; a key belongs to one environment and creates no others. The secret of its
 * full-access key is null for a caller that may not grant such a key: an owner rotates the key to get a secret.
 */
export function createOwnEnvironment(work: Work, { name, type = "SANDBOX", ...settings }: EnvironmentCreate) {
	assertPerson(work.actor, "create environments");
	// The environment belongs to the account, so the role in the environment that the call names does not count.
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

/** Changes what is sent, of the caller's environment. */
export function updateOwnEnvironment(work: Work, { name, ...settings }: EnvironmentUpdate): EnvironmentRow {
	const environment = getOwnEnvironment(work);
	if (name !== undefined && name !== environment.name) assertNameIsFree(work, name);
	return changed(work, environment, { ...(name !== undefined && { name }), ...settings });
}

const changed = (work: Work, environment: EnvironmentRow, changes: EnvironmentUpdate): EnvironmentRow =>
	Object.keys(changes).length === 0 ? environment : updateEnvironment(work, environment.id, changes);

function assertNameIsFree(work: Work, name: string): void {
	if (listEnvironmentsOf(work, work.actor.accountId).some((one) => one.name === name))
		throw fail("DuplicatedEntityNotAllowed", `There is an environment '${name}' already; choose another name.`);
}

/**
 * Ends the caller's environment: no key calls any more, and nothing falls due. Its data stays, and its name stays taken. The
 * last one of an account is InvalidArgumentError.
 */
export function archiveOwnEnvironment(work: Work): EnvironmentRow {
	assertPerson(work.actor, "archive environments");
	const environment = getOwnEnvironment(work);
	if (environment.archivedAt !== null) return environment;
	const others = listEnvironmentsOf(work, environment.accountId).filter(
		({ id, archivedAt }) => id !== environment.id && archivedAt === null,
	);
	if (others.length === 0)
		throw fail("InvalidArgumentError", "This is the last environment of its account; make another one first.");
	return updateEnvironment(work, environment.id, { archivedAt: work.machineNow });
}
