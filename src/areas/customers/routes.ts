import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, single } from "../../kernel/schema";
import type { Work } from "../../kernel/work";
import type { Services } from "../../services";
import { archiveCustomer } from "../subscriptions/operations";
import {
	couponRefsOf,
	getCustomer,
	listCustomers,
	listResources,
	provisionCustomer,
	unarchiveCustomer,
	updateCustomer,
} from "./operations";
import {
	Customer,
	CustomerListQuery,
	CustomerPath,
	CustomerProvision,
	CustomerResource,
	CustomerUpdate,
	ResourceListQuery,
} from "./schema";
import type { CustomerRow } from "./table";
import { viewCustomer, viewResource } from "./view";

const show = (work: Work, row: CustomerRow) => {
	const couponRefs = couponRefsOf(work, [row]);
	return { data: viewCustomer(row, (row.couponId && couponRefs.get(row.couponId)) || null) };
};

const limited = { scope: "CUSTOMER:WRITE", limitedBy: "customer" } as const;
const params = CustomerPath;
const response = single(Customer);

export const customerRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/customers", tags: ["Customers"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ read, query }) =>
				read((work) => {
					const page = listCustomers(work, query);
					const couponRefs = couponRefsOf(work, page.rows);
					return viewPage(page, (row) => viewCustomer(row, (row.couponId && couponRefs.get(row.couponId)) || null));
				}),
			{ permit: "CUSTOMER:READ", query: CustomerListQuery, response: listOf(Customer) },
		)
		.post("", ({ create, body }) => create((work) => show(work, provisionCustomer(work, body))), {
			permit: "CUSTOMER:WRITE",
			body: CustomerProvision,
			response: { 201: response },
		})
		.get("/:id", ({ read, params: { id } }) => read((work) => show(work, getCustomer(work, id))), {
			permit: "CUSTOMER:READ",
			params,
			response,
		})
		.patch("/:id", ({ write, params: { id }, body }) => write((work) => show(work, updateCustomer(work, id, body))), {
			permit: limited,
			params,
			body: CustomerUpdate,
			response,
		})
		.post("/:id/archive", ({ write, params: { id } }) => write((work) => show(work, archiveCustomer(work, id))), {
			permit: limited,
			params,
			response,
		})
		.post("/:id/unarchive", ({ write, params: { id } }) => write((work) => show(work, unarchiveCustomer(work, id))), {
			permit: limited,
			params,
			response,
		})
		.get(
			"/:id/resources",
			({ read, params: { id }, query }) => read((work) => viewPage(listResources(work, id, query), viewResource)),
			{ permit: "CUSTOMER:READ", params, query: ResourceListQuery, response: listOf(CustomerResource) },
		);
