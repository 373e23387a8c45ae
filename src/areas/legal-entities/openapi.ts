import { operation } from "../../openapi/operation";

const path = {
	id: ["The legal entity's id, which the list answers", "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c72"],
} as const;
const uncoded = { 404: "There is no such legal entity." };

export const legalEntityOperations = {
	list: operation({
		operationId: "legalEntities.list",
		summary: "List the legal entities that issue invoices",
		description: "There is always a default one. Archived ones are in the list too.",
	}),
	create: operation({
		operationId: "legalEntities.create",
		summary: "Create a legal entity",
		description:
			"A company that issues invoices, with its own numbers. A prefix belongs to the one that had it first. `warnings` lists what its invoices lack: an address (line1, city, country) or a tax ID. `cashDiscount` is granted to customers that have none of their own.",
		example: {
			name: "Acme France SAS",
			address: { line1: "5 rue de la Paix", postalCode: "75002", city: "Paris", country: "FR" },
			taxIds: [{ type: "eu_vat", value: "FR40303265045" }],
			bankAccount: { iban: "FR14 2004 1010 0505 0001 3M02 606", bic: "PSSTFRPPPAR" },
			numberFormat: { invoicePrefix: "FR-", creditNotePrefix: "FR-AV-", year: true, padding: 4 },
			language: "fr",
			netTerms: 30,
		},
		refusals: ["InvalidArgumentError", "InvalidTaxId", "DuplicatedEntityNotAllowed"],
	}),
	retrieve: operation({ operationId: "legalEntities.retrieve", summary: "Show a legal entity", path, uncoded }),
	retrieveLogo: operation({
		operationId: "legalEntities.retrieveLogo",
		summary: "Get a legal entity's logo",
		path,
		answer: { description: "The picture, as it was sent.", contentType: "image/png" },
		uncoded: { 404: "There is no such legal entity, or it has no logo." },
	}),
	update: operation({
		operationId: "legalEntities.update",
		summary: "Change a legal entity",
		description: "Invoices that were issued keep what they show. Numbers go on where they are.",
		path,
		example: { netTerms: 14, footer: "Thank you for your business." },
		refusals: ["InvalidArgumentError", "InvalidTaxId", "DuplicatedEntityNotAllowed", "EntityIsArchivedError"],
		uncoded,
	}),
	archive: operation({
		operationId: "legalEntities.archive",
		summary: "Archive a legal entity",
		description: "It can be named no more; who names it goes on being invoiced by it. The default one stays.",
		path,
		refusals: ["InvalidArgumentError"],
		uncoded,
	}),
};
