import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { toWire } from "../../../kernel/decimal";
import { viewPage } from "../../../kernel/page";
import { listOf, single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { getInvoicedCustomer } from "../operations";
import { CustomerPath } from "../schema";
import { balancesOf } from "./ledger";
import { balanceOperations as operations } from "./openapi";
import { adjustBalance, listBalanceEntries } from "./operations";
import { BalanceAdjustment, BalanceEntry, BalanceEntryListQuery, CustomerBalance } from "./schema";
import { viewBalanceEntry } from "./view";

export const balanceRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/customers/:id/balance", tags: ["Invoices"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ read, params }) =>
				read((work) => {
					const { id } = getInvoicedCustomer(work, params.id);
					return { data: balancesOf(work, id).map(({ amount, currency }) => ({ amount: toWire(amount), currency })) };
				}),
			{
				detail: operations.retrieve,
				permit: "CUSTOMER:READ",
				params: CustomerPath,
				response: single(CustomerBalance),
			},
		)
		.get(
			"/entries",
			({ read, params, query }) =>
				read((work) =>
					viewPage(listBalanceEntries(work, getInvoicedCustomer(work, params.id).id, query), viewBalanceEntry),
				),
			{
				detail: operations.list,
				permit: "CUSTOMER:READ",
				params: CustomerPath,
				query: BalanceEntryListQuery,
				response: listOf(BalanceEntry),
			},
		)
		.post(
			"/entries",
			({ create, params, body }) =>
				create((work) => ({
					data: viewBalanceEntry(adjustBalance(work, getInvoicedCustomer(work, params.id).id, body)),
				})),
			{
				detail: operations.adjust,
				permit: "INVOICE:WRITE",
				params: CustomerPath,
				body: BalanceAdjustment,
				response: { 201: single(BalanceEntry) },
			},
		);
