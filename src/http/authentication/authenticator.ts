import { actorOfKey } from "../../areas/access/keys/operations";
import { actorOfMember, actorOfUser, allAllowedOrigins, type Login, loginOfToken } from "../../areas/access/operations";
import type { Requirement } from "../../areas/access/rules";
import { isPublishable, systemActor } from "../../areas/access/rules.actors";
import { equalSecrets, signCustomer, signingSecret } from "../../areas/access/rules.secrets";
import { type SessionSettings, sessionSettingsDefault } from "../../areas/access/rules.sessions";
import { assertEntered, enteredBy } from "../../areas/identity-providers/operations.sign-in";
import { actorOfSession, isSessionToken } from "../../areas/portal/operations.sessions";
import { type AddressRange, isWithin, readAddress, readRange } from "../../kernel/addresses";
import { fail } from "../../kernel/errors";
import { underEpoch } from "../../kernel/storage/remembered";
import type { Actor, Transactions } from "../../kernel/work";

/** The caller of a request, and whether a publishable key must prove its customer. */
export interface Caller {
	readonly actor: Actor;
	readonly clientHardening: boolean;
	/** The origins whose pages may use the publishable key. */
	readonly allowedOrigins: readonly string[];
	/** The addresses from which the key works; empty for all. */
	readonly allowedAddresses: readonly AddressRange[];
}

/** Returns the address of a request. Looked up only when needed, because it is slow. */
export type AddressOf = () => string;

export interface AuthenticatorOptions {
	readonly transactions: Transactions;
	/** The secret of the data folder, from which signing secrets derive. */
	readonly folderSecret: string;
	readonly sessions?: SessionSettings;
}

/** The maximum number of cached keys between two changes of the database. */
const rememberedKeysMax = 10_000;

/** The maximum length of a key or token. An operator's own key may have 207 characters (config/server.ts). */
const secretLengthMax = 255;

/** An actor without an environment or rights, for authentication. Keys and sessions expire by the wall clock. */
const nobody = systemActor("");

/** Authenticates callers: API keys, and users by bearer token. */
export class Authenticator {
	readonly #transactions: Transactions;
	readonly #folderSecret: string;
	/** Cached by the key itself, because hashing it would take as long as the rest of a cached check. */
	readonly #callers: () => Map<string, Caller>;
	/** The allowed origins of all environments. */
	readonly #origins: () => ReadonlySet<string>;
	/** Keys and sessions that have called since the last report. */
	#used = new Set<string>();
	#usedSessions = new Set<string>();
	readonly #sessions: SessionSettings;

	constructor({ transactions, folderSecret, sessions = sessionSettingsDefault }: AuthenticatorOptions) {
		this.#sessions = sessions;
		this.#transactions = transactions;
		this.#folderSecret = folderSecret;
		this.#callers = underEpoch(transactions.epoch, () => new Map());
		this.#origins = underEpoch(transactions.epoch, () => transactions.read(nobody, allAllowedOrigins));
	}

	/**
	 * Returns the actor of a cached key that needs no further check. Undefined for a key with an expiry, with allowed
	 * addresses, or with client hardening.
	 */
	knownActor(secret: string | null): Actor | undefined {
		if (secret === null) return undefined;
		const caller = this.#callers().get(secret);
		if (!caller || provesCustomer(caller) || caller.allowedAddresses.length > 0) return undefined;
		this.noteUse(caller.actor);
		return caller.actor;
	}

	/** Records the use of a cached key. */
	noteUse({ id }: Actor): void {
		this.#used.add(id);
	}

