import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { randomNonce, randomPKCECodeVerifier, randomState } from "openid-client";
import { networkOf } from "../../http/client-address";
import { SlidingWindow } from "../../http/limits/sliding-window";
import { ConsoleSessions } from "../../http/pages/console-session";
import { toIso } from "../../kernel/clock";
import { fail } from "../../kernel/errors";
import { single } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { systemActor } from "../access/rules.actors";
import { hashSecret } from "../access/rules.secrets";
import { userAgentOf } from "../access/rules.sessions";
import { SessionView } from "../access/schema";
import { signInOperations as operations } from "./openapi";
import { assertUnused, getSignInProvider, providersOfEmail } from "./operations.sign-in";
import { ProviderCalls } from "./provider-calls";
import { callbackPath, returnPathOf, startPath } from "./rules";
import {
	IdentityProviderPath,
	SignInCallbackQuery,
	SignInProvider,
	SignInProvidersQuery,
	SignInStartQuery,
} from "./schema";
import { dropCookie, keepCookie, readPending, signInEnd } from "./sign-in-cookie";

/** The caller has no identity yet; sign-ins use the machine's time. */
const nobody = systemActor("");

/** The limit for each network: a whole company may sign in behind one address. */
const callsMax = 120;
const callsWindowMs = 60_000;

/** Sign-in by OpenID Connect: the browser goes to the provider and returns with a code. */
export const oidcRoutes = ({ transactions, write, limits, senders, outgoing, api }: Services) => {
	const { folderSecret } = outgoing;
	const providers = new ProviderCalls({ folderSecret, allowPrivate: outgoing.allowPrivateWebhooks });
	const calls = new SlidingWindow(callsMax, callsWindowMs);
	const machineNow = () => transactions.now("");
	const sessions = new ConsoleSessions({ senders, api });

	type Peers = Parameters<typeof senders.of>[1];
	/** Each of these calls makes Tollgate call the provider. */
	const count = (request: Request, server: Peers): void => {
		if (!calls.count(networkOf(senders.of(request, server)), limits.clockMs()).allowed)
			throw fail("RateLimitExceeded", "Too many sign-ins from your network; try again in a minute.");
	};
	/** The address of this server, without a path. */
	const originOf = (request: Request, server: Peers): string =>
		api.publicUrl ?? `${senders.of(request, server).isSecure ? "https" : "http"}://${new URL(request.url).host}`;
	const isSecure = (request: Request, server: Peers): boolean => originOf(request, server).startsWith("https:");

	return new Elysia({ prefix: "/api/v1/auth/oidc", tags: ["Identity providers"], normalize: false })
		.get(
			"",
			({ query: { email } }) => ({
				data: transactions
					.read(nobody, (work) => providersOfEmail(work, email))
					.map(({ id, name, isRequired }) => ({ id, name, startPath: startPath(id), isRequired })),
			}),
			{ detail: operations.providers, query: SignInProvidersQuery, response: single(Type.Array(SignInProvider)) },
		)
		.get(
			"/:id/start",
			async ({ params: { id }, query: { returnTo }, request, server, set }) => {
				const returnPath = returnTo === undefined ? null : returnPathOf(returnTo);
				const provider = transactions.read(nobody, (work) => getSignInProvider(work, id));
				count(request, server);
				const pending = {
					providerId: id,
					state: randomState(),
					nonce: randomNonce(),
					verifier: randomPKCECodeVerifier(),
					redirectUri: `${originOf(request, server)}${callbackPath(id)}`,
					returnTo: returnPath,
					expiresAt: signInEnd(machineNow()),
				};
				set.headers.location = await providers.authorizationUrl(provider, pending);
				set.headers["set-cookie"] = keepCookie(folderSecret, pending, isSecure(request, server));
				set.status = 302;
			},
			{ detail: operations.start, params: IdentityProviderPath, query: SignInStartQuery },
		)
		.get(
			"/:id/callback",
			async ({ params: { id }, query: { state }, request, server, set, redirect }) => {
				const provider = transactions.read(nobody, (work) => getSignInProvider(work, id));
				if (state === undefined || state === "")
					throw fail("BadUserInput", "query/state: is missing; begin a sign-in where you meant to sign in.");
				const pending = readPending(
					folderSecret,
					request.headers.get("cookie"),
					{ state, providerId: id },
					machineNow(),
				);
				const stateHash = hashSecret(state);
				transactions.read(nobody, (work) => assertUnused(work, stateHash));
				count(request, server);
				const said = await providers.exchange(provider, pending, new URL(request.url).search);
				const { token, expiresAt } = await write(nobody, "signInByProvider", {
					...said,
					...{ providerId: id, stateHash, stateExpiresAt: pending.expiresAt },
					session: {
						lifetimeMs: api.sessions.lifetimeMs,
						address: senders.of(request, server).address,
						userAgent: userAgentOf(request),
					},
				});
				const session = { token, expiresAt: toIso(expiresAt) };
				const ended = dropCookie(pending, isSecure(request, server));
				// The console gets the session as a cookie that scripts cannot read.
				set.headers["set-cookie"] =
					pending.returnTo === null ? ended : [ended, sessions.cookieOf(request, server, session)];
				return pending.returnTo === null ? Response.json({ data: session }) : redirect(pending.returnTo, 302);
			},
			{
				detail: operations.callback,
				params: IdentityProviderPath,
				query: SignInCallbackQuery,
				response: single(SessionView),
			},
		);
};
