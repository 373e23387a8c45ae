import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { causedBy } from "../../../http/causes";
import { networkOf } from "../../../http/client-address";
import { SlidingWindow } from "../../../http/limits/sliding-window";
import { HttpRefusal } from "../../../http/refusal";
import { toIso } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import { viewPage } from "../../../kernel/page";
import { listOf, RefId, single } from "../../../kernel/schema";
import { writeDurably } from "../../../kernel/work";
import { resetMail } from "../../../mail/messages";
import { queueMail } from "../../../mail/operations";
import type { Services } from "../../../server/context";
import { memberOperations } from "../members/openapi";
import { acceptInvitation, invitationOf } from "../members/operations.invitations";
import { Accepted, InvitationAccept } from "../members/schema";
import { systemActor } from "../rules.actors";
import { linkTo } from "../rules.links";
import { assertByPassword } from "../rules.sessions";
import { signInOperations as operations } from "./openapi";
import { changePassword, resetPassword, startPasswordReset, userOfReset } from "./operations.passwords";
import {
	confirmSecondFactor,
	dropSecondFactor,
	enrolSecondFactor,
	findConfirmed,
	getEnrolled,
	isRightCode,
	useCode,
} from "./operations.second-factor";
import { endOwnSession, endOwnSessions, listSessions } from "./operations.sessions";
import type { Proofs } from "./proofs";
import {
	PasswordChange,
	PasswordReset,
	RecoveryCodes,
	ResetRequest,
	SessionListQuery,
	SessionOfUser,
	TotpConfirm,
	TotpDrop,
	TotpEnrol,
	TotpEnrolment,
} from "./schema";

/** Sign-in belongs to a person, not to an environment; its times are the wall clock's. */
const nobody = systemActor("");

/** The maximum number of emails in an hour to one address, and by one sender. Further ones are silently dropped. */
const mailsToMax = 3;
const mailsFromMax = 20;
const mailsWindowMs = 60 * 60 * 1000;

/** Routes without a session: sign-in and password reset. */
export const openRoutes = (services: Services, proofs: Proofs) => {
	const { transactions, api, outgoing, senders, limits } = services;
	const to = new SlidingWindow(mailsToMax, mailsWindowMs);
	const from = new SlidingWindow(mailsFromMax, mailsWindowMs);
	const mayMail = (email: string, sender: string): boolean => {
		const now = limits.clockMs();
		return from.count(sender, now).allowed && to.count(email.toLowerCase(), now).allowed;
	};
	return new Elysia({ normalize: false })
		.onParse(({ request, route }) => proofs.readBody(request, route))
		.post(
			"/auth/password/reset-request",
			async ({ body: { email }, request, server }) => {
				if (!api.mail)
					throw new HttpRefusal(
						409,
						"This server sends no mail; ask its operator for another password (`tollgate users`).",
					);
				if (mayMail(email, networkOf(senders.of(request, server))))
					await writeDurably(
						transactions,
						nobody,
						causedBy(services, request, undefined, (work) => {
							const reset = startPasswordReset(work, email);
							const mail =
								reset &&
								resetMail({ to: reset.user.email, link: linkTo(api.publicUrl, "reset-password", reset.token) });
							queueMail(work, outgoing.folderSecret, mail ?? null);
						}),
					);
				return { data: {} };
			},
			{ detail: operations.requestReset, body: ResetRequest, response: single(Type.Object({})) },
		)
		.post(
			"/auth/password/reset",
			async ({ body: { token, password }, request }) => {
				const { id } = transactions.read(nobody, (work) => userOfReset(work, token));
				const passwordHash = await proofs.hash(password);
				const { email } = await writeDurably(
					transactions,
					nobody,
					causedBy(services, request, id, (work) => resetPassword(work, token, passwordHash)),
				);
				return { data: { email } };
			},
			{ detail: operations.reset, body: PasswordReset, response: single(Type.Object({ email: Type.String() })) },
		)
		.post(
			"/auth/invitations/accept",
			async ({ body: { token, password, name = null }, request, server }) => {
				const { invitation, user } = transactions.read(nobody, (work) => invitationOf(work, token));
				if (user?.passwordHash === null)
					throw fail(
						"MemberInvitationError",
						"You have no password on this server yet: ask for a link to choose one (POST /api/v1/auth/password/reset-request), then accept with it.",
					);
				if (user) await proofs.assertProved({ request, server }, { email: invitation.email, user, password });
				const passwordHash = user ? null : await proofs.hash(password);
				const { account, email } = await writeDurably(
					transactions,
					nobody,
					causedBy(services, request, user?.id, (work) => acceptInvitation(work, token, { name, passwordHash })),
				);
				return { data: { email, accountId: account.id, accountName: account.name } };
			},
			{ detail: memberOperations.acceptInvitation, body: InvitationAccept, response: single(Accepted) },
		);
};

