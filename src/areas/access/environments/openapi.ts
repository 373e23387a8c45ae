import { operation } from "../../../openapi/operation";

const path = { id: ["The environment's id; `current` for the caller's environment", "current"] } as const;

export const environmentOperations = {
	list: operation({
		operationId: "environments.list",
		summary: "List environments",
		description: "A user sees the environments of the account, a key its own.",
		query: { status: "Only environments with these statuses; ACTIVE by default" },
	}),
	create: operation({
		operationId: "environments.create",
		summary: "Create an environment",
		description:
			"Only this response shows the secrets of the two default keys. `fullAccessKey` is null unless the caller is an owner of the account; an owner gets the secret by rotating that key. For signed-in users: a key belongs to one environment and cannot create another.",
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
			"If this call switches client hardening on, `signingSecret` is the secret with which your backend signs customer ids; otherwise it is null.",
		path,
		example: { unknownCustomers: "refuse", billingAnchor: "SUBSCRIPTION_START" },
		refusals: ["EnvironmentMissing", "DuplicatedEntityNotAllowed"],
	}),
	archive: operation({
		operationId: "environments.archive",
		summary: "Archive an environment",
		description:
			"Cannot be undone: its keys stop working, and nothing becomes due. The data stays in the data folder. For signed-in users; the last environment of an account cannot be archived.",
		path,
		refusals: ["EnvironmentMissing", "IdentityForbidden"],
	}),
};
