import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { causeOf } from "../../http/causes";
import { toIso } from "../../kernel/clock";
import { assert } from "../../kernel/errors";
import { answer, single } from "../../kernel/schema";
import { type Work, writeDurably } from "../../kernel/work";
import type { Services } from "../../server/context";
import { roleScopes } from "./members/rules";
import { accessOperations as operations } from "./openapi";
import { accountsByPassword, findUser, type Login, logout, membershipsOf, startSession } from "./operations";
import { systemActor } from "./rules.actors";
import { userAgentOf } from "./rules.sessions";
import { LoginBody, MeView, SessionView } from "./schema";
import { openRoutes, ownRoutes } from "./sign-in/endpoints";
import { findConfirmed, isRightCode, useCode } from "./sign-in/operations.second-factor";
import { Proofs } from "./sign-in/proofs";
import { SecondFactorAsked } from "./sign-in/schema";

/** Sign-in belongs to a user, not to an environment; its times are the wall clock's. */
const nobody = systemActor("");

/** The parts of sign-in that identity providers decide. */
interface Providers {
	/** Throws if all these accounts require sign-in by an identity provider. */
	readonly assertPasswordSuffices: (work: Work, accountIds: readonly string[]) => void;
	/** Returns the only account of the session; undefined if it is valid in all of the user's accounts. */
	readonly accountEntered: (work: Work, login: Login) => string | undefined;
}

export const accessRoutes = (services: Services, { assertPasswordSuffices, accountEntered }: Providers) => {
	const { transactions, authenticator, api, outgoing, senders } = services;
	const { folderSecret } = outgoing;
	const proofs = new Proofs(services);
	const { readBody } = proofs;

	const signIn = new Elysia({ normalize: false })
		.onParse(({ request, route }) => readBody(request, route))
		.post(
			"/auth/login",
			async ({ body: { email, password, ...sent }, request, server }) => {
				const { user, factor } = transactions.read(nobody, (work) => {
					const found = findUser(work, email);
					return { user: found, factor: found && findConfirmed(work, found.id) };
				});
				const hasCode = sent.totpCode !== undefined || sent.recoveryCode !== undefined;
				// Without a code, only the password is verified, and the response requests the code.
				const also = () =>
					!factor || !hasCode || transactions.read(nobody, (work) => isRightCode(work, factor, sent, folderSecret));
				await proofs.assertProved({ request, server }, { email, user, password, also });
				assert(user, "who has proved to be somebody is there");
				if (factor && !hasCode) return { data: { secondFactor: "TOTP" as const } };
				const signedIn = await writeDurably(transactions, nobody, (work) => {
					Object.assign(work.cause, causeOf(senders, request, server), { actor: { kind: "USER", id: user.id } });
					assertPasswordSuffices(work, accountsByPassword(work, user));
					if (factor) useCode(work, factor, sent, folderSecret);
					const { token, session } = startSession(work, user, {
						lifetimeMs: api.sessions.lifetimeMs,
						address: senders.of(request, server).address,
						userAgent: userAgentOf(request),
					});
					return { data: { token, expiresAt: toIso(session.expiresAt) } };
				});
				proofs.noteSignIn({ request, server }, email);
				return signedIn;
			},
			{
				detail: operations.login,
				body: LoginBody,
				response: answer(Type.Object({ data: Type.Union([SessionView, SecondFactorAsked]) })),
			},
		);

	/** The token is verified before the body, as on all routes. */
	const signedIn = new Elysia({ normalize: false })
		.onParse(({ request, route }) => {
			authenticator.login(request.headers);
			return readBody(request, route);
		})
		.onTransform(({ request }) => {
			authenticator.login(request.headers);
		})
		.post(
			"/auth/logout",
			async ({ request, server }) => {
				const login = authenticator.login(request.headers);
				await writeDurably(transactions, nobody, (work) => {
					Object.assign(work.cause, causeOf(senders, request, server), {
						actor: { kind: "USER", id: login.user.id },
					});
					logout(work, login);
				});
				return { data: {} };
			},
			{ detail: operations.logout, response: single(Type.Object({})) },
		)
		.get(
			"/me",
			({ request }) => {
				const login = authenticator.login(request.headers);
				const { user, session } = login;
				// A session by an identity provider neither shows nor changes these.
				const isByPassword = session.providerId === null;
				const { memberships, factor } = transactions.read(nobody, (work) => ({
					memberships: membershipsOf(work, login, accountEntered(work, login)),
					factor: findConfirmed(work, user.id),
				}));
				return {
					data: {
						id: user.id,
						email: user.email,
						name: user.name,
						hasPassword: isByPassword && user.passwordHash !== null,
						hasSecondFactor: isByPassword && factor !== undefined,
						memberships: memberships.map(({ environments, ...membership }) => ({
							...membership,
							environments: environments.map(({ id, name, kind, role, rights }) => ({
								...{ id, name, type: kind, role },
								scopes: rights === "everything" ? [...roleScopes] : [...rights],
							})),
						})),
					},
				};
			},
			{ detail: operations.me, response: single(MeView) },
		);

	return new Elysia({ prefix: "/api/v1", tags: ["Access"], normalize: false })
		.use(signIn)
		.use(signedIn)
		.use(openRoutes(services, proofs))
		.use(ownRoutes(services, proofs));
};
