import {
	AuthorizationResponseError,
	allowInsecureRequests,
	authorizationCodeGrant,
	buildAuthorizationUrl,
	type ClientAuth,
	ClientSecretBasic,
	ClientSecretPost,
	type Configuration,
	calculatePKCECodeChallenge,
	customFetch,
	discovery,
	enableNonRepudiationChecks,
	fetchUserInfo,
	type JsonValue,
} from "openid-client";
import { isPacked, OutgoingCalls } from "../../http/outgoing";
import { fail } from "../../kernel/errors";
import { unseal } from "../../kernel/sealed";
import { isEmail } from "../access/rules.emails";
import type { ProviderSettings } from "./operations";
import type { SignIn } from "./operations.sign-in";
import { type CallPhase, ProviderUnreachable, refusalOf } from "./provider-refusals";
import { clientSecretKey } from "./rules.secrets";
import type { PendingSignIn } from "./sign-in-cookie";
import type { IdentityProviderRow } from "./table";

/** A person waits for these calls. */
const timeoutSeconds = 10;
const answerBytesMax = 1024 * 1024;
/** How long the provider's discovery document is cached. */
const describedMs = 10 * 60 * 1000;
const describedMax = 1000;

interface Described {
	readonly configuration: Promise<Configuration>;
	/** `updatedAt` of the provider's row; a change invalidates the document. */
	readonly updatedAt: number;
	readonly untilMs: number;
}

/** The provider's data about the person. */
export type Said = Pick<SignIn, "subject" | "email" | "isEmailVerified" | "name" | "groups">;

/** Calls identity providers over the network, never within a transaction. */
export class ProviderCalls {
	readonly #settings: ProviderSettings;
	readonly #calls: OutgoingCalls;
	readonly #described = new Map<string, Described>();

	constructor(settings: ProviderSettings) {
		this.#settings = settings;
		this.#calls = new OutgoingCalls(settings.allowPrivate);
	}

	/** Returns the address at which the browser signs in. */
	async authorizationUrl(
		provider: IdentityProviderRow,
		{ state, nonce, verifier, redirectUri }: Pick<PendingSignIn, "state" | "nonce" | "verifier" | "redirectUri">,
	): Promise<string> {
		const configuration = await this.#configurationOf(provider);
		const claim = groupsClaimOf(provider);
		const offered = configuration.serverMetadata().scopes_supported ?? [];
		const scopes = ["openid", "email", "profile", ...(offered.includes(claim) ? [claim] : [])];
		const url = buildAuthorizationUrl(configuration, {
			redirect_uri: redirectUri,
			scope: scopes.join(" "),
			state,
			nonce,
			code_challenge: await calculatePKCECodeChallenge(verifier),
			code_challenge_method: "S256",
		});
		return url.href;
	}

	/**
	 * Exchanges the code for the person's data. Verifies signature, issuer, audience, time and nonce. `answer` is the
	 * query of the redirect.
	 */
	async exchange(provider: IdentityProviderRow, pending: PendingSignIn, answer: string): Promise<Said> {
		const configuration = await this.#configurationOf(provider);
		return refusing(provider, "exchange", async () => {
			const tokens = await authorizationCodeGrant(configuration, new URL(`${pending.redirectUri}${answer}`), {
				pkceCodeVerifier: pending.verifier,
				expectedState: pending.state,
				expectedNonce: pending.nonce,
			});
			const claims = tokens.claims();
			if (!claims) throw new AuthorizationResponseError("no ID token", { cause: new URLSearchParams() });
			const asks = claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined;
			const more = asks ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
			return saidBy({ ...more, ...claims }, claims.sub, groupsClaimOf(provider));
		});
	}

