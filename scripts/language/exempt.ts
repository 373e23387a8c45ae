/** Names of keys in stored JSON. They cannot change without a migration. */
export const storedNames: ReadonlySet<string> = new Set(["isGivenBack"]);

/** Paths whose language is never checked: the history of releases, and the words that this check looks for. */
export const exempt: readonly string[] = ["CHANGELOG.md", "scripts/language/"];

/** Paths that the check does not cover yet. Remove a path when its findings are fixed. */
export const pending: readonly string[] = [
	"src/areas/contracts/graphql.mutations.ts",
	"src/areas/invoices/credit-notes/operations.ts",
	"src/areas/invoices/drafts/openapi.ts",
	"src/areas/invoices/drafts/rules.ts",
	"src/areas/invoices/explain/openapi.ts",
	"src/areas/invoices/openapi.ts",
	"src/areas/invoices/payments/openapi.ts",
	"src/areas/invoices/payments/rules.ts",
	"src/areas/invoices/rules.ts",
	"src/areas/packages/charges/rules.ts",
	"src/areas/pricing/explain/steps.ts",
	"tests/areas/invoices/credit-notes.test.ts",
];
