import { operation } from "../../openapi/operation";

const path = { id: ["The tax's id", "tax-de-19"] } as const;

const uncoded = { 404: "There is no such tax." };

export const taxOperations = {
	list: operation({
		operationId: "taxes.list",
		summary: "List taxes",
		query: { id: "Only the tax with this id", status: "Only taxes in these states" },
	}),
	create: operation({
		operationId: "taxes.create",
		summary: "Create a tax",
		description:
			"A rate that `taxes` of an environment, a customer, a package, a charge or a subscription names. Only its name can change.",
		example: { id: "tax-de-7", displayName: "VAT", percentage: 7, isInclusive: true, country: "DE", code: "DE7" },
		refusals: ["DuplicatedEntityNotAllowed"],
	}),
	retrieve: operation({
		operationId: "taxes.retrieve",
		summary: "Show a tax",
		path,
		uncoded,
	}),
	update: operation({
		operationId: "taxes.update",
		summary: "Rename a tax",
		description: "Documents that were issued keep the former name. Another percentage is another tax.",
		path,
		example: { displayName: "USt." },
		refusals: ["InvalidArgumentError"],
		uncoded,
	}),
	archive: operation({
		operationId: "taxes.archive",
		summary: "Archive a tax",
		description: "It applies where it is assigned, and cannot be assigned again.",
		path,
		uncoded,
	}),
};