/** Routes for a signed-in user. */
export const ownRoutes = (services: Services, proofs: Proofs) => {
	const { transactions, authenticator, api, outgoing } = services;
	const { folderSecret } = outgoing;
	const loginOf = (request: Request) => authenticator.login(request.headers);
	/** Returns the session if it was created by a password, which is valid in all accounts. */
	const ownLoginOf = (request: Request) => {
		const login = loginOf(request);
		assertByPassword(login.session);
		return login;
	};
	return new Elysia({ normalize: false })
		.onParse(({ request, route }) => {
			loginOf(request);
			return proofs.readBody(request, route);
		})
		.onTransform(({ request }) => {
			loginOf(request);
		})
		.get(
			"/sessions",
			({ request, query }) => {
				const login = loginOf(request);
				return transactions.read(nobody, (work) =>
					viewPage(listSessions(work, login, query, api.sessions), ({ id, address, userAgent, ...times }) => ({
						...{ id, isCurrent: id === login.session.id, address, userAgent },
						lastSeenAt: toIso(times.lastSeenAt),
						expiresAt: toIso(times.expiresAt),
						createdAt: toIso(times.createdAt),
					})),
				);
			},
			{ detail: operations.listSessions, query: SessionListQuery, response: listOf(SessionOfUser) },
		)
		.delete(
			"/sessions",
			async ({ request }) => {
				const login = loginOf(request);
				await writeDurably(
					transactions,
					nobody,
					causedBy(services, request, login.user.id, (work) => endOwnSessions(work, login)),
				);
				return { data: {} };
			},
			{ detail: operations.endSessions, response: single(Type.Object({})) },
		)
		.delete(
			"/sessions/:id",
			async ({ request, params: { id } }) => {
				const login = loginOf(request);
				await writeDurably(
					transactions,
					nobody,
					causedBy(services, request, login.user.id, (work) => endOwnSession(work, login, id)),
				);
				return { data: {} };
			},
			{ detail: operations.endSession, params: Type.Object({ id: RefId }), response: single(Type.Object({})) },
		)
		.post(
			"/auth/password",
			async ({ request, server, body: { currentPassword, password } }) => {
				const login = ownLoginOf(request);
				await proofs.assertProved(
					{ request, server },
					{ ...login, email: login.user.email, password: currentPassword },
				);
				const passwordHash = await proofs.hash(password);
				await writeDurably(
					transactions,
					nobody,
					causedBy(services, request, login.user.id, (work) => changePassword(work, login, passwordHash)),
				);
				return { data: {} };
			},
			{ detail: operations.changePassword, body: PasswordChange, response: single(Type.Object({})) },
		)
		.post(
			"/auth/totp/enrol",
			async ({ request, server, body: { password } }) => {
				const { user } = ownLoginOf(request);
				await proofs.assertProved({ request, server }, { user, email: user.email, password });
				return {
					data: await writeDurably(
						transactions,
						nobody,
						causedBy(services, request, user.id, (work) => enrolSecondFactor(work, user, folderSecret)),
					),
				};
			},
			{ detail: operations.enrol, body: TotpEnrol, response: single(TotpEnrolment) },
		)
		.post(
			"/auth/totp/confirm",
			async ({ request, server, body: { totpCode } }) => {
				const { user } = ownLoginOf(request);
				const factor = transactions.read(nobody, (work) => getEnrolled(work, user.id));
				const isRight = () =>
					transactions.read(nobody, (work) => isRightCode(work, factor, { totpCode }, folderSecret));
				await proofs.assertRightCode({ request, server }, user.email, isRight);
				const recoveryCodes = await writeDurably(
					transactions,
					nobody,
					causedBy(services, request, user.id, (work) => confirmSecondFactor(work, user, totpCode, folderSecret)),
				);
				return { data: { recoveryCodes } };
			},
			{ detail: operations.confirm, body: TotpConfirm, response: single(RecoveryCodes) },
		)
		.delete(
			"/auth/totp",
			async ({ request, server, body: { password, ...sent } }) => {
				const { user } = ownLoginOf(request);
				const factor = transactions.read(nobody, (work) => findConfirmed(work, user.id));
				if (!factor) throw fail("BadUserInput", "You have no second factor.");
				const also = () => transactions.read(nobody, (work) => isRightCode(work, factor, sent, folderSecret));
				await proofs.assertProved({ request, server }, { user, email: user.email, password, also });
				await writeDurably(
					transactions,
					nobody,
					causedBy(services, request, user.id, (work) => {
						useCode(work, factor, sent, folderSecret);
						dropSecondFactor(work, user.id);
					}),
				);
				return { data: {} };
			},
			{ detail: operations.drop, body: TotpDrop, response: single(Type.Object({})) },
		);
};
