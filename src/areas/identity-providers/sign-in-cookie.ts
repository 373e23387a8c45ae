import type { Instant } from "../../kernel/clock";
import { fail } from "../../kernel/errors";
import { seal, unseal } from "../../kernel/sealed";
import { equalSecrets, hashSecret } from "../access/rules.secrets";
import { signInKey } from "./rules.secrets";

/** Enough time to find a second factor. */
const lifetimeMs = 10 * 60 * 1000;

/** A sign-in must end in the browser where it began. The browser stores this, encrypted, until the provider redirects to it. */
export interface PendingSignIn {
	readonly providerId: string;
	readonly state: string;
	readonly nonce: string;
	readonly verifier: string;
	readonly redirectUri: string;
	/** A path of the console; null to return the token. */
	readonly returnTo: string | null;
	readonly expiresAt: Instant;
}

export const signInEnd = (machineNow: Instant): Instant => (machineNow + lifetimeMs) as Instant;

/** A cookie for each sign-in, so that two tabs do not interfere. */
const nameOf = (state: string): string => `tollgate-sign-in-${hashSecret(state).slice(0, 16)}`;

const attributes = (isSecure: boolean): string =>
	`Path=/api/v1/auth/oidc; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;

export const keepCookie = (folderSecret: string, pending: PendingSignIn, isSecure: boolean): string =>
	`${nameOf(pending.state)}=${seal(signInKey(folderSecret), JSON.stringify(pending))}; Max-Age=${lifetimeMs / 1000}; ${attributes(isSecure)}`;

export const dropCookie = ({ state }: PendingSignIn, isSecure: boolean): string =>
	`${nameOf(state)}=; Max-Age=0; ${attributes(isSecure)}`;

/** Throws Unauthenticated if this browser has not begun the sign-in, or began it too long ago. */
export function readPending(
	folderSecret: string,
	cookies: string | null,
	{ state, providerId }: Pick<PendingSignIn, "state" | "providerId">,
	machineNow: Instant,
): PendingSignIn {
	const name = nameOf(state);
	const sealed = (cookies ?? "")
		.split(";")
		.map((cookie) => cookie.trim().split("="))
		.find(([key]) => key === name)?.[1];
	const text = sealed === undefined ? undefined : unseal(signInKey(folderSecret), sealed);
	const pending: PendingSignIn | undefined = text === undefined ? undefined : JSON.parse(text);
	if (!pending || !equalSecrets(pending.state, state) || pending.providerId !== providerId)
		throw fail(
			"Unauthenticated",
			"This browser has begun no sign-in with this 'state': sign-ins end in the browser where they began; begin a new one.",
		);
	if (pending.expiresAt <= machineNow)
		throw fail("Unauthenticated", "This sign-in began more than ten minutes ago; begin a new one.");
	return pending;
}
