import type { PortalBudget, PortalBudgetRequest, PortalLimitUpdate, PortalLink } from "../areas/portal/budgets/schema";
import { type Caller, data, send } from "./api";

export type { PortalBudget, PortalBudgetRequest, PortalLink };

interface Page<Row> {
	readonly data: readonly Row[];
	readonly pagination: { readonly next: string | null };
}

/** A page examines a bounded number of budgets, so it can be empty although others follow. */
const emptyPagesMax = 20;

const pageOf = async <Row>(caller: Caller, path: string, query: Readonly<Record<string, string>>) =>
	(await (await send(caller, "GET", `${path}?${new URLSearchParams(query)}`)).json()) as Page<Row>;

export const budgetsApi = (caller: Caller) => ({
	link: () => data<PortalLink>(caller, "GET", "/portal/session"),
	/** Returns the next page with budgets. */
	list: async (search: string, after: string | null): Promise<Page<PortalBudget>> => {
		let next = after;
		for (let pages = 1; ; pages += 1) {
			const page = await pageOf<PortalBudget>(caller, "/portal/budgets", {
				limit: "20",
				...(search && { entityIdSearch: search }),
				...(next && { after: next }),
			});
			next = page.pagination.next;
			if (page.data.length > 0 || !next || pages === emptyPagesMax) return page;
		}
	},
	changeLimit: (entityId: string, update: PortalLimitUpdate) =>
		data<PortalBudget>(caller, "PATCH", `/portal/budgets/${encodeURIComponent(entityId)}`, update),
	requests: () => pageOf<PortalBudgetRequest>(caller, "/portal/budget-requests", { status: "PENDING", limit: "100" }),
	request: (body: object) => data<PortalBudgetRequest>(caller, "POST", "/portal/budget-requests", body),
	decide: (id: string, verb: "approve" | "decline", body: object) =>
		data<PortalBudgetRequest>(caller, "POST", `/portal/budget-requests/${encodeURIComponent(id)}/${verb}`, body),
});
export type BudgetsApi = ReturnType<typeof budgetsApi>;
