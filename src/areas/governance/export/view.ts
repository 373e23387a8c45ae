import { type CsvCell, csvResponse, nextLink } from "../../../http/responses/csv";
import { toIso, toIsoOrNull } from "../../../kernel/clock";
import type { ExportedBudget, ExportPage } from "./operations";

/** The columns, in order, with exact decimals. No id contains a space. */
const columns: ReadonlyArray<readonly [name: string, of: (row: ExportedBudget) => CsvCell]> = [
	["entityId", ({ entity }) => entity.refId],
	["entityTypeId", ({ typeRef }) => typeRef],
	["parentId", ({ parentRef }) => parentRef],
	["featureId", ({ node, capabilityRef }) => (node.capability === "FEATURE" ? capabilityRef : null)],
	["currencyId", ({ node, capabilityRef }) => (node.capability === "FEATURE" ? null : capabilityRef)],
	["scopeEntityIds", ({ scopeRefs }) => scopeRefs.join(" ")],
	["cadence", ({ cadence }) => cadence],
	["windowStart", ({ counted }) => toIso(counted.start)],
	["windowEnd", ({ counted }) => toIsoOrNull(counted.end)],
	["usageLimit", ({ counted }) => counted.usageLimit],
	["currentUsage", ({ counted }) => counted.usage],
	["reservedUsage", ({ counted }) => counted.reserved],
	["utilization", ({ counted }) => counted.utilization],
];

/** Returns a page as CSV. `Link` leads to the next page, if there is one. */
export function budgetsCsv({ rows, next }: ExportPage, request: Request): Response {
	const lines = [columns.map(([name]) => name), ...rows.map((row) => columns.map(([, of]) => of(row)))];
	return csvResponse("budgets.csv", lines, nextLink(request, next));
}
