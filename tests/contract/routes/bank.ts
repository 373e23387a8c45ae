import { none, type Template } from "./template";

// The catalogue has no code for an unknown entry.
const ofEntry = (tail: string) => ({
	path: `/bank-entries/{bankEntry}${tail}`,
	unknown: [[`/bank-entries/${none}${tail}`, null]] as const,
});

const list = { scope: "INVOICE:READ", foreign: "an empty list" } as const;

export const bank: Record<string, Template> = {
	"GET /bank-accounts": { ...list, path: "/bank-accounts" },
	"PUT /bank-accounts/:iban": {
		path: "/bank-accounts/FR1420041010050500013M02606",
		scope: "INVOICE:WRITE",
		body: { feeTolerance: [{ currency: "eur", amount: 5 }], csvMapping: null },
		// The catalogue has no code for an unknown account.
		unknown: [["/bank-accounts/DE02120300000000202051", null, { feeTolerance: [] }]],
	},
	"GET /bank-imports": { ...list, path: "/bank-imports" },
	"GET /bank-imports/:importId": {
		path: "/bank-imports/{bankImport}",
		scope: "INVOICE:READ",
		unknown: [[`/bank-imports/${none}`, null]],
	},
	"GET /bank-statements": { ...list, path: "/bank-statements" },
	"GET /bank-entries": { ...list, path: "/bank-entries" },
	"GET /bank-entries/:entryId": { ...ofEntry(""), scope: "INVOICE:READ" },
	"POST /bank-entries/:entryId/confirm": {
		...ofEntry("/confirm"),
		scope: "INVOICE:WRITE",
		body: { proposal: 0, invoiceIds: ["i-1"], customerId: "acme", excess: "BALANCE" },
		// It names three targets.
		answers: [400, "InvalidArgumentError"],
	},
	"POST /bank-entries/:entryId/reject": { ...ofEntry("/reject"), scope: "INVOICE:WRITE" },
	"POST /bank-entries/:entryId/undo": { ...ofEntry("/undo"), scope: "INVOICE:WRITE" },
};
