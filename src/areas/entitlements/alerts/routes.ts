import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { HttpRefusal } from "../../../http/refusal";
import { type Page, viewPage } from "../../../kernel/page";
import { listOf, single } from "../../../kernel/schema";
import type { Work } from "../../../kernel/work";
import type { Services } from "../../../server/context";
import { alertOperations as operations } from "./openapi";
import {
	createUsageAlert,
	deleteUsageAlert,
	findUsageAlert,
	listReachedAlerts,
	listUsageAlerts,
	updateUsageAlert,
} from "./operations";
import {
	NewUsageAlert,
	ReachedAlert,
	UsageAlert,
	UsageAlertChange,
	UsageAlertListQuery,
	UsageAlertPath,
} from "./schema";
import type { UsageAlertRow } from "./table";
import { reachedAlertView, usageAlertView } from "./view";

const viewOne = (work: Work, alert: UsageAlertRow) => ({ data: usageAlertView(work, [alert])(alert) });

/** The catalogue has no code for it. */
function getUsageAlert(work: Work, id: string): UsageAlertRow {
	const alert = findUsageAlert(work, id);
	if (!alert) throw new HttpRefusal(404, `There is no usage alert '${id}' in this environment.`);
	return alert;
}

const viewed = <Row, View>(
	work: Work,
	page: Page<Row>,
	view: (work: Work, rows: readonly Row[]) => (row: Row) => View,
) => viewPage(page, view(work, page.rows));

export const usageAlertRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/usage-alerts", tags: ["Usage"], normalize: false })
		.use(identity(services))
		.get("", ({ read, query }) => read((work) => viewed(work, listUsageAlerts(work, query), usageAlertView)), {
			detail: operations.list,
			permit: "USAGE:READ",
			query: UsageAlertListQuery,
			response: listOf(UsageAlert),
		})
		.get(
			"/reached",
			({ read, query }) => read((work) => viewed(work, listReachedAlerts(work, query), reachedAlertView)),
			{
				detail: operations.reached,
				permit: "USAGE:READ",
				query: UsageAlertListQuery,
				response: listOf(ReachedAlert),
			},
		)
		.post("", ({ create, body }) => create((work) => viewOne(work, createUsageAlert(work, body))), {
			detail: operations.create,
			permit: "USAGE:WRITE",
			body: NewUsageAlert,
			response: { 201: single(UsageAlert) },
		})
		.patch(
			"/:id",
			({ write, params: { id }, body }) =>
				write((work) => viewOne(work, updateUsageAlert(work, getUsageAlert(work, id), body))),
			{
				detail: operations.update,
				permit: "USAGE:WRITE",
				params: UsageAlertPath,
				body: UsageAlertChange,
				response: single(UsageAlert),
			},
		)
		.delete(
			"/:id",
			({ write, params: { id } }) =>
				write((work) => {
					const alert = getUsageAlert(work, id);
					deleteUsageAlert(work, alert);
					return viewOne(work, alert);
				}),
			{ detail: operations.delete, permit: "USAGE:WRITE", params: UsageAlertPath, response: single(UsageAlert) },
		);
