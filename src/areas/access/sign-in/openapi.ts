import { operation } from "../../../openapi/operation";

const wrong = ["Unauthenticated", "RateLimitExceeded"] as const;

export const signInOperations = {
	listSessions: operation({
		operationId: "sessions.list",
		summary: "List your sessions",
		description: "Where you are signed in, newest first.",
		callers: "user",
	}),
	endSession: operation({
		operationId: "sessions.end",
		summary: "End one of your sessions",
		path: { id: ["The session's id", "01900000-0000-7000-8000-000000000000"] },
		callers: "user",
		uncoded: { 404: "You have no such session." },
	}),
	endSessions: operation({
		operationId: "sessions.endAll",
		summary: "Sign out everywhere",
		description: "All of your sessions end, the one that asks too.",
		callers: "user",
	}),
	requestReset: operation({
		operationId: "auth.requestPasswordReset",
		summary: "Ask for a link to choose another password",
		description:
			"The answer is always the same. Who has this address here gets a mail with a link for an hour; at most three an hour.",
		example: { email: "ada@example.com" },
		callers: "anyone",
		uncoded: { 409: "This server sends no mail." },
	}),
	reset: operation({
		operationId: "auth.resetPassword",
		summary: "Choose another password by a link",
		description: "The link counts once. All sessions of the user end.",
		example: { token: "reset-of-nobody", password: "correct horse battery staple" },
		callers: "anyone",
	}),
	changePassword: operation({
		operationId: "auth.changePassword",
		summary: "Change your password",
		description: "All other sessions of yours end.",
		example: { currentPassword: "correct horse battery staple", password: "another horse battery staple" },
		callers: "user",
		refusals: wrong,
	}),
	enrol: operation({
		operationId: "auth.totp.enrol",
		summary: "Enrol an app as second factor",
		description: "TOTP (RFC 6238). The secret is in this answer only. It counts once a code of the app was confirmed.",
		example: { password: "correct horse battery staple" },
		callers: "user",
		refusals: [...wrong, "DuplicatedEntityNotAllowed"],
	}),
	confirm: operation({
		operationId: "auth.totp.confirm",
		summary: "Confirm the app with a code",
		description:
			"From now on a code is asked for. Answers ten recovery codes, each of which counts once in place of a code.",
		example: { totpCode: "123456" },
		callers: "user",
		refusals: ["Unauthenticated"],
	}),
	drop: operation({
		operationId: "auth.totp.drop",
		summary: "Drop the second factor",
		description: "With the password, and with a code or a recovery code.",
		example: { password: "correct horse battery staple", totpCode: "123456" },
		callers: "user",
		refusals: wrong,
	}),
};
