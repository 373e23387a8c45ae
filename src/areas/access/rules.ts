import type { Instant } from "../../kernel/clock";
import { fail } from "../../kernel/errors";
import type { Actor } from "../../kernel/work";
import { isPublishable, type Scope, type SessionKind, sessionKindOf } from "./rules.actors";

export type KeyStatus = "ACTIVE" | "EXPIRING" | "EXPIRED";

/** A rotated key is accepted until its expiry (docs/interface/access.md#life-of-a-key). */
export const keyStatus = ({ expiresAt }: { readonly expiresAt: Instant | null }, now: Instant): KeyStatus =>
	expiresAt === null ? "ACTIVE" : expiresAt > now ? "EXPIRING" : "EXPIRED";

/** WRITE includes READ (docs/interface/access.md#scopes). */
export const allows = (scopes: Actor["scopes"], wanted: Scope): boolean =>
	scopes === "everything" ||
	scopes.has(wanted) ||
	(wanted.endsWith(":READ") && scopes.has(wanted.replace(/READ$/, "WRITE")));

/** The requirements of a route. */
export interface Requirement {
	/** Undefined if any server key may call (tasks, GraphQL); the operation then decides what the caller sees. */
	readonly scope?: Scope;
	/** A second scope, for a response with two resources. */
	readonly also?: Scope;
	/** Whether a publishable key may call it: only reads of the catalogue and of one customer's entitlements. */
	readonly publishable?: boolean;
	/** Whether a publishable key must prove its customer even without client hardening. */
	readonly signed?: boolean;
	/** Whether it belongs to an account rather than an environment, and so is for people only. */
	readonly ofAccount?: boolean;
	/** Only a customer with such a link may call it, and the link allows nothing else. */
	readonly session?: SessionKind;
}

/** Throws the matching 403: a link or publishable key outside its routes, or a key without the scope. */
export function assertAllowed(actor: Actor, { scope, also, publishable, session }: Requirement): void {
	const link = sessionKindOf(actor);
	if (link) {
		if (session === link) return;
		throw fail("IdentityForbidden", "A customer's link works only for its own page; use a server key for this call.");
	}
	if (session)
		throw fail(
			"IdentityForbidden",
			"Only a customer can call this, with a link of its own; docs/portal.md shows how to create one.",
		);
	if (isPublishable(actor)) {
		if (publishable) return;
		throw scope?.endsWith(":WRITE")
			? fail("IdentityForbidden", "A publishable key only reads; use a server key for this call.")
			: fail("IdentityForbidden", "A publishable key may not read this; use a server key for this call.");
	}
	const missing = [scope, also].find((wanted) => wanted !== undefined && !allows(actor.scopes, wanted));
	if (missing !== undefined)
		throw fail(
			"AccessDeniedError",
			isPerson(actor)
				? `Your role lacks the permission ${missing}; ask an administrator of the account for it.`
				: `This key lacks the permission ${missing}; use a key that has it.`,
		);
}

/** The maximum length of names of accounts, environments, keys and people; the same as for ids. */
export const nameLengthMax = 255;

/** Limits of the allowed origins. */
export const allowedOriginsMax = 20;
export const originLengthMax = 255;

/** Whether the text is what browsers send in `Origin`: scheme, host, and a non-default port. No wildcards. */
export function isOrigin(text: string): boolean {
	if (text.length > originLengthMax || !/^https?:[^*]+$/.test(text)) return false;
	return URL.parse(text)?.origin === text;
}

/** Callers see and change only their own environment, `current`. Others are reported as unknown. */
export function assertOwnEnvironment({ environmentId }: Actor, id: string): void {
	if (id !== environmentId && id !== "current")
		throw fail(
			"EnvironmentMissing",
			`There is no environment '${id}' that this call belongs to; 'current' names its own, and users name theirs in X-ENVIRONMENT-ID.`,
		);
}

/** A user, or the operator at the command line. A key belongs to one environment. */
export const isPerson = ({ kind }: Actor): boolean => kind === "USER" || kind === "SYSTEM";

/** Throws unless the caller is a person, who can act outside one environment. */
export function assertPerson(actor: Actor, does: string): void {
	if (!isPerson(actor)) throw fail("IdentityForbidden", `API keys do not ${does}: sign in, or use the command line.`);
}
