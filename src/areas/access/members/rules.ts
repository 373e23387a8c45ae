import { fail } from "../../../kernel/errors";
import { allows } from "../rules";
import { accountResources, type KnownActor, type Scope, type ScopeResource, scopeResources } from "../rules.actors";

/** What somebody may do in one place: scopes, or everything, as owners and full-access keys may. */
export type Rights = KnownActor["scopes"];

const resources: readonly ScopeResource[] = [...scopeResources, ...accountResources];
const resourcesBut = (...left: ScopeResource[]): readonly ScopeResource[] =>
	resources.filter((resource) => !left.includes(resource));

/** Every scope that a role can hold. */
export const roleScopes: readonly Scope[] = resources.flatMap((resource): Scope[] => [
	`${resource}:READ`,
	`${resource}:WRITE`,
]);

interface BuiltIn {
	readonly description: string;
	/** WRITE includes READ. */
	readonly writes: readonly ScopeResource[];
	readonly reads: readonly ScopeResource[];
}

/** Our choice of roles. An owner may everything else too: what only owners may is asked for by `"everything"`. */
export const builtInRoles = {
	OWNER: { description: "everything; an account has one at least", writes: resources, reads: [] },
	ADMIN: {
		description: "everything but to change owners and full-access keys",
		writes: resources,
		reads: [],
	},
	DEVELOPER: {
		description: "builds with it: the catalogue, customers, usage, webhooks and keys",
		writes: [
			...(["API_KEY", "CATALOG", "COUPON", "CREDIT", "CUSTOMER"] as const),
			...(["EVENT_QUEUE", "SUBSCRIPTION", "USAGE", "WEBHOOK"] as const),
		],
		reads: ["CONTRACT", "ENVIRONMENT", "INVOICE", "MEMBER"],
	},
	FINANCE: {
		description: "invoices, contracts, credits, and what is sold to whom",
		writes: ["CONTRACT", "COUPON", "CREDIT", "CUSTOMER", "INVOICE", "SUBSCRIPTION"],
		reads: ["CATALOG", "ENVIRONMENT", "MEMBER", "USAGE"],
	},
	SUPPORT: {
		description: "customers and their subscriptions",
		writes: ["CUSTOMER", "SUBSCRIPTION"],
		reads: ["CATALOG", "CONTRACT", "COUPON", "CREDIT", "ENVIRONMENT", "INVOICE", "USAGE"],
	},
	MEMBER: {
		description: "everything but keys and people",
		writes: resourcesBut("API_KEY", "MEMBER"),
		reads: ["API_KEY", "MEMBER"],
	},
	READ_ONLY: { description: "reads everything, changes nothing", writes: [], reads: resources },
} as const satisfies Record<string, BuiltIn>;

export type BuiltInRole = keyof typeof builtInRoles;

export const builtInRoleNames = Object.keys(builtInRoles) as BuiltInRole[];

export const isBuiltInRole = (role: string): role is BuiltInRole => Object.hasOwn(builtInRoles, role);

export function rightsOfBuiltIn(role: BuiltInRole): Rights {
	if (role === "OWNER") return "everything";
	const { writes, reads }: BuiltIn = builtInRoles[role];
	return new Set([
		...writes.map((resource): Scope => `${resource}:WRITE`),
		...reads.map((resource): Scope => `${resource}:READ`),
	]);
}

/** A member's role in the account, and where it has another one. A role is a built-in one's name or a custom one's id. */
export interface Standing {
	readonly role: string | null;
	readonly environmentRoles: ReadonlyArray<{ readonly environmentId: string; readonly role: string }>;
}

/** Null: not let in there. Without an environment, the role in the account itself. */
export const roleIn = ({ role, environmentRoles }: Standing, environmentId?: string): string | null =>
	environmentRoles.find((one) => one.environmentId === environmentId)?.role ?? role;

/** The owner of the folder, at the command line. */
export const ownerStanding: Standing = { role: "OWNER", environmentRoles: [] };

/** Whether who has `mine` has all of `theirs`. */
export const covers = (mine: Rights, theirs: Rights): boolean =>
	theirs === "everything" ? mine === "everything" : [...theirs].every((scope) => allows(mine, scope));

const placesOf = (...standings: readonly Standing[]): Array<string | undefined> => [
	undefined,
	...new Set(standings.flatMap(({ environmentRoles }) => environmentRoles.map(({ environmentId }) => environmentId))),
];

/**
 * Nobody gives what it lacks, nor takes it from somebody who has more: in the account and in each environment where one of
 * both has another role, `mine` covers `theirs`. AccessDeniedError.
 */
export function assertMayGive(mine: Standing, theirs: Standing, rightsOf: (role: string | null) => Rights): void {
	for (const place of placesOf(mine, theirs))
		if (!covers(rightsOf(roleIn(mine, place)), rightsOf(roleIn(theirs, place))))
			throw fail(
				"AccessDeniedError",
				`The role '${roleIn(theirs, place)}' may more than you${place ? ` in the environment '${place}'` : ""}; only who may as much gives it, changes it or takes it away.`,
			);
}

/** The same for a custom role, which may be anybody's anywhere. */
export function assertMayShape(
	mine: Standing,
	scopes: readonly Scope[],
	rightsOf: (role: string | null) => Rights,
): void {
	for (const place of placesOf(mine)) {
		const rights = rightsOf(roleIn(mine, place));
		const lacking = scopes.find((scope) => !allows(rights, scope));
		if (lacking !== undefined)
			throw fail("AccessDeniedError", `A role with ${lacking} is not yours to shape: you do not have it yourself.`);
	}
}

/** Our choice: more than a company has of them. */
export const environmentRolesMax = 100;

/** BadUserInput for what is no standing: no role anywhere, an environment twice, an owner in parts. */
export function assertStanding({ role, environmentRoles }: Standing): void {
	if (role === null && environmentRoles.length === 0)
		throw fail("BadUserInput", "/role: must be given where 'environmentRoles' names no environment.");
	if (new Set(environmentRoles.map(({ environmentId }) => environmentId)).size < environmentRoles.length)
		throw fail("BadUserInput", "/environmentRoles: names an environment twice.");
	if ((role === "OWNER" && environmentRoles.length > 0) || environmentRoles.some((one) => one.role === "OWNER"))
		throw fail("BadUserInput", "/environmentRoles: an owner is the owner of the whole account; give ADMIN instead.");
}

/** An account always has an owner who can sign in. */
export function assertOwnerRemains(otherOwners: number, does: "remove" | "demote"): void {
	if (otherOwners > 0) return;
	throw does === "remove"
		? fail("InvalidMemberDelete", "This is the last owner of the account; make another member an owner first.")
		: fail("InvalidArgumentError", "This is the last owner of the account; make another member an owner first.");
}
