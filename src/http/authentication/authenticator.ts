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

/** The caller of environment-scoped routes, and whether publishable keys must prove their customer. */
export interface Caller {
	readonly actor: Actor;
	readonly clientHardening: boolean;
	/** Whose pages may read what a publishable key of this environment may read. */
	readonly allowedOrigins: readonly string[];
	/** From where a key may be used; empty for anywhere. */
	readonly allowedAddresses: readonly AddressRange[];
}

/** Where a request came from. Looked up where it matters only: that takes its time. */
export type AddressOf = () => string;

export interface AuthenticatorOptions {
	readonly transactions: Transactions;
	/** From the data folder; what customers' backends sign with is derived from it. */
	readonly folderSecret: string;
	readonly sessions?: SessionSettings;
}

/** How many keys are remembered between two changes of the database. Our choice: more keys than any company uses at once. */
const rememberedKeysMax = 10_000;

/** Our choice: an operator's own key may have 207 characters (config/server.ts), a token is shorter. What is longer is none. */
const secretLengthMax = 255;

/** No environment, no rights: for the look-ups by which a caller becomes known. Keys and sessions end by the wall clock. */
const nobody = systemActor("");

/** Who calls: an API key, or a user by bearer token (Authentication section). */
export class Authenticator {
	readonly #transactions: Transactions;
	readonly #folderSecret: string;
	/** By the key itself, as it is sent with each request: its hash would cost as much as all the rest of a hot answer. */
	readonly #callers: () => Map<string, Caller>;
	/** Those of all environments. */
	readonly #origins: () => ReadonlySet<string>;
	/** Keys that have called since these were taken, and sessions. */
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
	 * The actor of a key that was let in since the database has changed last, and that needs nothing but the key: undefined
	 * for one that will end by itself, that may call from some places only, or that has to prove its customer with each call.
	 */
	knownActor(secret: string | null): Actor | undefined {
		if (secret === null) return undefined;
		const caller = this.#callers().get(secret);
		if (!caller || provesCustomer(caller) || caller.allowedAddresses.length > 0) return undefined;
		this.noteUse(caller.actor);
		return caller.actor;
	}

	/** A key has called that was known before. */
	noteUse({ id }: Actor): void {
		this.#used.add(id);
	}

	/** The ids of the keys that have called since this was asked last. */
	takeUsed(): string[] {
		if (this.#used.size === 0) return [];
		const used = [...this.#used];
		this.#used = new Set();
		return used;
	}

	/** The same for sessions. */
	takeUsedSessions(): string[] {
		const used = [...this.#usedSessions];
		this.#usedSessions.clear();
		return used;
	}

	/**
	 * Throws Unauthenticated, IdentityForbidden for a key that may not be used from where the request comes, or what is wrong
	 * with the environment a user names. What is `ofAccount` is for people, and asks for no environment.
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
		// Both headers are read here only: with a key, the environment belongs to the key (Authentication, rule 5).
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

	/** What the customers' backend of an environment signs with. */
	signingSecretOf(environmentId: string): string {
		return signingSecret(this.#folderSecret, environmentId);
	}

	/** The user behind the bearer token, for the routes that belong to a user rather than to an environment. */
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
	 * With client hardening on, or where the route asks for it, a publishable key acts for one customer only: the one whose id the
	 * caller's backend has signed. `customerId` is the one that the route is about, undefined where it is about none: the
	 * catalogue needs no proof.
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

	/** Whether any environment allows this origin: a browser asks ahead without the key. */
	knowsOrigin(origin: string): boolean {
		return this.#origins().has(origin);
	}

	/** Whether a page of this origin may see what the caller is answered, a refusal of its key included. */
	allowsOrigin(origin: string, headers: Headers): boolean {
		if (!this.knowsOrigin(origin)) return false;
		if (headers.has("authorization"))
			return !headers.has("x-api-key") && this.#allowsSession(origin, bearerOf(headers));
		const secret = headers.get("x-api-key") ?? "";
		if (secret.startsWith("server-")) return false;
		const caller = this.#knownKey(secret);
		return caller === undefined || (isPublishable(caller.actor) && caller.allowedOrigins.includes(origin));
	}

	/** A customer's own link may be used in a page; people's tokens belong in none. */
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
		// A key that will end must be looked at each time; the others change only with the database.
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
