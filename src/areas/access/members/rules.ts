import { fail } from "../../../kernel/errors";
import { allows } from "../rules";
import { accountResources, type KnownActor, type Scope, type ScopeResource, scopeResources } from "../rules.actors";

/** The rights in an account or environment: scopes, or everything for owners and full-access keys. */
export type Rights = KnownActor["scopes"];

const resources: readonly ScopeResource[] = [...scopeResources, ...accountResources];
const resourcesBut = (...left: ScopeResource[]): readonly ScopeResource[] =>
	resources.filter((resource) => !left.includes(resource));

/** Every scope that a role can have. */
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

/** The built-in roles. Only an owner has the rights that routes request by `"everything"`. */
export const builtInRoles = {
	OWNER: { description: "everything; an account has at least one", writes: resources, reads: [] },
	ADMIN: {
		description: "everything except changes of owners and full-access keys",
		writes: resources,
		reads: [],
	},
	DEVELOPER: {
		description: "integration: the catalogue, customers, usage, webhooks and keys",
		writes: [
			...(["API_KEY", "CATALOG", "COUPON", "CREDIT", "CUSTOMER"] as const),
			...(["EVENT_QUEUE", "SUBSCRIPTION", "USAGE", "WEBHOOK"] as const),
		],
		reads: ["CONTRACT", "ENVIRONMENT", "INVOICE", "MEMBER"],
	},
	FINANCE: {
		description: "invoices, contracts, credits and subscriptions",
		writes: ["CONTRACT", "COUPON", "CREDIT", "CUSTOMER", "INVOICE", "SUBSCRIPTION"],
		reads: ["CATALOG", "ENVIRONMENT", "MEMBER", "USAGE"],
	},
	SUPPORT: {
		description: "customers and their subscriptions",
		writes: ["CUSTOMER", "SUBSCRIPTION"],
		reads: ["CATALOG", "CONTRACT", "COUPON", "CREDIT", "ENVIRONMENT", "INVOICE", "USAGE"],
	},
	MEMBER: {
		description: "everything except keys and members",
		writes: resourcesBut("API_KEY", "MEMBER"),
		reads: ["API_KEY", "MEMBER"],
	},
	READ_ONLY: { description: "read access to everything", writes: [], reads: resources },
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

/**
 * A member's role in the account, and its roles in environments. A role is the name of a built-in one or the id of a
 * custom one.
 */
export interface Standing {
	readonly role: string | null;
	readonly environmentRoles: ReadonlyArray<{ readonly environmentId: string; readonly role: string }>;
}

/** Returns the role in an environment, or in the account without `environmentId`. Null for no access. */
export const roleIn = ({ role, environmentRoles }: Standing, environmentId?: string): string | null =>
	environmentRoles.find((one) => one.environmentId === environmentId)?.role ?? role;

/** The operator at the command line. */
export const ownerStanding: Standing = { role: "OWNER", environmentRoles: [] };

/** Whether `mine` includes all of `theirs`. */
export const covers = (mine: Rights, theirs: Rights): boolean =>
	theirs === "everything" ? mine === "everything" : [...theirs].every((scope) => allows(mine, scope));

const placesOf = (...standings: readonly Standing[]): Array<string | undefined> => [
	undefined,
	...new Set(standings.flatMap(({ environmentRoles }) => environmentRoles.map(({ environmentId }) => environmentId))),
];

/**
 * Throws AccessDeniedError unless `mine` covers `theirs`, in the account and in each environment where either has
 * another role. So nobody grants rights that they lack, or removes rights from a person who has more.
 */
export function assertMayGrantRole(mine: Standing, theirs: Standing, rightsOf: (role: string | null) => Rights): void {
	for (const place of placesOf(mine, theirs))
		if (!covers(rightsOf(roleIn(mine, place)), rightsOf(roleIn(theirs, place))))
			throw fail(
				"AccessDeniedError",
				`The role '${roleIn(theirs, place)}' has more rights than you${place ? ` in the environment '${place}'` : ""}; only a member with all of them can grant, change or remove it.`,
			);
}

/** The same check for a custom role, which members may have in any environment. */
export function assertMayShape(
	mine: Standing,
	scopes: readonly Scope[],
	rightsOf: (role: string | null) => Rights,
): void {
	for (const place of placesOf(mine)) {
		const rights = rightsOf(roleIn(mine, place));
		const lacking = scopes.find((scope) => !allows(rights, scope));
		if (lacking !== undefined)
			throw fail("AccessDeniedError", `You cannot define a role with ${lacking}, because you do not have it.`);
	}
}

/** The maximum number of environment roles of a member. */
export const environmentRolesMax = 100;

/** Throws BadUserInput for an invalid standing: no role at all, an environment twice, or an owner of single environments. */
export function assertStanding({ role, environmentRoles }: Standing): void {
	if (role === null && environmentRoles.length === 0)
		throw fail("BadUserInput", "/role: is required if 'environmentRoles' is empty.");
	if (new Set(environmentRoles.map(({ environmentId }) => environmentId)).size < environmentRoles.length)
		throw fail("BadUserInput", "/environmentRoles: names an environment twice.");
	if ((role === "OWNER" && environmentRoles.length > 0) || environmentRoles.some((one) => one.role === "OWNER"))
		throw fail("BadUserInput", "/environmentRoles: an owner owns the whole account; use ADMIN instead.");
}

/** Throws unless the account keeps an owner who can sign in. */
export function assertOwnerRemains(otherOwners: number, does: "remove" | "demote"): void {
	if (otherOwners > 0) return;
	throw does === "remove"
		? fail("InvalidMemberDelete", "This is the last owner of the account; make another member an owner first.")
		: fail("InvalidArgumentError", "This is the last owner of the account; make another member an owner first.");
}
