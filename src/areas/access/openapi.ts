import { operation } from "../../openapi/operation";

export const accessOperations = {
	login: operation({
		operationId: "auth.login",
		summary: "Sign in",
		description:
			"A token for twelve hours, or as long as the server is set to. Who has a second factor sends a code or a recovery code too; without, the answer says that one is needed. Ten wrong passwords or codes in ten minutes pause the account for the network that sent them, and wrong ones for ten accounts pause the network. Many for one account from several networks delay the sign-ins from new networks.",
		example: { email: "ada@example.com", password: "correct horse battery staple" },
		callers: "anyone",
		refusals: ["Unauthenticated", "RateLimitExceeded"],
	}),
	logout: operation({ operationId: "auth.logout", summary: "Sign out", callers: "user" }),
	me: operation({
		operationId: "auth.me",
		summary: "Show the signed-in user",
		description: "With memberships and their environments.",
		callers: "user",
	}),
};
