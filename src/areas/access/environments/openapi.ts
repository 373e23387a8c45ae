import { operation } from "../../../openapi/operation";

const path = { id: ["The environment's id; `current` is that of the caller", "current"] } as const;

export const environmentOperations = {
	list: operation({
		operationId: "environments.list",
		summary: "List environments",
		description: "A user sees those of the account, a key its own.",
		query: { status: "Only environments in these states; ACTIVE when left out" },
	}),
	create: operation({
		operationId: "environments.create",
		summary: "Create an environment",
		description:
			"Answers the secrets of its two default keys, which no other answer shows. `fullAccessKey` is null unless the caller is an owner of the account: an owner gets a secret by rotating that key. For signed-in users: a key belongs to one environment and creates no others.",
		example: { name: "Staging", type: "SANDBOX", defaultCurrency: "eur" },
		refusals: ["DuplicatedEntityNotAllowed", "IdentityForbidden"],
	}),
	retrieve: operation({
		operationId: "environments.retrieve",
		summary: "Show an environment",
		path,
		refusals: ["EnvironmentMissing"],
	}),
	update: operation({
		operationId: "environments.update",
		summary: "Change an environment and its settings",
		description:
			"Where client hardening is switched on, `signingSecret` is what your backend signs customers' ids with; it is null otherwise.",
		path,
		example: { unknownCustomers: "refuse", billingAnchor: "SUBSCRIPTION_START" },
		refusals: ["EnvironmentMissing", "DuplicatedEntityNotAllowed"],
	}),
	archive: operation({
		operationId: "environments.archive",
		summary: "Archive an environment",
		description:
			"For good: no key calls there any more, and nothing falls due. What it holds stays in the data folder. For signed-in users; the last environment of an account stays.",
		path,
		refusals: ["EnvironmentMissing", "IdentityForbidden"],
	}),
};
