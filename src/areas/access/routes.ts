import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { assertContentType, parseJson } from "../../http/body";
import { bodySizeOf, valuesMaxOf } from "../../http/body-sizes";
import { networkOf } from "../../http/callers/client-address";
import { originOf } from "../../http/origins";
import { toIso } from "../../kernel/clock";
import { fail } from "../../kernel/errors";
import { single } from "../../kernel/schema";
import { writeDurably } from "../../kernel/work";
import type { Services } from "../../services";
import { roleScopes } from "./members/rules";
import { accessOperations as operations } from "./openapi";
import { findUser, logout, membershipsOf, startSession } from "./operations";
import { systemActor } from "./rules.actors";
import { LoginBody, MeView, SessionView } from "./schema";
import { SignIns } from "./sign-in";

/** Verified when there is no such user, so that the time does not tell who has an account. */
const decoyHash = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$7pBqCZ7kVJqK4rWJ1N2l1lSkQnV8r6qkq0cQ5m8uZ0Y";

/** Sign-in belongs to a user, not to an environment; its times are the wall clock's. */
const nobody = systemActor("");

export const accessRoutes = ({ transactions, authenticator, limits, bodies, senders }: Services) => {
	const signIns = new SignIns(limits.clockMs);

	const readBody = async (request: Request, route: string): Promise<unknown> => {
		const size = bodySizeOf(request.method, route);
		const text = await bodies.text(request, size);
		assertContentType(request, text);
		return parseJson(text, valuesMaxOf[size]);
	};

	const signIn = new Elysia({ normalize: false })
		.onParse(({ request, route }) => readBody(request, route))
		.post(
			"/auth/login",
			async ({ body: { email, password }, request, server }) => {
				const keys = [`email ${email.toLowerCase()}`, `address ${networkOf(senders.of(request, server))}`];
				const user = transactions.read(nobody, (work) => findUser(work, email));
				const isRight = () => Bun.password.verify(password, user?.passwordHash ?? decoyHash).catch(() => false);
				if (!(await signIns.attempt(keys, isRight)) || !user)
					throw fail("Unauthenticated", "The email address or the password is wrong.");
				return writeDurably(transactions, nobody, (work) => {
					Object.assign(work.origin, originOf(senders, request, server), { actor: { kind: "USER", id: user.id } });
					const { token, session } = startSession(work, user);
					return { data: { token, expiresAt: toIso(session.expiresAt) } };
				});
			},
			{ detail: operations.login, body: LoginBody, response: single(SessionView) },
		);

	/** The token comes before the body, here as everywhere. */
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
					Object.assign(work.origin, originOf(senders, request, server), {
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
				const { user } = authenticator.login(request.headers);
				const memberships = transactions.read(nobody, (work) => membershipsOf(work, user));
				return {
					data: {
						id: user.id,
						email: user.email,
						name: user.name,
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

	return new Elysia({ prefix: "/api/v1", tags: ["Access"], normalize: false }).use(signIn).use(signedIn);
};
