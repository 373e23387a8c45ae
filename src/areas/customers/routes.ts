import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, single } from "../../kernel/schema";
import type { Work } from "../../kernel/work";
import type { Services } from "../../server/context";
import { customerOperations as operations } from "./openapi";
import {
	couponRefsOf,
	getCustomer,
	listCustomers,
	listResources,
	unarchiveCustomer,
	updateCustomer,
} from "./operations";
import { importCustomers } from "./operations.import";
import { attachPaymentMethod } from "./operations.payment";
import { parentRefsOf } from "./parents/operations";
import {
	Customer,
	CustomerListQuery,
	CustomerPath,
	CustomerProvision,
	CustomerResource,
	CustomerUpdate,
	ResourceListQuery,
} from "./schema";
import { CustomerImport, CustomersImported } from "./schema.import";
import { PaymentMethodAttach } from "./schema.integrations";
import type { CustomerRow } from "./table";
import { viewCustomer, viewResource } from "./view";

/** Returns a view function for these customers. */
const viewsOf = (work: Work, rows: readonly CustomerRow[]) => {
	const couponRefs = couponRefsOf(work, rows);
	const parentRefs = parentRefsOf(work, rows);
	return (row: CustomerRow) =>
		viewCustomer(row, {
			couponRef: couponRefs.get(row.couponId ?? "") ?? null,
			parentRef: parentRefs.get(row.parentCustomerId ?? "") ?? null,
		});
};

const show = (work: Work, row: CustomerRow) => ({ data: viewsOf(work, [row])(row) });

const limited = { scope: "CUSTOMER:WRITE", limitedBy: "customer" } as const;
const params = CustomerPath;
const response = single(Customer);

/**
 * Operations that also concern subscriptions (subscriptions/customers/operations.ts). `routes/customers.ts` passes them in, because
 * `subscriptions` depends on this area.
 */
interface WithSubscriptions {
	startCustomer(work: Work, input: CustomerProvision): { readonly customer: CustomerRow };
	archiveCustomer(work: Work, refId: string): CustomerRow;
	detachPaymentMethod(work: Work, refId: string): CustomerRow;
}

export const customerRoutes = (
	services: Services,
	{ startCustomer, archiveCustomer, detachPaymentMethod }: WithSubscriptions,
) =>
	new Elysia({ prefix: "/api/v1/customers", tags: ["Customers"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ read, query }) =>
				read((work) => {
					const page = listCustomers(work, query);
					return viewPage(page, viewsOf(work, page.rows));
				}),
			{ detail: operations.list, permit: "CUSTOMER:READ", query: CustomerListQuery, response: listOf(Customer) },
		)
		.post("", ({ create, body }) => create((work) => show(work, startCustomer(work, body).customer)), {
			detail: operations.provision,
			permit: "CUSTOMER:WRITE",
			body: CustomerProvision,
			response: { 201: response },
		})
		.post("/import", ({ write, body }) => write((work) => ({ data: { newCustomers: importCustomers(work, body) } })), {
			detail: operations.import,
			permit: "CUSTOMER:WRITE",
			body: CustomerImport,
			response: single(CustomersImported),
		})
		.get("/:id", ({ read, params: { id } }) => read((work) => show(work, getCustomer(work, id))), {
			detail: operations.retrieve,
			permit: "CUSTOMER:READ",
			params,
			response,
		})
		.patch("/:id", ({ write, params: { id }, body }) => write((work) => show(work, updateCustomer(work, id, body))), {
			detail: operations.update,
			permit: limited,
			params,
			body: CustomerUpdate,
			response,
		})
		.post("/:id/archive", ({ write, params: { id } }) => write((work) => show(work, archiveCustomer(work, id))), {
			detail: operations.archive,
			permit: limited,
			params,
			response,
		})
		.post("/:id/unarchive", ({ write, params: { id } }) => write((work) => show(work, unarchiveCustomer(work, id))), {
			detail: operations.unarchive,
			permit: limited,
			params,
			response,
		})
		.post(
			"/:id/payment-method",
			({ write, params: { id }, body }) => write((work) => show(work, attachPaymentMethod(work, id, body))),
			{ detail: operations.paymentMethod.attach, permit: limited, params, body: PaymentMethodAttach, response },
		)
		.delete(
			"/:id/payment-method",
			({ write, params: { id } }) => write((work) => show(work, detachPaymentMethod(work, id))),
			{ detail: operations.paymentMethod.detach, permit: limited, params, response },
		)
		.get(
			"/:id/resources",
			({ read, params: { id }, query }) => read((work) => viewPage(listResources(work, id, query), viewResource)),
			{
				detail: operations.listResources,
				permit: "CUSTOMER:READ",
				params,
				query: ResourceListQuery,
				response: listOf(CustomerResource),
			},
		);
