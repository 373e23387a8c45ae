import { none, ofCustomer, type Template } from "./template";

const ofEntity = (tail: string, path = `/legal-entities/{entity}${tail}`) => ({
	path,
	// The catalogue has no code for it.
	unknown: [[`/legal-entities/${none}${tail}`, null]] as const,
});

const numberFormat = { invoicePrefix: "FRESH-", creditNotePrefix: "FRESH-CN-", year: true, padding: 4 };

export const legalEntities: Record<string, Template> = {
	"GET /customers/:id/invoicing": { ...ofCustomer("/invoicing"), scope: "CUSTOMER:READ" },
	"PATCH /customers/:id/invoicing": {
		...ofCustomer("/invoicing"),
		scope: "CUSTOMER:WRITE",
		body: { taxExemption: "EXEMPT" },
	},
	"GET /plans/:id/invoicing": {
		path: "/plans/pro/invoicing",
		scope: "CATALOG:READ",
		unknown: [[`/plans/${none}/invoicing`, "PlanNotFound"]],
	},
	"PATCH /plans/:id/invoicing": {
		path: "/plans/pro/invoicing",
		scope: "CATALOG:WRITE",
		body: { legalEntityId: null },
		unknown: [[`/plans/${none}/invoicing`, "PlanNotFound"]],
	},
	"GET /legal-entities": { path: "/legal-entities", scope: "INVOICE:READ", foreign: "its own" },
	"POST /legal-entities": {
		path: "/legal-entities",
		scope: "ENVIRONMENT:WRITE",
		body: { name: "Fresh", numberFormat },
		foreign: "its own",
	},
	"GET /legal-entities/:id": { ...ofEntity(""), scope: "INVOICE:READ" },
	"GET /legal-entities/:id/logo": { ...ofEntity("/logo"), scope: "INVOICE:READ" },
	"PATCH /legal-entities/:id": { ...ofEntity(""), scope: "ENVIRONMENT:WRITE", body: { netTerms: 14 } },
	"POST /legal-entities/:id/archive": { ...ofEntity("/archive"), scope: "ENVIRONMENT:WRITE" },
};
