import { operation } from "../../../openapi/operation";

const wrong = ["Unauthenticated", "RateLimitExceeded"] as const;

export const signInOperations = {
	listSessions: operation({
		operationId: "sessions.list",
		summary: "List your sessions",
		description: "Your active sessions, newest first.",
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
		description: "Ends all of your sessions, including the current one.",
		callers: "user",
	}),
	requestReset: operation({
		operationId: "auth.requestPasswordReset",
		summary: "Request a password reset",
		description:
			"The response is always the same. If the address belongs to a user, Tollgate sends an email with a link that is valid for an hour; three emails an hour at most.",
		example: { email: "ada@example.com" },
		callers: "anyone",
		uncoded: { 409: "This server sends no email." },
	}),
	reset: operation({
		operationId: "auth.resetPassword",
		summary: "Reset your password by a link",
		description: "The link works once. All sessions of the user end.",
		example: { token: "reset-of-nobody", password: "correct horse battery staple" },
		callers: "anyone",
	}),
	changePassword: operation({
		operationId: "auth.changePassword",
		summary: "Change your password",
		description: "All of your other sessions end.",
		example: { currentPassword: "correct horse battery staple", password: "another horse battery staple" },
		callers: "user",
		refusals: wrong,
	}),
	enrol: operation({
		operationId: "auth.totp.enrol",
		summary: "Enrol an app as a second factor",
		description:
			"TOTP (RFC 6238). Only this response shows the secret. The app becomes active after you confirm a code.",
		example: { password: "correct horse battery staple" },
		callers: "user",
		refusals: [...wrong, "DuplicatedEntityNotAllowed"],
	}),
	confirm: operation({
		operationId: "auth.totp.confirm",
		summary: "Confirm the app with a code",
		description:
			"From then on each sign-in requires a code. Returns ten recovery codes, each of which works once in place of a code.",
		example: { totpCode: "123456" },
		callers: "user",
		refusals: ["Unauthenticated"],
	}),
	drop: operation({
		operationId: "auth.totp.drop",
		summary: "Remove the second factor",
		description: "Requires the password, and a code or a recovery code.",
		example: { password: "correct horse battery staple", totpCode: "123456" },
		callers: "user",
		refusals: wrong,
	}),
};