	#configurationOf(provider: IdentityProviderRow): Promise<Configuration> {
		const known = this.#described.get(provider.id);
		if (known?.updatedAt === provider.updatedAt && performance.now() < known.untilMs) return known.configuration;
		if (this.#described.size >= describedMax) this.#described.clear();
		const configuration = refusing(provider, "discovery", () => this.#discover(provider));
		const { updatedAt } = provider;
		const described = { configuration, updatedAt, untilMs: performance.now() + describedMs };
		this.#described.set(provider.id, described);
		// The caller gets the error; this handler clears the cache for the next attempt.
		configuration.catch(() => {
			if (this.#described.get(provider.id) === described) this.#described.delete(provider.id);
		});
		return configuration;
	}

	async #discover(provider: IdentityProviderRow): Promise<Configuration> {
		const { folderSecret, allowPrivate } = this.#settings;
		const secret = unseal(clientSecretKey(folderSecret, provider.id), provider.sealedSecret);
		if (secret === undefined)
			throw fail(
				"IntegrationValidationError",
				`The client secret of '${provider.name}' was encrypted with another secret of the data folder; set 'clientSecret' again.`,
			);
		const configuration = await discovery(
			new URL(provider.issuer),
			provider.clientId,
			undefined,
			clientAuthentication(secret),
			{
				timeout: timeoutSeconds,
				[customFetch]: (url, { method, headers, body, signal }) =>
					this.#fetch(url, { method, headers, body: body?.toString() ?? null, signal: signal ?? null }),
				execute: [enableNonRepudiationChecks, ...(allowPrivate ? [allowInsecureRequests] : [])],
			},
		);
		// The library accepts issuers that stand for any tenant; Tollgate requires the configured one.
		const { issuer } = configuration.serverMetadata();
		if (new URL(issuer).href !== new URL(provider.issuer).href)
			throw fail(
				"IntegrationValidationError",
				`What answers at '${provider.issuer}' says that it is '${issuer}'; set the issuer of '${provider.name}' to the right one.`,
			);
		return configuration;
	}

	async #fetch(url: string, call: Parameters<OutgoingCalls["fetch"]>[1]): Promise<Response> {
		try {
			const response = await this.#calls.fetch(url, call);
			const body = await bounded(response);
			const { status, headers } = response;
			if (status >= 500) throw new Error(`it answers ${status}`);
			return new Response(body.byteLength === 0 ? null : body, { status, headers });
		} catch (error) {
			throw new ProviderUnreachable(error);
		}
	}
}

/** Uses the method that the provider supports; by default the header. */
function clientAuthentication(secret: string): ClientAuth {
	const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
	return (server, client, body, headers) => {
		const methods = server.token_endpoint_auth_methods_supported;
		const chosen = methods && !methods.includes("client_secret_basic") ? post : basic;
		return chosen(server, client, body, headers);
	};
}

const groupsClaimOf = ({ roleMapping }: IdentityProviderRow): string => roleMapping.claim ?? "groups";

async function refusing<T>(provider: IdentityProviderRow, phase: CallPhase, call: () => Promise<T>): Promise<T> {
	try {
		return await call();
	} catch (error) {
		throw refusalOf(provider, phase, error);
	}
}

async function bounded(response: Response) {
	if (isPacked(response)) throw new Error("it packs what it answers, though it was asked not to");
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of response.body ?? []) {
		chunks.push(chunk);
		bytes += chunk.byteLength;
		if (bytes > answerBytesMax) throw new Error("it answers with more than a mebibyte");
	}
	return Buffer.concat(chunks);
}

const emailLengthMax = 320;
const nameLengthMax = 255;
/** Further groups are ignored. */
const groupsMax = 1000;

function saidBy(claims: Readonly<Record<string, JsonValue | undefined>>, subject: string, groupsClaim: string): Said {
	const { email, email_verified: verified, name } = claims;
	const groups = claims[groupsClaim];
	const isAddress = typeof email === "string" && email.length <= emailLengthMax && isEmail(email);
	const listed = typeof groups === "string" ? [groups] : Array.isArray(groups) ? groups : null;
	return {
		subject,
		email: isAddress ? email : null,
		isEmailVerified: typeof verified === "boolean" ? verified : null,
		name: typeof name === "string" && name !== "" ? name.slice(0, nameLengthMax) : null,
		groups: listed?.filter((one): one is string => typeof one === "string").slice(0, groupsMax) ?? null,
	};
}
