import type { Instant } from "../../kernel/clock";
import { fail } from "../../kernel/errors";
import type { Actor } from "../../kernel/work";
import { isPublishable, type Scope, type SessionKind, sessionKindOf } from "./rules.actors";

export type KeyStatus = "ACTIVE" | "EXPIRING" | "EXPIRED";

/** Until its expiry a rotated key is still accepted (docs/interface/access.md: "expiring soon, grace running"). */
export const keyStatus = ({ expiresAt }: { readonly expiresAt: Instant | null }, now: Instant): KeyStatus =>
	expiresAt === null ? "ACTIVE" : expiresAt > now ? "EXPIRING" : "EXPIRED";

/** WRITE includes READ (docs/interface/access.md). */
export const allows = (scopes: Actor["scopes"], wanted: Scope): boolean =>
	scopes === "everything" ||
	scopes.has(wanted) ||
	(wanted.endsWith(":READ") && scopes.has(wanted.replace(/READ$/, "WRITE")));

/** What a route asks of its caller. */
export interface Requirement {
	/** Undefined: any server key will do (tasks, GraphQL), what it may see is decided further in. */
	readonly scope?: Scope;
	/** A second one, where the answer shows what belongs to two resources. */
	readonly also?: Scope;
	/** Whether a publishable key may call it: reads of the catalogue and of one customer's entitlements only. */
	readonly publishable?: boolean;
	/** Such a key then proves the customer of the route, whether client hardening is on or not. */
	readonly signed?: boolean;
	/** It belongs to an account and to none of its environments, and so is for people only. */
	readonly ofAccount?: boolean;
	/** Only a customer may call it, by such a link; who comes by one may call nothing else. */
	readonly session?: SessionKind;
}

/** Throws the 403 that fits: a customer's link or a publishable key outside its routes, or a key without the scope. */
export function assertAllowed(actor: Actor, { scope, also, publishable, session }: Requirement): void {
	const link = sessionKindOf(actor);
	if (link) {
		if (session === link) return;
		throw fail(
			"IdentityForbidden",
			"A customer's link does only what its own page does; use a server key for this call.",
		);
	}
	if (session)
		throw fail(
			"IdentityForbidden",
			"Only a customer calls this, by a link of its own; see docs/portal.md for how to make one.",
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

/** Our choice, for names of accounts, environments, keys and people: as long as an id may be. */
export const nameLengthMax = 255;

/** Our choices: as many pages as a company has, and no address is longer. */
export const allowedOriginsMax = 20;
export const originLengthMax = 255;

/** Exactly what browsers send in `Origin`: scheme, host, and a port that is not the scheme's own. No wildcards. */
export function isOrigin(text: string): boolean {
	if (text.length > originLengthMax || !/^https?:[^*]+$/.test(text)) return false;
	return URL.parse(text)?.origin === text;
}

/**
 * An environment is seen and changed from within only: "current" is the caller's. Of another nothing is said, not even that it
 * is there.
 */
export function assertOwnEnvironment({ environmentId }: Actor, id: string): void {
	if (id !== environmentId && id !== "current")
		throw fail(
			"EnvironmentMissing",
			`There is no environment '${id}' that this call belongs to; 'current' names its own, and users name theirs in X-ENVIRONMENT-ID.`,
		);
}

/** A user, or the owner of the folder at the command line: a key belongs to one environment. */
export const isPerson = ({ kind }: Actor): boolean => kind === "USER" || kind === "SYSTEM";

/** For what reaches beyond one environment. */
export function assertPerson(actor: Actor, does: string): void {
	if (!isPerson(actor)) throw fail("IdentityForbidden", `API keys do not ${does}: sign in, or use the command line.`);
}