	/** Returns and clears the ids of the keys that were used. */
	takeUsed(): string[] {
		if (this.#used.size === 0) return [];
		const used = [...this.#used];
		this.#used = new Set();
		return used;
	}

	/** Returns and clears the ids of the sessions that were used. */
	takeUsedSessions(): string[] {
		const used = [...this.#usedSessions];
		this.#usedSessions.clear();
		return used;
	}

	/**
	 * Returns the caller. Throws Unauthenticated, IdentityForbidden for a key outside its allowed addresses, or the error
	 * of the environment that a user names. Routes of an account (`ofAccount`) are for people and require no environment.
	 */
	caller(headers: Headers, addressOf: AddressOf, ofAccount = false): Caller {
		const secret = headers.get("x-api-key");
		if (secret !== null) {
			const caller = this.#callerOfKey(secret, addressOf);
			if (!ofAccount) return caller;
			throw fail(
				"IdentityForbidden",
				"An API key belongs to one environment; sign in for what belongs to the account.",
			);
		}
		const token = bearerOf(headers);
		if (token !== undefined && isSessionToken(token)) return this.#callerOfSession(token);
		const login = this.login(headers);
		// Only users send these headers. The environment of a key is its own.
		const actor = this.#transactions.read(nobody, (work) => {
			const provider = enteredBy(work, login);
			const accountId = headers.get("x-account-id") ?? provider?.accountId;
			const actor = ofAccount
				? actorOfMember(work, login, accountId)
				: actorOfUser(work, login, accountId, headers.get("x-environment-id") ?? undefined);
			assertEntered(work, provider, actor.accountId);
			return actor;
		});
		return { actor, clientHardening: false, allowedOrigins: [], allowedAddresses: [] };
	}

	/** Returns the secret with which an environment's backend signs customer ids. */
	signingSecretOf(environmentId: string): string {
		return signingSecret(this.#folderSecret, environmentId);
	}

	/** Returns the user of the bearer token, for routes that belong to a user rather than to an environment. */
	login(headers: Headers): Login {
		const token = bearerOf(headers);
		const login =
			token !== undefined &&
			token.length <= secretLengthMax &&
			this.#transactions.read(nobody, (work) => loginOfToken(work, token, this.#sessions));
		if (!login)
			throw fail(
				"Unauthenticated",
				"Send a valid API key in the X-API-KEY header, or a user token as 'Authorization: Bearer'.",
			);
		this.#usedSessions.add(login.session.id);
		return login;
	}

	/**
	 * With client hardening, or on routes that require it, a publishable key acts only for the customer whose id the
	 * caller's backend has signed. `customerId` is undefined on routes without a customer, such as the catalogue.
	 */
	assertCustomer(
		caller: Caller,
		{ scope, publishable, signed }: Requirement,
		headers: Headers,
		customerId: string | undefined,
	) {
		if (!provesCustomer(caller) && !(signed && isPublishable(caller.actor))) return;
		if (scope?.endsWith(":WRITE"))
			throw fail(
				"AuthCustomerReadonly",
				"With client hardening a publishable key only reads; use a server key for this call.",
			);
		if (customerId === undefined || !publishable) return;
		const expected = signCustomer(this.signingSecretOf(caller.actor.environmentId), customerId);
		if (!equalSecrets(headers.get("x-customer-token") ?? "", expected))
			throw fail(
				"AuthCustomerMismatch",
				"Send the HMAC-SHA256 of this customer's id, made by your backend with the signing secret, in the X-CUSTOMER-TOKEN header.",
			);
	}

	/** Whether any environment allows this origin. A browser's preflight request has no key. */
	knowsOrigin(origin: string): boolean {
		return this.#origins().has(origin);
	}

	/** Whether pages of this origin may read the response, errors included. */
	allowsOrigin(origin: string, headers: Headers): boolean {
		if (!this.knowsOrigin(origin)) return false;
		if (headers.has("authorization"))
			return !headers.has("x-api-key") && this.#allowsSession(origin, bearerOf(headers));
		const secret = headers.get("x-api-key") ?? "";
		if (secret.startsWith("server-")) return false;
		const caller = this.#knownKey(secret);
		return caller === undefined || (isPublishable(caller.actor) && caller.allowedOrigins.includes(origin));
	}

	/** A customer's link may be used in pages; tokens of people may not. */
	#allowsSession(origin: string, token: string | undefined): boolean {
		if (token === undefined || !isSessionToken(token)) return false;
		const holder = this.#holderOfSession(token);
		return holder === undefined || holder.allowedOrigins.includes(origin);
	}

	#callerOfSession(token: string): Caller {
		const holder = this.#holderOfSession(token);
		if (!holder)
			throw fail("Unauthenticated", "This link has ended; go back to where you found it, and open it again.");
		return { ...holder, clientHardening: false, allowedAddresses: [] };
	}

	#holderOfSession(token: string) {
		if (token.length > secretLengthMax) return undefined;
		return this.#transactions.read(nobody, (work) => actorOfSession(work, token));
	}

	#callerOfKey(secret: string, addressOf: AddressOf): Caller {
		const caller = this.#knownKey(secret);
		if (!caller) throw fail("Unauthenticated", "The API key in the X-API-KEY header is unknown, revoked or expired.");
		assertAllowedAddress(caller, addressOf);
		this.#used.add(caller.actor.id);
		return caller;
	}

	#knownKey(secret: string): Caller | undefined {
		if (secret.length > secretLengthMax) return undefined;
		const callers = this.#callers();
		const remembered = callers.get(secret);
		if (remembered) return remembered;
		const found = this.#transactions.read(nobody, (work) => actorOfKey(work, secret));
		if (!found) return undefined;
		const { expiresAt, allowedAddresses, ...known } = found;
		const caller = { ...known, allowedAddresses: allowedAddresses.flatMap((text) => readRange(text) ?? []) };
		// A key with an expiry is read again for each call. Others change only with the database.
		if (expiresAt !== null) return caller;
		if (callers.size >= rememberedKeysMax) callers.clear();
		callers.set(secret, caller);
		return caller;
	}
}

const bearerOf = (headers: Headers): string | undefined =>
	/^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];

function assertAllowedAddress({ actor, allowedAddresses }: Caller, addressOf: AddressOf): void {
	if (allowedAddresses.length === 0) return;
	const text = addressOf();
	const address = readAddress(text);
	if (address === undefined || !isWithin(allowedAddresses, address))
		throw fail(
			"IdentityForbidden",
			`The key '${actor.id}' may not be used from ${text}; call from one of its allowed addresses, or have them changed.`,
		);
}

const provesCustomer = ({ actor, clientHardening }: Caller): boolean => clientHardening && isPublishable(actor);
